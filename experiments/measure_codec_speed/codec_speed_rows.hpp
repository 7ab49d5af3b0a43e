#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {

/// How codecs are measured.
struct CodecSpeed {
  /// Uncompressed bytes of a block.
  std::uint64_t block_bytes;
  /// Processors that encode or decode at the same time; at least 1.
  unsigned threads;
  /// Times that each direction is timed; fewer, but at least three, where these would take longer than ten
  /// seconds.
  std::size_t repetitions;
};

/// Two rows of `codec` on `input`, which is not empty: from memory to memory, of operation encode and of
/// decode, in this order. Checksums, headers and index are in both. Each has `memcpy_gb_per_s` as well, the
/// bytes that as many threads copy in a second, timed in the same way. What was encoded is decoded and
/// compared before and after the timing of each direction, with the output poisoned before: throws
/// MismatchError where it differs, and what the codec throws.
std::vector<nlohmann::ordered_json> codec_speed_rows(const reference::Codec& codec,
                                                     std::span<const std::uint8_t> input,
                                                     const CodecSpeed& speed, const Dataset& dataset);

/// What gsst_measure_codec_speed is told.
struct CodecSpeedOptions {
  std::filesystem::path input = {};
  /// The format's name.
  std::string format = {};
  std::uint64_t block_bytes = 0;
  /// A work for each.
  std::vector<unsigned> threads = {};
  std::size_t repetitions = 0;
};

/// A work for each number of threads, with the rows of codec_speed_rows(). Throws InputError for a format
/// that is not there, for blocks that it does not have, and for a file that cannot be read or is empty.
std::vector<StudiedWork> codec_speed_works(const CodecSpeedOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
