#include <algorithm>
#include <cstring>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "stages/zero_length/08_dictionary/indexes.hpp"

namespace gsst::zero_length::dictionary {
namespace {

using format::zero_length::float_bytes;
constexpr std::size_t word_bytes = 8;

// An index has at most 20 bits and starts at one of the first 8: a word from its first byte has all of it.
struct IndexReader {
  std::uint32_t mask;
  std::uint32_t last_value;
  bool is_right = true;

  std::uint32_t index_of(std::uint64_t word, std::uint64_t first_bit) {
    const auto index = static_cast<std::uint32_t>(word >> first_bit % 8) & mask;
    is_right &= index <= last_value;
    return std::min(index, last_value);
  }
};

// How many indexes can be read as whole words.
std::size_t whole_words(const PackedIndexes& packed) {
  const std::size_t bytes = packed_bytes(packed);
  if (bytes < word_bytes) return 0;
  // The last one whose first byte has seven more after it.
  const std::size_t last_bit = 8 * (bytes - word_bytes) + 7;
  return std::min(packed.floats, last_bit / packed.index_bits + 1);
}

}  // namespace

bool look_up_words(const PackedIndexes& packed, std::uint8_t* output) {
  if (packed.index_bits == 0) {
    for (std::size_t i = 0; i < packed.floats; ++i) {
      std::memcpy(output + i * float_bytes, packed.values, float_bytes);
    }
    return true;
  }
  IndexReader reader = {.mask = (std::uint32_t{1} << packed.index_bits) - 1,
                        .last_value = packed.value_count - 1};
  const auto write = [&](std::size_t i, std::uint64_t word) {
    const std::uint32_t index = reader.index_of(word, std::uint64_t{i} * packed.index_bits);
    std::memcpy(output + i * float_bytes, packed.values + index * float_bytes, float_bytes);
  };
  const std::size_t whole = whole_words(packed);
  for (std::size_t i = 0; i < whole; ++i) {
    write(i, format::load_little_endian<word_bytes>(packed.indexes + i * packed.index_bits / 8));
  }
  const std::size_t bytes = packed_bytes(packed);
  for (std::size_t i = whole; i < packed.floats; ++i) {
    const std::size_t first = i * packed.index_bits / 8;
    std::uint64_t word = 0;
    for (std::size_t byte = first; byte < std::min(first + word_bytes, bytes); ++byte) {
      word |= std::uint64_t{packed.indexes[byte]} << 8 * (byte - first);
    }
    write(i, word);
  }
  return reader.is_right;
}

}  // namespace gsst::zero_length::dictionary
