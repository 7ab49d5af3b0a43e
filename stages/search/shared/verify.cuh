#pragma once

#include <cstdint>

#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// Looks for the whole pattern where its window may end. A match belongs to the code that puts out the last
// byte of its window, so that each is found once.
namespace gsst::search::kernels {
namespace {

// Whether the pattern is around a window whose last byte `after` has just read.
__device__ inline bool is_match_around(const SearchOnDevice& search, const TextAfter& after) {
  const Pattern& pattern = *search.pattern;
  const std::uint32_t window_begin = pattern.window_end - pattern.window_bytes;
  if (window_begin != 0) {
    TextBefore before(search, after.block(), after.code());
    for (std::uint32_t i = 0; i < after.left() + pattern.window_bytes; ++i) before.next();
    for (std::uint32_t i = window_begin; i > 0; --i) {
      if (before.next() != search.pattern_bytes[i - 1]) return false;
    }
  }
  TextAfter rest = after;
  for (std::uint32_t i = pattern.window_end; i < pattern.bytes; ++i) {
    if (rest.next() != search.pattern_bytes[i]) return false;
  }
  return true;
}

// The last bytes of a text, and whether they are the window.
class WindowBytes {
public:
  __device__ explicit WindowBytes(const Pattern& pattern) : pattern_(pattern) {}

  // Bytes of the text before the first one that add() gets, as many as matter.
  __device__ void begin(TextBefore before) {
    for (std::uint32_t i = 0; i + 1 < pattern_.window_bytes; ++i) {
      const std::int32_t byte = before.next();
      if (byte == no_byte) return;
      bytes_ |= static_cast<std::uint64_t>(byte) << (8 * i);
      ++known_;
    }
  }
  __device__ __forceinline__ void add(std::int32_t byte) {
    bytes_ = bytes_ << 8 | static_cast<std::uint64_t>(byte);
    ++known_;
  }
  __device__ __forceinline__ bool is_window() const {
    return (bytes_ & pattern_.window_mask) == pattern_.window && known_ >= pattern_.window_bytes;
  }

private:
  const Pattern& pattern_;
  std::uint64_t bytes_ = 0;
  std::uint32_t known_ = 0;
};

// Finds the matches that belong to codes `begin` to before `end` of block `block`. `begin_offset` is where in
// the block's text the output of code `begin` starts; it matters for positions only.
__device__ GSST_RARE_CALL void find_matches(const SearchOnDevice& search, std::uint32_t block,
                                            std::uint32_t begin, std::uint32_t end,
                                            std::uint32_t begin_offset, LaneMatches& matches) {
  const SearchedBlock& searched = search.blocks[block];
  if (end > searched.code_count) end = searched.code_count;
  if (begin >= end) return;
  WindowBytes window(*search.pattern);
  window.begin(TextBefore(search, block, begin));
  TextAfter after(search, block, begin);
  for (std::uint64_t read = 1;; ++read) {
    const std::int32_t byte = after.next();
    if (byte == no_byte || after.block() != block || after.code() > end) return;
    window.add(byte);
    if (!window.is_window() || !is_match_around(search, after)) continue;
    matches.add(searched.text_begin + begin_offset + read - search.pattern->window_end);
  }
}

}  // namespace
}  // namespace gsst::search::kernels
