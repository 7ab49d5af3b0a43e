#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_cpu/compress_block.hpp"

/// Frames in which no code belongs to two strings (FORMAT.md, section 10.2).
namespace gsst::library {

/// Bytes of a frame that are between the codes of a block and those of the next one, or before the first, at
/// most.
std::uint64_t max_bytes_between_codes(const reference::CompressOptions& options);

/// A frame in memory of the caller.
struct StringFrame {
  std::size_t bytes = 0;
  /// For each string, from the frame's first byte to the end of its codes. For strings without bytes that of
  /// the string before, 0 if there is none.
  std::vector<std::uint64_t> code_ends;
};

/// Compresses `text` to the start of `output`, which has what CompressPlan says of a frame of that size. The
/// strings end at `string_ends`, ascending, the last of which is the end of `text`. Format blocks or splits.
StringFrame encode_string_frame(std::span<const std::uint8_t> text,
                                std::span<const std::uint64_t> string_ends,
                                const reference::CompressOptions& options, std::span<std::uint8_t> output);

}  // namespace gsst::library
