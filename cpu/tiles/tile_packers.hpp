#pragma once

#include <cstddef>
#include <cstdint>

/// Codes stored in tiles by each instruction set. All store the same bytes.
namespace gsst::cpu::tiles {

/// Codes of whole tiles, as a parser puts them: a byte each with 8 bits, else two.
struct CodesToPack {
  const std::uint8_t* codes;
  std::size_t tiles;
  /// Codes of a tile: a multiple of 64.
  std::uint32_t tile_codes;
  /// 8, 10 or 12.
  std::uint32_t code_bits;
  /// Bytes of the symbols of each class: 16 of them.
  const std::uint8_t* class_lengths;
};

/// Stores the tiles consecutively at `tiles` and returns the bytes that the codes stand for. Host memory, at
/// any address.
using PackTiles = std::size_t(const CodesToPack& codes, std::uint8_t* tiles);

/// In C++ alone.
PackTiles pack_tiles_portable;
#if defined(__x86_64__)
PackTiles pack_tiles_avx2;
#endif

}  // namespace gsst::cpu::tiles
