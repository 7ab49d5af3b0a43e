#pragma once

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/stage.hpp"

namespace gsst::zero_length {
namespace {

// What the stage is, for each of its operations.
inline stage::Description describe(stage::Operation operation) {
  stage::Description description = {.id = "zero_length/05_cuda_scan",
                                    .base = "zero_length/01_naive",
                                    .title = "Past the thesis: scans, all on the GPU",
                                    .section = "zero-length thesis, 4.5 and 7.1",
                                    .format = format::zero_length::frame_format,
                                    .operation = operation,
                                    .minimum_compute_capability = 80,
                                    .parameters = {}};
  if (operation == stage::Operation::decode) {
    description.parameters = {
        {.name = "step",
         .description =
             "step of the decoder's ladder: 1 a thread block decodes a block, 2 the tiles of a block are "
             "spread over thread blocks; 0: 2 where a frame has so few blocks that the GPU runs most of "
             "them at once, else 1",
         .values = {0, 1, 2},
         .default_value = 0,
         .compile_time = true},
        {.name = "threads",
         .description =
             "step 1: threads of a thread block; 0: 64 where a frame has several times more blocks than "
             "the GPU runs at once, else 128",
         .values = {0, 64, 128},
         .default_value = 0,
         .compile_time = true},
        {.name = "vectors",
         .description = "step 1: vectors of 16 bytes that a thread reads at once",
         .values = {1, 2, 4},
         .default_value = 4,
         .compile_time = true}};
  }
  if (operation == stage::Operation::encode) {
    description.parameters = {
        {.name = "passes",
         .description =
             "how often the input is read for the bare form; always twice for a frame, where blocks "
             "go once it is known which of them their elements make smaller",
         .values = {1, 2},
         .default_value = 1,
         .compile_time = false},
        {.name = "threads_per_block",
         .description = "threads of a thread block, which encodes 64 bytes for each",
         .values = {64, 128, 256, 512},
         .default_value = 256,
         .compile_time = false}};
  }
  return description;
}

}  // namespace
}  // namespace gsst::zero_length
