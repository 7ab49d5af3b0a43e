#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/shift_words.cuh"

namespace gsst::search::kernels {
namespace {

// The words of a CountedPattern in shared memory, beside those of a WordTable.
//
// A load of 8 bytes by a warp is done for each half of its lanes, whose words fill all banks. Of 8 bits each
// lane of a half has its own copy, in its own two banks; they are in what a WordTable leaves between the
// words of a code and those of the next. Of 10 and 12 bits there is one copy, behind the other tables, in
// which lanes meet.
template <std::uint32_t CodeBits>
class CountingWords {
  static constexpr bool has_copies = CodeBits == 8;
  static constexpr std::uint32_t copies = has_copies ? 16 : 1;
  static constexpr std::uint32_t word_bytes_each = sizeof(std::uint64_t);
  static constexpr std::uint32_t stride = has_copies ? 256 : word_bytes_each;
  // What the words of a code take in a WordTable of 8 bits.
  static constexpr std::uint32_t first_words_bytes = 32 * word_bytes;
  static_assert(!has_copies || WordTable<CodeBits>::bytes == stride << CodeBits);

public:
  // Of memory for them alone.
  static constexpr std::size_t bytes = has_copies ? 0 : std::size_t{stride} << CodeBits;

  // `words` is where the WordTable is, `own` has these bytes.
  __device__ CountingWords(std::uint8_t* words, std::uint8_t* own)
      : table_(has_copies ? words + first_words_bytes : own) {}

  // A thread puts the word of `code` in for all lanes.
  __device__ __forceinline__ void put(std::uint32_t code, std::uint64_t word, std::uint32_t lane) const {
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      *word_at(code * stride + (lane + copy) % copies * word_bytes_each) = word;
    }
  }

  // What word() needs of the lane.
  __device__ __forceinline__ static std::uint32_t lane_part(std::uint32_t lane) {
    return lane % copies * word_bytes_each;
  }

  // Of code `index` of a lane's.
  template <std::uint32_t Codes>
  __device__ __forceinline__ std::uint64_t word(const LaneCodes<CodeBits, Codes>& codes, std::uint32_t index,
                                                std::uint32_t lane_part) const {
    if constexpr (has_copies) {
      // code << 8 | lane << 3
      return *word_at(permute_bytes(codes.bytes(index / 4), lane_part, 0x5504 | index % 4 << 4));
    } else {
      return *word_at(codes.code(index) * word_bytes_each);
    }
  }

private:
  __device__ __forceinline__ std::uint64_t* word_at(std::uint32_t offset) const {
    return reinterpret_cast<std::uint64_t*>(table_ + offset);
  }

  std::uint8_t* table_;
};

}  // namespace
}  // namespace gsst::search::kernels
