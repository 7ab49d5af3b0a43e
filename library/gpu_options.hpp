#pragma once

#include <cstdint>
#include <optional>

#include "gsst/gpu.h"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::library {

/// How a table is trained on the CPU.
struct GpuTableOptions {
  /// As GpuCompressOptions::tile_code_bits.
  std::optional<std::uint32_t> tile_code_bits = std::nullopt;
  /// 1 for format splits.
  unsigned level = 1;
  unsigned threads = 1;
};

/// What `options`, which may be null, ask for, with the defaults in place of zeros. Throws
/// std::invalid_argument for what does not depend on the input or the frame.
GpuCompressOptions gpu_compress_options(const gsst_gpu_compress_options* options);
GpuTableOptions gpu_table_options(const gsst_gpu_table_options* options);
GpuDecompressOptions gpu_decompress_options(const gsst_gpu_decompress_options* options);

}  // namespace gsst::library
