#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "common/format/error.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

/// For tests: payloads of which a byte is changed.
namespace gsst::tile_integer {

/// The number of the block that payloads are checked as.
inline constexpr std::uint64_t changed_block = 3;

/// Checks a payload as that of block `changed_block`, which throws FormatError, and decodes it.
using CheckedDecode = std::function<ValueBytes(const ValueBytes& payload)>;

/// Whether the payload is refused when bits of one byte are changed, with an error that names its block. If
/// it is not, it must decode to something else than `block`.
inline bool is_refused_when_changed(const ValueBytes& payload, std::size_t byte, unsigned bits,
                                    const ValueBytes& block, const CheckedDecode& decode) {
  ValueBytes changed = payload;
  changed[byte] = static_cast<std::uint8_t>(changed[byte] ^ bits);
  try {
    EXPECT_FALSE(decode(changed) == block) << "byte " << byte << " is ignored";
    return false;
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), changed_block);
    return true;
  }
}

/// Every byte from `first` on, changed: refused, or decoded to something else.
inline void expect_every_byte_counts(const ValueBytes& payload, const ValueBytes& block,
                                     const CheckedDecode& decode, std::size_t first = 0) {
  for (std::size_t byte = first; byte < payload.size(); ++byte) {
    for (const unsigned bits : {0x01U, 0x02U, 0x04U, 0x10U, 0x80U, 0xffU}) {
      is_refused_when_changed(payload, byte, bits, block, decode);
    }
  }
}

}  // namespace gsst::tile_integer
