#include "library/gpu_options.hpp"

#include <stdexcept>

#include "library/known_struct.hpp"
#include "library/options.hpp"

namespace gsst::library {

template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_compress_options> = 24;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_decompress_options> = 16;

GpuCompressOptions gpu_compress_options(const gsst_gpu_compress_options* options) {
  GpuCompressOptions chosen;
  if (options == nullptr) return chosen;
  const auto given = known_struct("options", options);
  check_flag("tables", given.tables);
  if (given.tables == GSST_GPU_TABLES_LOADED) chosen.tables = GpuTables::loaded;
  if (given.block_bytes != 0) chosen.block_bytes = given.block_bytes;
  chosen.split_count = given.splits;
  if (given.blocks_per_table != 0) chosen.blocks_per_table = given.blocks_per_table;
  return chosen;
}

GpuDecompressOptions gpu_decompress_options(const gsst_gpu_decompress_options* options) {
  if (options == nullptr) return {};
  const auto given = known_struct("options", options);
  check_flag("skip_checksums", given.skip_checksums);
  check_zero("options: reserved", given.reserved);
  if (given.format == GSST_FORMAT_FSST) {
    throw std::invalid_argument("options: format fsst is decompressed on the CPU only");
  }
  return {.format = block_format(given.format), .verify_checksums = given.skip_checksums == 0};
}

}  // namespace gsst::library
