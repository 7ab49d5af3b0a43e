#pragma once

#include <cstdint>
#include <filesystem>

#include "data/shared/parts.hpp"

namespace gsst::data {

/// Writes the first `first_bytes` bytes of the parts to a new file at `path`, in the place of one that is
/// there, with `threads` threads: 0 takes one for each processor. The bytes do not depend on it. Takes the
/// memory of a part for each thread. Throws std::invalid_argument where there are fewer bytes or `path` is
/// something else than a file, and std::system_error where writing fails, and leaves no file then.
void write_parts(const Parts& parts, std::uint64_t first_bytes, unsigned threads,
                 const std::filesystem::path& path);

}  // namespace gsst::data
