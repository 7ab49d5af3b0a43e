#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "common/format/bytes.hpp"

namespace gsst::library {

/// format::load_little_endian<8>(), in one instruction on machines with that order of bytes: compilers do not
/// always merge its loads.
inline std::uint64_t load_word(const std::uint8_t* bytes) {
  if constexpr (std::endian::native != std::endian::little) return format::load_little_endian<8>(bytes);
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// format::store_little_endian<8>(), as load_word().
inline void store_word(std::uint8_t* bytes, std::uint64_t word) {
  if constexpr (std::endian::native != std::endian::little) {
    format::store_little_endian<8>(bytes, word);
  } else {
    std::memcpy(bytes, &word, sizeof(word));
  }
}

}  // namespace gsst::library
