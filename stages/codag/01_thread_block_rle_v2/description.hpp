#pragma once

#include <string_view>

#include "common/format/codag/codag.hpp"
#include "common/stage/stage.hpp"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag::leader_of_v2 {
namespace {

// The kernels take the decoder of each format as a parameter.
constexpr std::string_view kernels_of = "codag/01_thread_block";

const stage::Description description = {.id = "codag/01_thread_block_rle_v2",
                                        .base = "codag/01_thread_block",
                                        .title = "A thread block for each chunk of four kinds of runs",
                                        .section = "CODAG paper, II-C",
                                        .format = format::codag::orc_rle_v2_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {threads_of_leader(), symbols_of_leader()}};

}  // namespace
}  // namespace gsst::codag::leader_of_v2
