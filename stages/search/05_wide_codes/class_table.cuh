#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/shift_words.cuh"

namespace gsst::search::kernels {
namespace {

// The words of codes of 12 bits by two looks. A code's class is a byte, of which each lane has its own copy
// in its own bank. The few words that differ are next to each other, the first 32 in a bank each.
//
// There are at most 47. A symbol that is inside a window of five bytes is one of 15 parts of it. Of any other
// symbol two things make its word: the longest end of the window that it begins with, of 6, and the longest
// beginning of the window that it ends with, of 5. One that has the window, and a code that puts out nothing
// or a half of a byte, lead to the last state from all.
class ClassTable {
public:
  static constexpr std::uint32_t most_words = 64;
  static constexpr std::size_t bytes = most_words * word_bytes + (std::size_t{32} << 12);

  __device__ explicit ClassTable(std::uint8_t* table) : table_(table) {}

  // The thread block does, before it puts words in.
  __device__ __forceinline__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i < most_words; i += blockDim.x) words()[i] = 0;
    __syncthreads();
  }

  // A thread puts the word of `code`, not 0, in for all lanes. Lanes write to different banks.
  __device__ __forceinline__ void put(std::uint32_t code, std::uint32_t word, std::uint32_t lane) const {
    const auto code_class = static_cast<std::uint8_t>(place_of_word(word) * word_bytes);
    for (std::uint32_t copy = 0; copy < 32; ++copy) {
      classes()[(code >> 11) << 16 | (code & 0xff) << 8 | (code >> 10 & 1) << 7 | (lane + copy) % 32 << 2 |
                (code >> 8 & 3)] = code_class;
    }
  }

  // What word() needs of the lane.
  __device__ __forceinline__ static std::uint32_t lane_part(std::uint32_t lane) {
    return lane * word_bytes * 0x01010101;
  }

  // Of code `index` of a lane's. The code is in four parts: its low byte is one of the offset, bits 8 and 9
  // choose the byte in the lane's word, bits 10 and 11 are around what the lane and the low byte take. These
  // are made for four codes at once.
  template <std::uint32_t CodesPerLane>
  __device__ __forceinline__ std::uint32_t word(const LaneCodes<12, CodesPerLane>& codes, std::uint32_t index,
                                                std::uint32_t lane_part) const {
    const std::uint32_t rest = codes.rest(index / 8);
    const std::uint32_t nibbles = index % 2 == 0 ? rest : rest >> 4;
    const std::uint32_t low_bytes = (nibbles & 0x03030303) | lane_part | (nibbles << 5 & 0x80808080);
    const std::uint32_t high_bytes = nibbles >> 3 & 0x01010101;
    const std::uint32_t place = index % 8 / 2;
    const std::uint32_t low = permute_bytes(codes.bytes(index / 4), low_bytes, (4 + place) | index % 4 << 4);
    // The highest byte is the sign of the one below, which is 0 or 1.
    const std::uint32_t offset =
        permute_bytes(low, high_bytes, 0x0010 | (4 + place) << 8 | (12 + place) << 12);
    return *reinterpret_cast<const std::uint32_t*>(table_ + classes()[offset]);
  }

private:
  __device__ __forceinline__ std::uint32_t* words() const { return reinterpret_cast<std::uint32_t*>(table_); }
  __device__ __forceinline__ std::uint8_t* classes() const { return table_ + most_words * word_bytes; }

  // Where the word is, or is put now: of the first 32 places while one of them is free.
  __device__ __forceinline__ std::uint32_t place_of_word(std::uint32_t word) const {
    const std::uint32_t first = word * 0x9e3779b1 >> 27;
    std::uint32_t place = 0;
    for (std::uint32_t i = 0; i < most_words; ++i) {
      place = (first + i) % 32 + i / 32 * 32;
      const std::uint32_t there = atomicCAS(words() + place, 0u, word);
      if (there == 0 || there == word) break;
    }
    return place;
  }

  std::uint8_t* table_;
};

}  // namespace
}  // namespace gsst::search::kernels
