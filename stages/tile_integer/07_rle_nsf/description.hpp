#pragma once

#include <string_view>

#include "common/format/tile_integer/run_lengths.hpp"
#include "common/stage/stage.hpp"

namespace gsst::tile_integer::short_runs {
namespace {

// The kernels load numbers of any size: they are those of the same format with whole numbers.
constexpr std::string_view kernels_of = "tile_integer/07_rle";

const stage::Description description = {.id = "tile_integer/07_rle_nsf",
                                        .base = "tile_integer/07_rle",
                                        .title = "Values and lengths of runs in whole bytes, RLE+NSF",
                                        .section = "tile-based paper, 9.4",
                                        .format = format::tile_integer::rle_nsf_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

}  // namespace
}  // namespace gsst::tile_integer::short_runs
