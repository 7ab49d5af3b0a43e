#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// Searches of a compressed text for a pattern, by stages that answer with a count or with positions. Both
/// are compared with what the host finds in the text, before and after the timing. Stages that search for the
/// same are timed in turn, and with them reading the frame in all reading_variants(): the fastest is the
/// streaming limit of the rows, in GB/s of the text, as the throughput is.
std::shared_ptr<Kind> search_kind(const Measurement& measurement);

}  // namespace gsst::experiments
