#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gsst::experiments {

/// What runs the searches, and where their files are.
struct SearchTools {
  /// The command gsst.
  std::filesystem::path command;
  /// Of a file system that can hold compressed texts; in memory, a disk is no part of what is timed.
  std::filesystem::path folder;
};

/// How the text is compressed by gsst.
struct SearchedTiles {
  std::uint64_t block_bytes = 0;
  /// A file for each: 8, 10 or 12.
  std::vector<std::uint32_t> code_bits = {};
  unsigned level = 0;
};

/// Whether PATH has a program of this name.
bool has_program(const std::string& name);

/// A text and its compressed files, in a folder that is removed at the end.
class SearchedFiles {
public:
  /// Compresses `text` with all processors: to format tiles, and with zstd at its default level where PATH
  /// has it. Throws InputError where a command fails, std::system_error where there can be no folder.
  SearchedFiles(std::filesystem::path text, const SearchedTiles& tiles, const SearchTools& tools);
  SearchedFiles(const SearchedFiles&) = delete;
  SearchedFiles& operator=(const SearchedFiles&) = delete;
  ~SearchedFiles();

  const std::filesystem::path& text() const { return text_; }
  /// By the bits of a code.
  const std::map<std::uint32_t, std::filesystem::path>& tiles() const { return tiles_; }
  const std::optional<std::filesystem::path>& zstd() const { return zstd_; }

  /// Writes a file with a pattern on each line, in the place of the one before.
  std::filesystem::path write_patterns(std::span<const std::string> patterns) const;

private:
  std::filesystem::path folder_;
  std::filesystem::path text_;
  std::map<std::uint32_t, std::filesystem::path> tiles_;
  std::optional<std::filesystem::path> zstd_;
};

}  // namespace gsst::experiments
