#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/shift_words.cuh"

// Which row of the automaton's table a code has. Each lane has its own copy, in its own bank.
namespace gsst::search::kernels {
namespace {

// Rows of the table, each with all states twice: with the bit that says that a match has ended, and without.
// So a step's result is the offset in the next row, whatever it says. Four bytes more than that take
// neighbouring rows to different banks.
constexpr std::uint32_t row_bytes = 132;
constexpr std::uint32_t most_rows = 256;

// Codes of 8 and 10 bits: a word has the offset of the row.
template <std::uint32_t CodeBits>
class RowNumbers {
public:
  static constexpr std::size_t bytes = WordTable<CodeBits>::bytes;

  __device__ explicit RowNumbers(std::uint8_t* table) : words_(table) {}

  // A thread puts the row of `code` in for all lanes.
  __device__ __forceinline__ void put(std::uint32_t code, std::uint32_t row, std::uint32_t lane) const {
    words_.put(code, row * row_bytes, lane);
  }

  // What row_offset() needs of the lane.
  __device__ __forceinline__ static std::uint32_t lane_part(std::uint32_t lane) {
    return WordTable<CodeBits>::lane_part(lane);
  }

  // From the first row to that of code `index` of a lane's, in bytes.
  template <std::uint32_t Codes>
  __device__ __forceinline__ std::uint32_t row_offset(const LaneCodes<CodeBits, Codes>& codes,
                                                      std::uint32_t index, std::uint32_t lane_part) const {
    return words_.word(codes, index, lane_part);
  }

private:
  WordTable<CodeBits> words_;
};

// Codes of 12 bits: a byte has the row, at the place that a class has in stage 05.
template <>
class RowNumbers<12> {
public:
  static constexpr std::size_t bytes = std::size_t{32} << 12;

  __device__ explicit RowNumbers(std::uint8_t* table) : rows_(table) {}

  __device__ __forceinline__ void put(std::uint32_t code, std::uint32_t row, std::uint32_t lane) const {
    for (std::uint32_t copy = 0; copy < 32; ++copy) {
      rows_[(code >> 11) << 16 | (code & 0xff) << 8 | (code >> 10 & 1) << 7 | (lane + copy) % 32 << 2 |
            (code >> 8 & 3)] = static_cast<std::uint8_t>(row);
    }
  }

  __device__ __forceinline__ static std::uint32_t lane_part(std::uint32_t lane) {
    return lane * word_bytes * 0x01010101;
  }

  template <std::uint32_t Codes>
  __device__ __forceinline__ std::uint32_t row_offset(const LaneCodes<12, Codes>& codes, std::uint32_t index,
                                                      std::uint32_t lane_part) const {
    const std::uint32_t rest = codes.rest(index / 8);
    const std::uint32_t nibbles = index % 2 == 0 ? rest : rest >> 4;
    const std::uint32_t low_bytes = (nibbles & 0x03030303) | lane_part | (nibbles << 5 & 0x80808080);
    const std::uint32_t high_bytes = nibbles >> 3 & 0x01010101;
    const std::uint32_t place = index % 8 / 2;
    const std::uint32_t low = permute_bytes(codes.bytes(index / 4), low_bytes, (4 + place) | index % 4 << 4);
    // The highest byte is the sign of the one below, which is 0 or 1.
    return rows_[permute_bytes(low, high_bytes, 0x0010 | (4 + place) << 8 | (12 + place) << 12)] * row_bytes;
  }

private:
  std::uint8_t* rows_;
};

}  // namespace
}  // namespace gsst::search::kernels
