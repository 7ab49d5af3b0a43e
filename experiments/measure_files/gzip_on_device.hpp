#pragma once

#include <memory>

#include "experiments/measure_files/file_on_device.hpp"
#include "experiments/measure_files/gzip_input.hpp"

namespace gsst::experiments {

/// All members of a file of gzip as one batch: the stage of `point`, which is of format deflate, decodes
/// them, and their CRC-32 are compared. `point` is needed as long as the result is, `input` is not. Throws
/// CudaError, and what the stage throws.
std::unique_ptr<FileOnDevice> make_gzip_on_device(const Point& point, const GzipInput& input);

}  // namespace gsst::experiments
