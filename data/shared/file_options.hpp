#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>

#include "data/shared/parts.hpp"

namespace gsst::data {

/// The largest file that a program makes, in bytes.
inline constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 40;

/// What every program that makes data asks of the file.
struct FileOptions {
  std::filesystem::path output;
  /// Only the first bytes; 0 stands for all.
  std::uint64_t first_bytes = 0;
  /// 0 stands for one for each processor.
  unsigned threads = 0;
};

/// Adds --output, --first-bytes and --threads to `command`. `options` must outlive the parsing.
void add_file_options(CLI::App& command, FileOptions& options);

/// Writes the file as write_parts() does, and throws what that throws.
void write_file(const Parts& parts, const FileOptions& options);

}  // namespace gsst::data
