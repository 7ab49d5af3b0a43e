#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/gsst/tiles_header.hpp"

/// A search as its kernels see it. Pointers are to the executor's memory.
namespace gsst::search::kernels {

/// Longest window that codes are searched for: a word of 32 bits has places for its states.
inline constexpr std::uint32_t most_window_bytes = 5;
/// Longest pattern of which a word of 64 bits has all places, next to those after it and 12 bits.
inline constexpr std::uint32_t most_exact_bytes = 45;
/// Bytes of a symbol that may be after a match which ends in it.
inline constexpr std::uint32_t most_bytes_after = 7;
/// Longest pattern.
inline constexpr std::uint32_t most_pattern_bytes = 4096;
/// Most codes in a row that put nothing out and that a search reads over; a writer puts one. With any number
/// of them a frame could be made that takes hours.
inline constexpr std::uint32_t most_codes_without_output = 64;
/// The status of a strip with more; no format::BlockStatus.
inline constexpr std::uint32_t codes_without_output_status = 254;
/// Tiles that a warp takes at once.
inline constexpr std::uint32_t piece_tiles = 16;

/// The pattern, and its window: the part that is looked for first.
struct Pattern {
  std::uint32_t bytes;
  /// From the pattern's first byte to the one after the window.
  std::uint32_t window_end;
  std::uint32_t window_bytes;
  /// The window's bytes, the last one in the lowest 8 bits, and what of such a number counts.
  std::uint64_t window;
  std::uint64_t window_mask;
  /// The automaton of Knuth, Morris and Pratt for the window: the state after a byte, by the state before.
  /// State s says that the last s bytes are the window's first ones. window_bytes: the window has been seen.
  std::uint8_t next[most_window_bytes][256];
  /// By byte: the places of the pattern that have it, and most_bytes_after more. Of a pattern of at most
  /// most_exact_bytes.
  std::uint64_t places[256];
};

/// A block of the frame as a search reads it. Offsets are from the frame's first byte.
struct SearchedBlock {
  std::uint64_t payload;
  /// The symbols of the block's table, in itself or another block.
  std::uint64_t symbols;
  /// By class, 4 bits each.
  std::uint64_t class_lengths;
  /// Where the block's text starts in that of the frame.
  std::uint64_t text_begin;
  std::uint32_t text_bytes;
  std::uint32_t payload_bytes;
  /// In a raw block each byte counts as a code.
  std::uint32_t code_count;
  std::uint32_t tiles_per_strip;
  /// The block that holds the table.
  std::uint32_t holder;
  std::uint32_t first_stored_code;
  /// 0 in a raw block.
  std::uint32_t code_bits;
  std::uint32_t codes_per_lane;

  GSST_HOST_DEVICE bool is_raw() const { return code_bits == 0; }
  GSST_HOST_DEVICE format::TileShape shape() const {
    return {.code_bits = code_bits, .codes_per_lane = codes_per_lane};
  }
  /// Whether codes 0 to 31 are halves of bytes.
  GSST_HOST_DEVICE bool has_halves() const { return code_bits == 8 && first_stored_code != 0; }
  /// Of a block that is not raw.
  GSST_HOST_DEVICE std::uint32_t tile_count() const { return (code_count - 1) / shape().codes() + 1; }
  GSST_HOST_DEVICE std::uint64_t strip_codes() const {
    return std::uint64_t{tiles_per_strip} * shape().codes();
  }
  GSST_HOST_DEVICE std::uint32_t strip_of(std::uint32_t code) const {
    return static_cast<std::uint32_t>(code / strip_codes());
  }
  GSST_HOST_DEVICE std::uint64_t tile(std::uint32_t number) const {
    return payload + format::tiles_header_bytes + std::uint64_t{number} * shape().bytes();
  }
};

/// Up to piece_tiles tiles of a block, which a warp searches in order.
struct Piece {
  /// Where the first of them is in the frame.
  std::uint64_t offset;
  std::uint32_t block;
  std::uint32_t first_tile;
  /// After the last of them.
  std::uint32_t end_tile;
};

/// Consecutive pieces of blocks with the same table and shape.
struct Segment {
  std::uint32_t first_piece;
  std::uint32_t piece_count;
  /// The block that holds the table.
  std::uint32_t holder;
  /// format::tile_shape_bit().
  std::uint32_t shape_bit;
};

/// Where matches go.
struct Answer {
  /// All matches.
  unsigned long long* count;
  /// Where each begins, in no order; those beyond `capacity` are left out. Nullptr: nobody wants them.
  unsigned long long* positions;
  std::uint64_t capacity;
};

struct SearchOnDevice {
  const std::uint8_t* frame;
  const Pattern* pattern;
  /// The pattern's bytes.
  const std::uint8_t* pattern_bytes;
  const SearchedBlock* blocks;
  std::uint32_t block_count;
  const std::uint32_t* segment_count;
  const Segment* segments;
  const Piece* pieces;
  /// For each segment: its next piece that nobody has taken.
  unsigned* next_pieces;
  Answer answer;
  /// A word for each block.
  std::uint32_t* statuses;
};

}  // namespace gsst::search::kernels
