#pragma once

#include <cstdint>

namespace gsst::codag {

/// Some sections of a chunk: those that begin in a range of piece_bytes bytes of its stream.
struct MemberPiece {
  /// Of the stream: where the first section begins, and where the last one ends.
  std::uint64_t begin_bit;
  std::uint64_t end_bit;
  /// Of the output: the piece's first byte in its chunk, and its bytes.
  std::uint32_t place;
  std::uint32_t bytes;
  /// Of a piece that is decoded by a warp of its own: its place in the planes of its batch.
  std::uint64_t plane_offset;
  /// Whether its sections have no mistake, as far as one sees without the output before them.
  bool is_right;
  /// Whether it has the chunk's last section.
  bool is_last;
  /// Whether a warp of its own decodes it.
  bool is_used;
  /// Whether its begin was found in its range, not told by the piece before.
  bool is_found;
};

}  // namespace gsst::codag
