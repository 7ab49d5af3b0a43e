#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// Sums of a column of 32-bit numbers, by stages that answer the question "sum". A sum is compared with the
/// text's before and after the timing. Reading the frame is timed in turn with them, in all
/// reading_variants(): the fastest is the streaming limit of the rows, in GB/s of the uncompressed column, as
/// the throughput is. Throws InputError for a text that is no column of 32-bit numbers.
std::shared_ptr<Kind> sums_kind(const Measurement& measurement);

}  // namespace gsst::experiments
