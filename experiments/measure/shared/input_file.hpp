#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gsst::experiments {

/// Bytes of the file at `path`. Throws InputError if it is no readable regular file, or is empty.
std::uint64_t input_file_bytes(const std::filesystem::path& path);

/// The whole file. Throws InputError as input_file_bytes() does.
std::vector<std::uint8_t> read_input_file(const std::filesystem::path& path);

}  // namespace gsst::experiments
