#pragma once

#include "common/format/block_format.hpp"
#include "gsst/gsst.h"
#include "reference_cpu/compress_block.hpp"

namespace gsst::library {

/// As compress_options(), with the format `usual` where none is named.
reference::CompressOptions compress_options_with(const gsst_compress_options* options,
                                                 format::BlockFormat usual);

}  // namespace gsst::library
