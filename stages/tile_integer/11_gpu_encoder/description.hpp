#pragma once

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/stage.hpp"

namespace gsst::tile_integer::encoder {
namespace {

const stage::Description description = {
    .id = "tile_integer/11_gpu_encoder",
    .base = "",
    .title = "Past the paper: encoding on the GPU, in one pass",
    .section = "tile-based paper, 4.1, 5 and 6",
    .format = format::tile_integer::for_format,
    .operation = stage::Operation::encode,
    .minimum_compute_capability = 80,
    .parameters = {
        {.name = "passes",
         .description = "how often the input is read: twice, for sizes and then for words, or once, "
                        "where a tile learns its place from the tiles before it",
         .values = {1, 2},
         .default_value = 1,
         .compile_time = false},
        {.name = "threads_per_block",
         .description = "threads of a thread block",
         .values = {64, 128, 256, 512},
         .default_value = 256,
         .compile_time = false},
        {.name = "chains_per_warp",
         .description =
             "chains or run blocks of 512 values that a warp encodes one after the other before its "
             "thread block asks for its place",
         .values = {1, 2},
         .default_value = 1,
         .compile_time = false}}};

}  // namespace
}  // namespace gsst::tile_integer::encoder
