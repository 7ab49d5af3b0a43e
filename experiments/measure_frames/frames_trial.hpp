#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// Many small frames of a text, decompressed by the library with one call and with a call for each, next to
/// one frame of the whole text. Checksums are compared. All outputs are verified before and after the timing.
/// Beside the keys of the result contract a row has `calls` ("one", "each" or "large frame"), `frames`, and
/// `large_frame_gb_per_s`, the throughput with the one frame.
std::shared_ptr<Kind> frames_kind(const Measurement& measurement);

}  // namespace gsst::experiments
