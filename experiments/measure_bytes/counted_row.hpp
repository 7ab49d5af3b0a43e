#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// The row of a file's bytes and runs of zeros in blocks of `block_bytes` bytes, and of its size in the bare
/// form of zero-length coding. Reads it block by block. The oracle encodes each block and decodes it again:
/// throws MismatchError where that gives other bytes, or other sizes than follow from the counts, and
/// InputError where the file cannot be read or is empty.
nlohmann::ordered_json count_file(const std::filesystem::path& input, std::uint64_t block_bytes,
                                  const Dataset& dataset);

}  // namespace gsst::experiments
