#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_2_hash_entries.cuh"

// The chunk is transposed: word w of all rows lie side by side, each row in a bank of its own. Lanes read and
// write different banks, wherever in their rows they are.
namespace {

// 22 warps find shared memory beside the tables of step 4. They leave a thread 80 registers: just enough.
template <std::uint32_t RowBytes, unsigned MostWarps = 22>
class TransposedRows {
public:
  static constexpr std::uint32_t row_bytes = RowBytes;
  static constexpr unsigned most_warps = MostWarps;
  static constexpr std::uint32_t column_words = row_bytes / 4 + lookahead_words;
  static constexpr std::uint32_t shared_bytes = 32 * column_words * 4;

  // `shared`: shared_bytes bytes of the warp.
  __device__ explicit TransposedRows(std::uint8_t* shared)
      : words_(reinterpret_cast<std::uint32_t*>(shared)), own_(words_ + threadIdx.x % 32) {}

  // As RowsInOrder's.
  __device__ void clear() const {
    // The chunk before may still be read.
    __syncwarp();
    for (std::uint32_t word = 0; word < column_words; ++word) *line(own_, word) = 0;
  }

  __device__ std::uint32_t load(const InputCut& cut, const Cursor& cursor) const {
    __syncwarp();
    const std::uint32_t first = load_rows<row_bytes>(cut, cursor, [&](std::uint32_t row, std::uint32_t unit) {
      std::uint32_t* const square = line(words_, unit / units_of_line * 32);
      return reinterpret_cast<Unit*>(line(square, row)) + (unit ^ row) % units_of_line;
    });
    __syncwarp();
#pragma unroll 1
    for (std::uint32_t word = 0; word < row_bytes / 4; word += 32) transpose(line(words_, word));
    return first;
  }

  static constexpr std::uint32_t word_stride = 32;
  __device__ const std::uint32_t* input(std::uint32_t at) const {
    return line(own_, computed_here(at / 32));
  }

private:
  static constexpr std::uint32_t units_of_line = 32 * 4 / unit_bytes;

  // The line of 32 words, one of each row, that is `number` lines behind `word`.
  template <typename Word>
  __device__ static Word* line(Word* word, std::uint32_t number) {
    return word + std::size_t{number} * 32;
  }

  // Transposes a square, 32 lines, in place: all its words go through registers. Unit u of row r stands at
  // place u ^ r: eight lanes that read the same unit of their rows read from all banks. Each lane writes to
  // its column, a bank of its own.
  __device__ static void transpose(std::uint32_t* square) {
    const std::uint32_t lane = computed_here(threadIdx.x % 32);
    const auto* const row = reinterpret_cast<const Unit*>(line(square, lane));
    Unit units[units_of_line];
#pragma unroll
    for (std::uint32_t unit = 0; unit < units_of_line; ++unit) {
      units[unit] = row[(unit ^ lane) % units_of_line];
    }
    __syncwarp();
    std::uint32_t* const column = square + lane;
#pragma unroll
    for (std::uint32_t word = 0; word < 32; ++word) {
      *line(column, word) = units[word / 4].words[word % 4];
    }
  }

  std::uint32_t* words_;
  std::uint32_t* own_;
};

}  // namespace
