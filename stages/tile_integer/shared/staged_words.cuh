#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"

// Words of packed blocks in shared memory.
namespace gsst::tile_integer {
namespace {

class StagedWords {
public:
  // `first` is the number in the payload of the first word of `words`.
  __device__ StagedWords(const std::uint32_t* words, std::uint32_t first) : words_(words), first_(first) {}

  // By its number in the payload.
  __device__ std::uint32_t word(std::uint32_t number) const { return words_[number - first_]; }

private:
  const std::uint32_t* words_;
  std::uint32_t first_;
};

// All threads of the block: copies the payload's words from `first` to before `end` to `words`, neighbours by
// neighbours. The barrier is the caller's.
__device__ inline StagedWords stage_words(const ForPayload& payload, std::uint32_t first, std::uint32_t end,
                                          std::uint32_t* words) {
  for (std::uint32_t number = first + threadIdx.x; number < end; number += blockDim.x) {
    words[number - first] = payload.word(number);
  }
  return {words, first};
}

// On the host: bytes of the largest packed block that the frame may hold.
inline std::size_t most_staged_bytes(const stage::FrameOnDevice& frame) {
  const format::tile_integer::TypeShape largest = extreme_shape(frame, false);
  return format::tile_integer::word_bytes *
         std::size_t{largest.words_besides_miniblocks() +
                     format::tile_integer::miniblocks_of_packed_block * largest.max_width()};
}

}  // namespace
}  // namespace gsst::tile_integer
