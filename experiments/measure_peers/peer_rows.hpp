#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_peers/memory_codec.hpp"

namespace gsst::experiments {

/// Two rows of each codec, of operation encode and of decode, on `input`, which is not empty. All of both
/// operations run in random order, so that what disturbs the machine for a while disturbs all alike. Each is
/// timed on the host's clock `repetitions` times, or fewer where that would take longer than a second. The
/// first compression and decompression of each do not count, but one that takes longer than a second alone is
/// the only one. Every output is poisoned before and compared after: throws MismatchError where it differs,
/// and what the codecs throw.
std::vector<nlohmann::ordered_json> peer_rows(std::span<const std::unique_ptr<MemoryCodec>> codecs,
                                              std::span<const std::uint8_t> input, const Blocks& blocks,
                                              std::size_t repetitions, const Dataset& dataset);

/// What gsst_measure_peers is told.
struct PeerOptions {
  std::filesystem::path input = {};
  std::uint64_t block_bytes = 0;
  unsigned threads = 0;
  /// Levels of format tiles.
  std::vector<unsigned> levels = {};
  std::size_t repetitions = 0;
};

/// One work: FSST's codes, the formats splits at level 1 and tiles, and the levels of linked_peers(), of
/// which missing ones are named on standard error. Throws InputError for a file that cannot be read or is
/// empty.
std::vector<StudiedWork> peer_works(const PeerOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
