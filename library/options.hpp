#pragma once

#include "gsst/gsst.h"
#include "library/decompress_plan.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::library {

/// What `options`, which may be null, ask for, with the defaults in place of zeros. Throws
/// std::invalid_argument for what does not depend on the input or on other options.
reference::CompressOptions compress_options(const gsst_compress_options* options);
DecompressOptions decompress_options(const gsst_decompress_options* options);

/// The number of a format in the interface.
gsst_format api_format(format::BlockFormat format);

}  // namespace gsst::library
