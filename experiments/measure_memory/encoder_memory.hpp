#pragma once

#include <cstdint>
#include <span>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_memory/count_point.hpp"

namespace gsst::experiments {

/// Gives `count_point` what counts each of `points` on `text` (host memory): trains and encodes the text once
/// with each, and the oracle decodes the frame. A row has no times; its `gpu_memory` says what was allocated
/// for what, by the program's own count of its calls (GPU encoder paper, Section 7.4). The output is the
/// memory that the stage asks for so that any text of the size fits; `beyond_input_and_output_bytes` is all
/// other memory. Throws MismatchError, CudaError, and std::invalid_argument for settings that the stage does
/// not take on this text.
void measure_encoder_memory(std::span<const Point> points, std::span<const std::uint8_t> text,
                            const Dataset& dataset, const CountPoint& count_point);

}  // namespace gsst::experiments
