#pragma once

#include <string_view>

#include "common/format/codag/codag.hpp"
#include "common/stage/stage.hpp"

namespace gsst::codag::pair_of_bytes {
namespace {

// The kernels take the decoder of each format as a parameter.
constexpr std::string_view kernels_of = "codag/06_prefetch_warp";

const stage::Description description = {.id = "codag/06_prefetch_warp_byte_rle",
                                        .base = "codag/05_writes_byte_rle",
                                        .title = "A second warp reads runs of bytes ahead",
                                        .section = "CODAG paper, V-F",
                                        .format = format::codag::byte_rle_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

}  // namespace
}  // namespace gsst::codag::pair_of_bytes
