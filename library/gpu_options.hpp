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

/// The gsst_format that bounds of frames name, which have no default. Throws std::invalid_argument for a
/// number that is none, and for a format that no GPU decompresses.
format::BlockFormat format_of_bounds(std::uint32_t number);

/// The splits of bounds of frames in `format`: `splits`, or 1 where that is 0 and the format has none.
std::uint32_t splits_of_bounds(format::BlockFormat format, std::uint32_t splits);

}  // namespace gsst::library
