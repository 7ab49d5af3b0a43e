#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/zero_length/markers.hpp"
#include "reference_cpu/zero_length/elements.hpp"

/// Blocks that say their markers (FORMAT.md, section 11.4), written and read byte by byte: the oracle of the
/// stages of that format.
namespace gsst::reference::zero_length {

/// How the markers of a block are chosen.
struct MarkerChoice {
  /// The block's rarest byte, or else FF (thesis 5.6.1).
  bool is_rarest = true;
  /// Whether a run of four zeros has a code of one byte (thesis 5.6.2).
  bool has_four_zeros = true;
};

/// The markers of `block`. Of the values 1 to 255 the least frequent one is taken, the smallest of several;
/// where the choice asks for it, for the marker first.
format::zero_length::Markers choose_markers(std::span<const std::uint8_t> block, const MarkerChoice& choice);

/// Writes `block` with these markers, which keep to the format's rules, to the start of `payload`, which has
/// format::zero_length::max_encoded_bytes() of its size. Returns the bytes. Throws std::invalid_argument
/// where `payload` is smaller.
std::size_t encode_marked(std::span<const std::uint8_t> block, std::span<std::uint8_t> payload,
                          const format::zero_length::Markers& markers);

/// Decodes `payload`, which has markers that the format's rules accept, to at most `most_bytes` bytes.
/// Positions are from the first byte of the elements. Never says that the output is too short.
DecodedElements decode_marked(std::span<const std::uint8_t> payload, std::uint64_t most_bytes);

}  // namespace gsst::reference::zero_length
