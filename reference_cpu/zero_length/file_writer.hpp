#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "common/format/block_format.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"

namespace gsst::reference::zero_length {

/// Writes the elements of `block`, in format zle_markers after their markers, or in format zle_dictionary its
/// payload, to the start of `elements`, which has encoding_room() of its size, and returns the bytes: the
/// oracle, or a stage that does the same. Returns the block's bytes or more where it is to be stored raw.
using EncodeElements =
    std::function<std::size_t(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements)>;

/// Makes a file of any format of the series (FORMAT.md, sections 6 and 11) of the bytes of `read`: a frame,
/// in which a block that its elements do not make smaller is stored raw, or the bare form, in the order of
/// the blocks. The threads of the settings call `encode` at the same time, for the blocks of a batch. A batch
/// has up to four megabytes of input for each thread, or a block where that is more, as far as `memory_bytes`
/// allow; one block it always has. Throws std::invalid_argument for another format and for a block size out
/// of range, and what the functions throw.
format::EncodeTotals write_file(format::BlockFormat format, const format::ReadFunction& read,
                                const format::WriteFunction& write, const format::EncodeSettings& settings,
                                const format::ProgressFunction& progress, const EncodeElements& encode,
                                std::uint64_t memory_bytes);

/// Bytes of memory that each block of a batch takes in files of `format`.
std::uint64_t write_file_memory(format::BlockFormat format, std::uint64_t block_bytes);

}  // namespace gsst::reference::zero_length
