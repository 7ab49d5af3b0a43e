#pragma once

#include "gsst/gpu.h"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::library {

/// What `options`, which may be null, ask for, with the defaults in place of zeros. Throws
/// std::invalid_argument for what does not depend on the input or the frame.
GpuCompressOptions gpu_compress_options(const gsst_gpu_compress_options* options);
GpuDecompressOptions gpu_decompress_options(const gsst_gpu_decompress_options* options);

}  // namespace gsst::library
