#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "common/format/block_format.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

/// What a compressed file holds.
struct Listing {
  std::string file;
  format::BlockFormat format;
  std::uint64_t compressed_bytes;
  reference::FileListing content;
};

/// Looks at `input`, one of `options.inputs`, as the codec of its format does: for a frame at its header and
/// index, and at little of the payloads, which are not checked. Throws CommandError, also for a file that was
/// cut since it was opened, and format::FormatError.
Listing list_file(const Options& options, const InputFile& input);

/// A table with a row per file.
std::string listing_text(const std::vector<Listing>& listings);

/// The same for programs.
nlohmann::ordered_json listing_json(const Listing& listing);

}  // namespace gsst::cli
