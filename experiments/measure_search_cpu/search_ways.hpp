#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/measure_search_cpu/searched_files.hpp"

namespace gsst::experiments {

/// A command that counts lines of a text, or of what it is decompressed from.
struct SearchWay {
  /// Of the row.
  std::string stage;
  std::string variant;
  nlohmann::ordered_json parameters;
  /// What it reads.
  std::uint64_t file_bytes;
  std::vector<std::string> command;
  /// It counts the lines without a match, for which all must be seen.
  bool counts_others = false;
};

/// What searches the text itself: the command grep of the system. Its count is what others have to find.
SearchWay grep_of_text(const SearchedFiles& files, const std::filesystem::path& patterns);

/// The other ways to search for the lines that match a pattern of the file `patterns`: `search/codes` is
/// gsst grep on codes of each width, `search/decoded` the same command where it decompresses the widest codes
/// first, `search/decoded_to_grep` gsst -dc into grep, `peer/zstd_grep` zstd -dc into grep, and
/// `peer/ripgrep` on the text. What PATH does not have is left out.
std::vector<SearchWay> other_search_ways(const SearchedFiles& files, const SearchedTiles& tiles,
                                         const SearchTools& tools, const std::filesystem::path& patterns);

}  // namespace gsst::experiments
