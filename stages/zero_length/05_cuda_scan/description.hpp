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
                                    .minimum_compute_capability = 70,
                                    .parameters = {}};
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
