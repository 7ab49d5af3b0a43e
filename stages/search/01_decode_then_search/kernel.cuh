#pragma once

#include <cstdint>

#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

// Bytes of a piece of text, which a lane loads at once.
constexpr std::uint32_t text_piece_bytes = 16;
// Pieces that a lane has under way, a thread block's next to each other.
constexpr std::uint32_t pieces_ahead = 4;

// 16 bytes of the text.
struct alignas(16) TextPiece {
  std::uint32_t words[4];
};

// Piece `piece` of the text; bytes after its end are 0.
__device__ __forceinline__ TextPiece load_piece(const std::uint8_t* text, std::uint64_t text_bytes,
                                                std::uint64_t piece) {
  const std::uint64_t begin = piece * text_piece_bytes;
  if (begin + text_piece_bytes <= text_bytes) return *reinterpret_cast<const TextPiece*>(text + begin);
  TextPiece loaded{};
  for (std::uint32_t i = 0; begin + i < text_bytes; ++i) {
    loaded.words[i / 4] |= std::uint32_t{text[begin + i]} << (8 * (i % 4));
  }
  return loaded;
}

// Whether the pattern is at `begin` of the text.
__device__ __forceinline__ bool is_match(const SearchOnDevice& search, const std::uint8_t* text,
                                         std::uint64_t text_bytes, std::uint64_t begin) {
  const std::uint32_t bytes = search.pattern->bytes;
  if (begin >= text_bytes || text_bytes - begin < bytes) return false;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    if (text[begin + i] != search.pattern_bytes[i]) return false;
  }
  return true;
}

// Finds the pattern in the decoded text, which is at a multiple of 16. A lane compares the window, up to four
// bytes, with the four at each place of its piece, and the pattern where they are equal. The grid's threads
// go through the text side by side.
__global__ void __launch_bounds__(512)
    search_text(SearchOnDevice search, const std::uint8_t* text, std::uint64_t text_bytes) {
  const std::uint32_t lane = threadIdx.x % 32;
  const Pattern& pattern = *search.pattern;
  std::uint32_t window = 0;
  std::uint32_t mask = 0;
  // The other way round than the automaton has it: the text's first byte is in the lowest bits.
  for (std::uint32_t i = 0; i < pattern.window_bytes; ++i) {
    window = window << 8 | (static_cast<std::uint32_t>(pattern.window >> (8 * i)) & 0xff);
    mask = mask << 8 | 0xff;
  }
  const std::uint32_t window_begin = pattern.window_end - pattern.window_bytes;
  LaneMatches matches(search.answer);
  const std::uint64_t pieces = (text_bytes + text_piece_bytes - 1) / text_piece_bytes;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x * pieces_ahead;
  // All lanes of a warp go through the loop together.
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x * pieces_ahead + threadIdx.x - lane;
       first < pieces; first += stride) {
    TextPiece loaded[pieces_ahead];
#pragma unroll
    for (std::uint32_t i = 0; i < pieces_ahead; ++i) {
      loaded[i] = load_piece(text, text_bytes, first + lane + std::uint64_t{i} * blockDim.x);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < pieces_ahead; ++i) {
      const std::uint64_t piece = first + lane + std::uint64_t{i} * blockDim.x;
      std::uint32_t after = __shfl_down_sync(all_lanes, loaded[i].words[0], 1u);
      if (lane == 31) after = load_piece(text, text_bytes, piece + 1).words[0];
      std::uint32_t found = 0;
#pragma unroll
      for (std::uint32_t place = 0; place < text_piece_bytes; ++place) {
        const std::uint32_t low = loaded[i].words[place / 4];
        const std::uint32_t high = place / 4 == 3 ? after : loaded[i].words[place / 4 + 1];
        if ((__funnelshift_r(low, high, 8 * (place % 4)) & mask) == window) found |= 1u << place;
      }
      if (__ballot_sync(all_lanes, found != 0) == 0) continue;
      for (std::uint32_t place = 0; found >> place != 0; ++place) {
        const std::uint64_t begin = piece * text_piece_bytes + place - window_begin;
        if ((found >> place & 1) != 0 && is_match(search, text, text_bytes, begin)) matches.add(begin);
      }
      __syncwarp();
      matches.write_waiting(lane);
    }
  }
  matches.write_count(lane);
}

}  // namespace
}  // namespace gsst::search::kernels
