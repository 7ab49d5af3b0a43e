#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"
#include "experiments/measure_parquet/paged_column.hpp"

namespace gsst::experiments {

/// Decoding of the pages of `column` by the kernels of stage 12, of whatever points. The measurement's text
/// is the Parquet file. The output is compared with `column.values` before and after the timing. Rows have
/// `phase_seconds`, the medians of the kernels alone, and the file's bytes as the compressed ones. Both
/// arguments outlive the kind. Throws cuda::CudaError.
std::shared_ptr<Kind> pages_kind(const Measurement& measurement, const PagedColumn& column);

}  // namespace gsst::experiments
