#include "library/gpu_options.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/tiles.hpp"
#include "cpu/default_format.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::library {

template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_compress_options> = 24;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_decompress_options> = 16;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_table_options> = 20;

namespace {

// Of format tiles; nothing for format splits. Throws std::invalid_argument for what no codes are.
std::optional<std::uint32_t> tile_code_bits(std::uint32_t format_number, std::uint32_t code_bits) {
  const format::BlockFormat chosen = block_format(format_number).value_or(cpu::default_format);
  if (chosen == format::BlockFormat::tiles) {
    if (code_bits == 0) return format::tile_code_bits.front();
    if (std::ranges::find(format::tile_code_bits, code_bits) != format::tile_code_bits.end())
      return code_bits;
    throw std::invalid_argument("options: code_bits is " + std::to_string(code_bits) +
                                ", expected 8, 10 or 12");
  }
  if (chosen != format::BlockFormat::splits) {
    throw std::invalid_argument("options: format is " + std::string(format::block_format_name(chosen)) +
                                ", a GPU compresses to splits and tiles");
  }
  if (code_bits == 0) return std::nullopt;
  throw std::invalid_argument("options: code_bits is " + std::to_string(code_bits) +
                              ", expected 0: only format tiles has a choice");
}

// What blocks of tiles have not. Throws std::invalid_argument unless it is 0.
void check_not_of_tiles(const char* name, std::uint32_t found) {
  if (found == 0) return;
  throw std::invalid_argument("options: " + std::string(name) + " is " + std::to_string(found) +
                              ", expected 0 for format tiles");
}

}  // namespace

GpuCompressOptions gpu_compress_options(const gsst_gpu_compress_options* options) {
  const auto given = options == nullptr ? gsst_gpu_compress_options{} : known_struct("options", options);
  GpuCompressOptions chosen;
  check_flag("tables", given.tables);
  if (given.tables == GSST_GPU_TABLES_LOADED) chosen.tables = GpuTables::loaded;
  if (given.block_bytes != 0) chosen.block_bytes = given.block_bytes;
  chosen.tile_code_bits = tile_code_bits(given.format, given.code_bits);
  if (chosen.tile_code_bits) {
    check_not_of_tiles("splits", given.splits);
    check_not_of_tiles("blocks_per_table", given.blocks_per_table);
  }
  chosen.split_count = given.splits;
  if (given.blocks_per_table != 0) chosen.blocks_per_table = given.blocks_per_table;
  return chosen;
}

GpuTableOptions gpu_table_options(const gsst_gpu_table_options* options) {
  const auto given = options == nullptr ? gsst_gpu_table_options{} : known_struct("options", options);
  GpuTableOptions chosen;
  chosen.tile_code_bits = tile_code_bits(given.format, given.code_bits);
  if (given.level != 0) chosen.level = given.level;
  reference::check_level(chosen.level);
  if (!chosen.tile_code_bits && chosen.level != reference::min_level) {
    throw std::invalid_argument("options: level is " + std::to_string(chosen.level) +
                                ", expected 1 for format splits");
  }
  chosen.threads = thread_count(given.threads);
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

format::BlockFormat format_of_bounds(std::uint32_t number) {
  const std::optional<format::BlockFormat> format = block_format(number);
  if (!format) throw std::invalid_argument("bounds: the format must be named");
  if (*format == format::BlockFormat::fsst) {
    throw std::invalid_argument("bounds: format fsst is decompressed on the CPU only");
  }
  return *format;
}

std::uint32_t splits_of_bounds(format::BlockFormat format, std::uint32_t splits) {
  return splits == 0 && !format::has_splits(format) ? 1 : splits;
}

}  // namespace gsst::library
