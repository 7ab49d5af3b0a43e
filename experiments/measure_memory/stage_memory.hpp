#pragma once

#include <cstdint>
#include <span>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_memory/count_point.hpp"

namespace gsst::experiments {

/// Gives `count_point` what counts each of `points`, which share a frame, on `text` (host memory): decodes
/// the text once with each and verifies the output. A row has no times; its `gpu_memory` says what was
/// allocated for what, by the program's own count of its calls. Thesis, Section 6.4. Throws MismatchError,
/// format::FormatError, CudaError.
void measure_decoder_memory(std::span<const Point> points, std::span<const std::uint8_t> text,
                            const Dataset& dataset, const CountPoint& count_point);

}  // namespace gsst::experiments
