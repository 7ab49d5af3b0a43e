#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"

/// The elements of one block, written and read byte by byte: the oracle of the stages of this series
/// (FORMAT.md, section 11; thesis Figures 13 and 14).
namespace gsst::reference::zero_length {

/// Writes the elements of `block` to the start of `elements`, which has
/// format::zero_length::max_elements_bytes() of its size. Returns their bytes.
std::size_t encode_elements(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements);

/// What elements decode to.
struct DecodedElements {
  /// Right as far as it goes.
  std::vector<std::uint8_t> bytes;
  format::zero_length::Status status = format::zero_length::Status::decoded;
  /// Of the first element that has no place in the output or no meaning, from the first element's first byte;
  /// where the status is 0, all bytes of the elements.
  std::size_t position = 0;
};

/// Decodes `elements` to at most `most_bytes` bytes. Never says that the output is too short.
DecodedElements decode_elements(std::span<const std::uint8_t> elements, std::uint64_t most_bytes);

}  // namespace gsst::reference::zero_length
