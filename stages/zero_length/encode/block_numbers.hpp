#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/zero_length.hpp"

namespace gsst::zero_length {

/// Numbers the blocks of a part of a bare file (FORMAT.md, section 11.2): `blocks`, host memory without a
/// guard block, get the indexes from `first` on. Returns how many there are. Only for what an encoder has
/// written: sizes are not checked.
inline std::uint64_t number_blocks(std::span<std::uint8_t> blocks, std::uint64_t first) {
  using format::zero_length::bare_size_bytes;
  std::uint64_t count = 0;
  for (std::size_t block = 0; block < blocks.size(); ++count) {
    format::store_little_endian<8>(blocks.data() + block + bare_size_bytes, first + count);
    block += format::load_little_endian<8>(blocks.data() + block);
  }
  return count;
}

}  // namespace gsst::zero_length
