#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// Rows of a file's frames of format zle_markers (FORMAT.md, section 11.4) in blocks of `block_bytes` bytes,
/// one for each choice of markers, which is in the parameters: `marker` (ff, rarest) and `runs_of_4` (two
/// bytes, one byte). Besides the frame's size each has how many runs of four zeros have a code of one byte,
/// and how many bytes are those of the marker or of that code, which cost a byte each; in blocks that are
/// stored raw neither counts. Reads the file block by block. The oracle encodes each block and decodes it
/// again: throws MismatchError where that gives other bytes, and InputError where the file cannot be read or
/// is empty.
nlohmann::ordered_json marker_rows(const std::filesystem::path& input, std::uint64_t block_bytes,
                                   const Dataset& dataset);

}  // namespace gsst::experiments
