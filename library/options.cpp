#include "library/options.hpp"

#include <omp.h>
#include <pthread.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "library/compress_plan.hpp"
#include "library/known_struct.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::library {

template <>
inline constexpr std::size_t first_struct_bytes<gsst_compress_options> = 32;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_decompress_options> = 16;

namespace {

using format::BlockFormat;

std::optional<format::ChecksumKind> checksum_kind(std::uint32_t number) {
  switch (number) {
    case GSST_CHECKSUM_DEFAULT:
      return std::nullopt;
    case GSST_CHECKSUM_XXH64:
      return format::ChecksumKind::xxh64;
    case GSST_CHECKSUM_XXH64_TREE:
      return format::ChecksumKind::xxh64_tree;
    default:
      throw std::invalid_argument("options: checksum is " + std::to_string(number) +
                                  ", which is no gsst_checksum");
  }
}

// Throws std::invalid_argument unless the option `name`, which the default format does not have, is 0:
// whoever sets it means another format.
void check_not_of_default_format(const char* name, std::uint32_t found) {
  if (found == 0) return;
  throw std::invalid_argument("options: " + std::string(name) + " is " + std::to_string(found) +
                              ", expected 0 for the default format, " +
                              std::string(format::block_format_name(cpu::default_format)) +
                              ": name another one");
}

// OpenMP keeps the threads of a loop for the next one, and fork() copies none of them: the child would wait
// for them forever. They end before a fork, and the next loop starts new ones.
void end_idle_threads() {
  omp_pause_resource_all(omp_pause_soft);
}

// When the program starts, since the library has no variable that says whether it was done.
[[gnu::constructor]] void end_idle_threads_before_forks() {
  pthread_atfork(end_idle_threads, nullptr, nullptr);
}

}  // namespace

unsigned thread_count(std::uint32_t threads) {
  if (threads == GSST_THREADS_ALL) return reference::thread_count(0);
  if (threads > GSST_MAX_THREADS) {
    throw std::invalid_argument("options: threads is " + std::to_string(threads) + ", expected at most " +
                                std::to_string(GSST_MAX_THREADS) + " or GSST_THREADS_ALL");
  }
  return threads == 0 ? 1 : threads;
}

void check_flag(const char* name, std::uint32_t found) {
  if (found <= 1) return;
  throw std::invalid_argument("options: " + std::string(name) + " is " + std::to_string(found) +
                              ", expected 0 or 1");
}

void check_zero(const char* name, std::uint32_t found) {
  if (found != 0) throw std::invalid_argument(std::string(name) + " is not 0");
}

std::optional<BlockFormat> block_format(std::uint32_t number) {
  switch (number) {
    case GSST_FORMAT_DEFAULT:
      return std::nullopt;
    case GSST_FORMAT_BLOCKS:
      return BlockFormat::blocks;
    case GSST_FORMAT_SPLITS:
      return BlockFormat::splits;
    case GSST_FORMAT_COALESCED:
      return BlockFormat::coalesced;
    case GSST_FORMAT_TILES:
      return BlockFormat::tiles;
    case GSST_FORMAT_FSST:
      return BlockFormat::fsst;
    default:
      throw std::invalid_argument("options: format is " + std::to_string(number) +
                                  ", which is no gsst_format");
  }
}

reference::CompressOptions compress_options(const gsst_compress_options* options, BlockFormat usual) {
  const auto given = options == nullptr ? gsst_compress_options{} : known_struct("options", options);
  check_zero("options: reserved", given.reserved);
  reference::CompressOptions chosen;
  chosen.format = block_format(given.format).value_or(usual);
  if (given.format == GSST_FORMAT_DEFAULT && !format::has_splits(usual)) {
    check_not_of_default_format("splits", given.splits);
  }
  if (chosen.format == BlockFormat::fsst) chosen.block_bytes = format::max_fsst_block_bytes;
  if (given.block_bytes != 0) chosen.block_bytes = given.block_bytes;
  if (given.splits != 0) chosen.split_count = given.splits;
  if (given.level != 0) chosen.level = given.level;
  chosen.strip_codes = given.strip_codes;
  const bool is_fast = is_fast_level(chosen);
  if (is_fast && given.block_bytes == 0) chosen.block_bytes = fitting_block_bytes;
  const auto usual_checksum = is_fast ? format::ChecksumKind::xxh64_tree : format::ChecksumKind::xxh64;
  chosen.checksum_kind = checksum_kind(given.checksum).value_or(usual_checksum);
  chosen.threads = thread_count(given.threads);
  return chosen;
}

DecompressOptions decompress_options(const gsst_decompress_options* options) {
  if (options == nullptr) return {};
  const auto given = known_struct("options", options);
  check_flag("skip_checksums", given.skip_checksums);
  return {.format = block_format(given.format),
          .threads = thread_count(given.threads),
          .verify_checksums = given.skip_checksums == 0};
}

gsst_format api_format(BlockFormat format) {
  switch (format) {
    case BlockFormat::blocks:
      return GSST_FORMAT_BLOCKS;
    case BlockFormat::splits:
      return GSST_FORMAT_SPLITS;
    case BlockFormat::coalesced:
      return GSST_FORMAT_COALESCED;
    case BlockFormat::tiles:
      return GSST_FORMAT_TILES;
    case BlockFormat::fsst:
      break;
  }
  return GSST_FORMAT_FSST;
}

}  // namespace gsst::library
