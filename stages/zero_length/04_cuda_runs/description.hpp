#pragma once

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/stage.hpp"

namespace gsst::zero_length {
namespace {

// What the stage is, for each of its operations.
inline stage::Description describe(stage::Operation operation) {
  return {.id = "zero_length/04_cuda_runs",
          .base = "zero_length/01_naive",
          .title = "The thesis's plan for a GPU: a list of runs, and copies between them",
          .section = "zero-length thesis, 4.5 and 5.7",
          .format = format::zero_length::frame_format,
          .operation = operation,
          .minimum_compute_capability = 80,
          .parameters = {}};
}

}  // namespace
}  // namespace gsst::zero_length
