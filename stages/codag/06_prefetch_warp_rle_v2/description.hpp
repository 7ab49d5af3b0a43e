#pragma once

#include <string_view>

#include "common/format/codag/codag.hpp"
#include "common/stage/stage.hpp"

namespace gsst::codag::pair_of_v2 {
namespace {

// The kernels take the decoder of each format as a parameter.
constexpr std::string_view kernels_of = "codag/06_prefetch_warp";

const stage::Description description = {.id = "codag/06_prefetch_warp_rle_v2",
                                        .base = "codag/05_writes_rle_v2",
                                        .title = "A second warp reads four kinds of runs ahead",
                                        .section = "CODAG paper, V-F",
                                        .format = format::codag::orc_rle_v2_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

}  // namespace
}  // namespace gsst::codag::pair_of_v2
