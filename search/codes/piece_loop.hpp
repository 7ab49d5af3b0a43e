#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "cpu/tiles/strip_loop.hpp"
#include "search/codes/piece_walkers.hpp"

/// The walk over pieces, inlined where it is used. `Instructions` has
///   unpack<Kind>(bytes, rest, codes)  puts the piece_codes codes whose lowest 8 bits, or highest of 10, are
///   at
///                                     `bytes` and whose other bits are at `rest` into `codes`.
/// It is a type of an unnamed namespace: the linker must not take for one processor what is compiled for
/// another.
namespace gsst::search::codes {

template <typename Instructions, cpu::tiles::CodeKind Kind, std::uint32_t Strips>
class PieceLoop {
public:
  [[gnu::always_inline]] PieceLoop(const ShiftTable& shifts, StripWalk* walks, std::uint32_t piece)
      : words_(shifts.words), seen_(shifts.seen), walks_(walks) {
    // The strips of a block are alike.
    const cpu::tiles::StripCodes& strip = walks[0].strip;
    tile_codes_ = strip.tile_codes;
    tile_bytes_ = strip.tile_bytes;
    const std::uint32_t code = piece * piece_codes;
    tile_ = std::size_t{code / tile_codes_} * tile_bytes_;
    in_tile_ = code % tile_codes_;
    for (std::uint32_t i = 0; i < Strips; ++i) states_[i] = walks[i].state;
  }

  [[gnu::always_inline]] std::uint32_t run(std::uint32_t piece, std::uint32_t end) {
    bool is_seen = false;
    while (piece != end && !is_seen) {
      walk_piece();
      for (std::uint32_t i = 0; i < Strips; ++i) is_seen |= (states_[i] & 63) == seen_;
      ++piece;
      in_tile_ += piece_codes;
      if (in_tile_ == tile_codes_) {
        in_tile_ = 0;
        tile_ += tile_bytes_;
      }
    }
    for (std::uint32_t i = 0; i < Strips; ++i) walks_[i].state = states_[i] & 63;
    return piece;
  }

private:
  static constexpr std::uint32_t rest_bits = Kind == cpu::tiles::CodeKind::bits_12   ? 4
                                             : Kind == cpu::tiles::CodeKind::bits_10 ? 2
                                                                                     : 0;

  [[gnu::always_inline]] void walk_piece() {
    if constexpr (rest_bits == 0) {
      const std::uint8_t* codes[Strips];
      for (std::uint32_t i = 0; i < Strips; ++i) codes[i] = walks_[i].strip.first_tile + tile_ + in_tile_;
      walk_codes(codes);
    } else {
      alignas(64) std::uint16_t codes[Strips][piece_codes];
      for (std::uint32_t i = 0; i < Strips; ++i) {
        const std::uint8_t* const tile = walks_[i].strip.first_tile + tile_;
        Instructions::template unpack<Kind>(
            tile + in_tile_, tile + tile_codes_ + std::size_t{in_tile_ / 8} * rest_bits, codes[i]);
      }
      cpu::tiles::keep_in_memory(codes);
      walk_codes(codes);
    }
  }

  template <typename Codes>
  [[gnu::always_inline]] void walk_codes(const Codes& codes) {
#pragma GCC unroll 32
    for (std::uint32_t code = 0; code < piece_codes; ++code) {
#pragma GCC unroll 2
      for (std::uint32_t i = 0; i < Strips; ++i) states_[i] = words_[codes[i][code]] >> (states_[i] & 63);
    }
  }

  const std::uint64_t* words_;
  std::uint32_t seen_;
  StripWalk* walks_;
  std::uint32_t tile_codes_;
  std::uint32_t tile_bytes_;
  // Bytes before the tile, and codes before the piece in it.
  std::size_t tile_;
  std::uint32_t in_tile_;
  std::uint64_t states_[Strips];
};

template <typename Instructions, cpu::tiles::CodeKind Kind>
std::uint32_t walk_pieces_of(const ShiftTable& shifts, std::span<StripWalk> walks, std::uint32_t piece,
                             std::uint32_t end) {
  if (walks.size() == walked_strips) {
    return PieceLoop<Instructions, Kind, walked_strips>(shifts, walks.data(), piece).run(piece, end);
  }
  return PieceLoop<Instructions, Kind, 1>(shifts, walks.data(), piece).run(piece, end);
}

template <typename Instructions>
std::uint32_t walk_pieces_with(const ShiftTable& shifts, cpu::tiles::CodeKind kind,
                               std::span<StripWalk> walks, std::uint32_t piece, std::uint32_t end) {
  switch (kind) {
    case cpu::tiles::CodeKind::bits_8:
    case cpu::tiles::CodeKind::bits_8_with_halves:
      return walk_pieces_of<Instructions, cpu::tiles::CodeKind::bits_8>(shifts, walks, piece, end);
    case cpu::tiles::CodeKind::bits_10:
      return walk_pieces_of<Instructions, cpu::tiles::CodeKind::bits_10>(shifts, walks, piece, end);
    case cpu::tiles::CodeKind::bits_12:
      break;
  }
  return walk_pieces_of<Instructions, cpu::tiles::CodeKind::bits_12>(shifts, walks, piece, end);
}

/// Instructions::unpack in plain loops, of which a compiler makes vectors.
template <cpu::tiles::CodeKind Kind>
[[gnu::always_inline]] inline void unpack_piece(const std::uint8_t* bytes, const std::uint8_t* rest,
                                                std::uint16_t* codes) {
  if constexpr (Kind == cpu::tiles::CodeKind::bits_12) {
    for (std::size_t pair = 0; pair < piece_codes / 2; ++pair) {
      codes[2 * pair] = static_cast<std::uint16_t>(bytes[2 * pair] | (rest[pair] & 0xfU) << 8);
      codes[2 * pair + 1] =
          static_cast<std::uint16_t>(bytes[2 * pair + 1] | static_cast<unsigned>(rest[pair] >> 4) << 8);
    }
  } else {
    for (std::uint32_t i = 0; i < piece_codes; i += 8) {
      for (std::uint32_t j = 0; j < 8; ++j) {
        const unsigned low = static_cast<unsigned>(rest[i / 4 + j % 2] >> (2 * (j / 2))) & 3U;
        codes[i + j] = static_cast<std::uint16_t>(static_cast<unsigned>(bytes[i + j]) << 2 | low);
      }
    }
  }
}

}  // namespace gsst::search::codes
