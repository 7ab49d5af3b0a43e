#include "library/gpu_options.hpp"

#include <stdexcept>

#include "library/options.hpp"

namespace gsst::library {

GpuCompressOptions gpu_compress_options(const gsst_gpu_compress_options* options) {
  GpuCompressOptions chosen;
  if (options == nullptr) return chosen;
  check_struct_bytes("options", options->struct_bytes, sizeof(*options));
  check_flag("tables", options->tables);
  if (options->tables == GSST_GPU_TABLES_LOADED) chosen.tables = GpuTables::loaded;
  if (options->block_bytes != 0) chosen.block_bytes = options->block_bytes;
  chosen.split_count = options->splits;
  if (options->blocks_per_table != 0) chosen.blocks_per_table = options->blocks_per_table;
  return chosen;
}

GpuDecompressOptions gpu_decompress_options(const gsst_gpu_decompress_options* options) {
  if (options == nullptr) return {};
  check_struct_bytes("options", options->struct_bytes, sizeof(*options));
  check_flag("skip_checksums", options->skip_checksums);
  check_zero("options: reserved", options->reserved);
  if (options->format == GSST_FORMAT_FSST) {
    throw std::invalid_argument("options: format fsst is decompressed on the CPU only");
  }
  return {.format = block_format(options->format), .verify_checksums = options->skip_checksums == 0};
}

}  // namespace gsst::library
