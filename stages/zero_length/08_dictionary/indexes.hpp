#pragma once

#include <cstddef>
#include <cstdint>

/// The indexes of a block of format zle_dictionary (FORMAT.md, section 11.5), read by each instruction set.
namespace gsst::zero_length::dictionary {

/// A block whose header the host has checked; all memory is the host's, at any address.
struct PackedIndexes {
  /// 4 bytes each.
  const std::uint8_t* values;
  /// 1 or more.
  std::uint32_t value_count;
  /// 0 to 20.
  std::uint32_t index_bits;
  /// `floats` times `index_bits` bits, rounded up to whole bytes, and nothing after them.
  const std::uint8_t* indexes;
  std::size_t floats;
};

/// Writes the value of each index to `output`, which has 4 bytes for each float, and returns whether each
/// index has a value. One that has none becomes a value all the same: nothing outside is read or written,
/// whatever the indexes are. A processor without the instructions must not call the function.
using LookUp = bool(const PackedIndexes& packed, std::uint8_t* output);

/// One index at a time, in C++ alone.
LookUp look_up_words;
#if defined(__x86_64__)
/// 8 at a time: AVX2.
LookUp look_up_avx2;
/// 16 at a time: AVX-512 F and VBMI2.
LookUp look_up_avx512;
#endif

// Inlined always: a copy of theirs that is compiled for other processors must not be called elsewhere.

/// `packed` without its first `floats` floats, a multiple of 8: these end with a whole byte.
[[gnu::always_inline]] inline PackedIndexes without_first(PackedIndexes packed, std::size_t floats) {
  packed.indexes += floats / 8 * packed.index_bits;
  packed.floats -= floats;
  return packed;
}

/// Bytes of the indexes.
[[gnu::always_inline]] inline std::size_t packed_bytes(const PackedIndexes& packed) {
  return (packed.floats * packed.index_bits + 7) / 8;
}

}  // namespace gsst::zero_length::dictionary
