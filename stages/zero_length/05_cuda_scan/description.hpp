#pragma once

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/stage.hpp"

/// What the stage is, for its decoder and its encoder.
namespace gsst::zero_length {

/// All but the parameters, which each operation adds.
inline stage::Description describe_cuda_scan(stage::Operation operation) {
  return {.id = "zero_length/05_cuda_scan",
          .base = "zero_length/01_naive",
          .title = "Past the thesis: places from a scan, all on the GPU",
          .section = "zero-length thesis 4.5",
          .format = format::zero_length::frame_format,
          .operation = operation,
          .minimum_compute_capability = 80,
          .parameters = {}};
}

}  // namespace gsst::zero_length
