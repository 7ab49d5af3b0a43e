#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "common/format/block_header.hpp"

namespace gsst::cli {

/// What a compressed file holds. What files of FSST's own tool do not have is absent.
struct Listing {
  std::string file;
  format::BlockFormat format;
  std::uint64_t blocks;
  /// Uncompressed bytes of every block but the last.
  std::optional<std::uint64_t> block_bytes;
  std::optional<std::uint32_t> splits;
  /// Format tiles: codes of each strip but a block's last one, in the first block that is not stored raw.
  std::optional<std::uint32_t> strip_codes;
  std::uint64_t compressed_bytes;
  std::uint64_t uncompressed_bytes;
  /// The name of the blocks' checksum.
  std::optional<std::string> checksum;
};

/// Looks at `input`, one of `options.inputs`: for a frame at its header and index, and for one of tiles at
/// the header of a block, but not at the payloads, which it does not check; for a file of FSST's own tool at
/// all codes, since it stores no sizes. Throws CommandError, also for a file that was cut since it was
/// opened, and format::FormatError.
Listing list_file(const Options& options, const InputFile& input);

/// A table with a row per file.
std::string listing_text(const std::vector<Listing>& listings);

/// The same for programs.
nlohmann::ordered_json listing_json(const Listing& listing);

}  // namespace gsst::cli
