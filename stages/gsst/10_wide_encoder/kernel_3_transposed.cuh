#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_2_hash_entries.cuh"

// The chunk is transposed: word w of all rows lie side by side, each row in a bank of its own. Lanes read and
// write different banks, wherever in their rows they are.
namespace {

template <std::uint32_t RowBytes>
class TransposedRows {
public:
  static constexpr std::uint32_t row_bytes = RowBytes;
  // Five for each of a multiprocessor's four schedulers: with six there are 80 registers a thread instead of
  // 96, and what does not fit goes to memory and back.
  static constexpr unsigned most_warps = 20;
  static constexpr std::uint32_t column_words = slack_words + row_bytes / 4 + lookahead_words;
  static constexpr std::uint32_t shared_bytes = 32 * column_words * 4;

  // `shared`: shared_bytes bytes of the warp.
  __device__ explicit TransposedRows(std::uint8_t* shared)
      : words_(reinterpret_cast<std::uint32_t*>(shared)),
        own_(words_ + threadIdx.x % 32),
        own_input_(line(own_, slack_words)) {}

  // As RowsInOrder's.
  __device__ void clear() const {
    // The chunk before may still be read.
    __syncwarp();
    for (std::uint32_t word = 0; word < column_words; ++word) *line(own_, word) = 0;
  }

  __device__ std::uint32_t load(const InputCut& cut, const Cursor& cursor) const {
    __syncwarp();
    std::uint32_t* const rows = line(words_, slack_words);
    const std::uint32_t first = load_rows<row_bytes>(cut, cursor, [&](std::uint32_t row, std::uint32_t unit) {
      std::uint32_t* const square = line(rows, unit / units_of_line * 32);
      return reinterpret_cast<Unit*>(line(square, row)) + (unit ^ row) % units_of_line;
    });
    __syncwarp();
#pragma unroll 1
    for (std::uint32_t word = 0; word < row_bytes / 4; word += 32) transpose(line(rows, word));
    return first;
  }

  static constexpr std::uint32_t word_stride = 32;
  __device__ const std::uint32_t* input(std::uint32_t at) const {
    return line(own_input_, at / 32);
  }
  __device__ void set_code_word(std::uint32_t word, std::uint32_t codes) const {
    *line(own_, word) = codes;
  }

  // The rows' codes are put one behind the other in what is free of the chunk, part by part.
  __device__ void store_codes(std::uint32_t codes, std::uint32_t before, std::uint32_t total,
                              std::uint8_t* to) const {
    std::uint32_t most = codes;
    for (int mask = 16; mask > 0; mask /= 2) {
      const std::uint32_t other = __shfl_xor_sync(all_lanes, most, mask);
      if (other > most) most = other;
    }
    // Packing reads the word behind a row's last one.
    const std::uint32_t used_words = (most + 3) / 4 + 1;
    std::uint32_t* const packed = line(words_, used_words);
    const std::uint32_t part_bytes = (column_words - used_words) * 32 * 4;
    for (std::uint32_t begin = 0; begin < total; begin += part_bytes) {
      // Before it is overwritten, all have read it.
      __syncwarp();
      const std::uint32_t end = begin + part_bytes < total ? begin + part_bytes : total;
      pack(codes, before, begin, end, packed);
      __syncwarp();
      for (std::uint32_t unit = threadIdx.x % 32; unit * unit_bytes < end - begin; unit += 32) {
        reinterpret_cast<Unit*>(to + begin)[unit] = reinterpret_cast<const Unit*>(packed)[unit];
      }
    }
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

  __device__ std::uint8_t code(std::uint32_t number) const {
    return static_cast<std::uint8_t>(*line(own_, number / 4) >> (number % 4 * 8));
  }

  // Bytes `begin` to `end` of all lanes' codes go to `packed`. Words that two lanes share are put together
  // from bytes.
  __device__ void pack(std::uint32_t codes, std::uint32_t before, std::uint32_t begin, std::uint32_t end,
                       std::uint32_t* packed) const {
    const std::uint32_t own_end = before + codes;
    const std::uint32_t whole_words = (before + 3) / 4;
    const std::uint32_t first = before > begin ? before : begin;
    const std::uint32_t last = own_end < end ? own_end : end;
    const std::uint32_t first_word = (first + 3) / 4;
    const std::uint32_t last_word = last / 4;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(packed) - begin;
    const std::uint32_t head_end = first_word * 4 < last ? first_word * 4 : last;
    for (std::uint32_t byte = first; byte < head_end; ++byte) bytes[byte] = code(byte - before);
    if (first_word < last_word) {
      const std::uint32_t shift = (whole_words * 4 - before) * 8;
      const std::uint32_t* from = line(own_, first_word - whole_words);
      std::uint32_t* word_to = packed + (first_word - begin / 4);
      std::uint32_t word = *from;
      for (std::uint32_t word_number = first_word; word_number < last_word; ++word_number) {
        from += 32;
        const std::uint32_t next = *from;
        *word_to++ = word_at(word, next, shift);
        word = next;
      }
    }
    const std::uint32_t tail = last_word * 4 > head_end ? last_word * 4 : head_end;
    for (std::uint32_t byte = tail; byte < last; ++byte) bytes[byte] = code(byte - before);
  }

  std::uint32_t* words_;
  std::uint32_t* own_;
  const std::uint32_t* own_input_;
};

}  // namespace
