#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_3_match_table.cuh"

// A chunk of each tile at a time is brought into shared memory, word by word and by the whole warp, and three
// registers slide over it (paper 5.3, Fig 4).
namespace {

constexpr std::uint32_t all_lanes = 0xffffffff;
// Words of a tile in a chunk.
constexpr std::uint32_t chunk_words = 16;

// A tile as aligned words: the first may start before the tile, the last end behind it.
struct TileWords {
  // From the input's first byte to the first word. Negative if that word starts before the input.
  std::int64_t offset;
  std::uint32_t count;
};

__device__ inline TileWords words_of(const InputCut& cut, const InputPiece& input) {
  const auto unaligned = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(input.bytes) % 4);
  return {.offset = input.bytes - cut.input - unaligned,
          .count = input.size == 0 ? 0 : (unaligned + input.size + 3) / 4};
}

// The word at `offset` bytes from the input's first byte. It is aligned and holds at least one byte of the
// input; those outside of it are 0.
__device__ inline std::uint32_t load_input_word(const InputCut& cut, std::int64_t offset) {
  const auto end = static_cast<std::int64_t>(cut.input_bytes);
  if (offset >= 0 && offset + 4 <= end) return *reinterpret_cast<const std::uint32_t*>(cut.input + offset);
  std::uint32_t word = 0;
  for (int byte = 0; byte < 4; ++byte) {
    if (offset + byte < 0 || offset + byte >= end) continue;
    word |= std::uint32_t{cut.input[offset + byte]} << (8 * byte);
  }
  return word;
}

// The threads' chunks: a column of words each, so that no two lanes read the same bank. A row has a word more
// than there are threads, so that writing a column meets different banks too.
class Chunk {
public:
  GSST_HOST_DEVICE static std::uint32_t shared_bytes(unsigned threads) {
    return chunk_words * (threads + 1) * 4;
  }

  __device__ explicit Chunk(std::uint8_t* shared) : words_(reinterpret_cast<std::uint32_t*>(shared)) {}

  // Word `word` of the thread's chunk.
  __device__ std::uint32_t word(std::uint32_t word) const {
    return words_[word * (blockDim.x + 1) + threadIdx.x];
  }

  // Fills the chunks of the warp's tiles from their word `first_word` on. Lanes next to each other read words
  // next to each other. All lanes call it.
  __device__ void load(const InputCut& cut, const TileWords& own, std::uint32_t first_word) {
    const std::uint32_t lane = threadIdx.x % 32;
    // The chunks before have been read.
    __syncwarp();
    for (std::uint32_t i = lane; i < 32 * chunk_words; i += 32) {
      const std::uint32_t tile = i / chunk_words;
      const std::int64_t offset = __shfl_sync(all_lanes, own.offset, static_cast<int>(tile));
      const std::uint32_t count = __shfl_sync(all_lanes, own.count, static_cast<int>(tile));
      const std::uint32_t word = first_word + i % chunk_words;
      words_[i % chunk_words * (blockDim.x + 1) + threadIdx.x - lane + tile] =
          word < count ? load_input_word(cut, offset + std::int64_t{word} * 4) : 0;
    }
    __syncwarp();
  }

private:
  std::uint32_t* words_;
};

// The words that a tile of up to `bytes` bytes needs at any address: two more than it has are looked at.
GSST_HOST_DEVICE constexpr std::uint32_t most_words(std::uint32_t bytes) {
  return (bytes + 6) / 4 + 2;
}

// All lanes: the words that the warp goes through; none if all its tiles are empty.
__device__ inline std::uint32_t words_of_warp(const InputCut& cut, const TileWords& own) {
  return __any_sync(all_lanes, own.count != 0) != 0 ? most_words(cut.split_bytes()) : 0;
}

// A view of the next 8 bytes of a tile.
class Window {
public:
  // The first three words are missing.
  __device__ explicit Window(const InputPiece& input)
      : offset_(12 + static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(input.bytes) % 4)) {}

  // Shifts in words that the last match has used up, as far as the chunk that starts with word `first_word`
  // has them. Returns whether the view is complete.
  __device__ bool slide(const Chunk& chunk, std::uint32_t first_word) {
    while (offset_ >= 4 && next_word_ < first_word + chunk_words) {
      first_ = second_;
      second_ = third_;
      third_ = chunk.word(next_word_++ - first_word);
      offset_ -= 4;
    }
    return offset_ < 4;
  }

  __device__ std::uint32_t low() const { return join(first_, second_); }
  __device__ std::uint32_t high() const { return join(second_, third_); }
  __device__ void advance(std::uint32_t bytes) { offset_ += bytes; }

private:
  __device__ std::uint32_t join(std::uint32_t word, std::uint32_t next) const {
    return static_cast<std::uint32_t>((word | std::uint64_t{next} << 32) >> (offset_ * 8));
  }

  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
  std::uint32_t third_ = 0;
  std::uint32_t offset_;
  std::uint32_t next_word_ = 0;
};

namespace sliding_window {

// Shared memory: lookup tables, chunks. Any grid of groups.
template <typename Lookup>
__global__ void encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  const Tile tile = tile_of_thread(job);
  const Lookup lookup(job, tile.block, shared);
  Chunk chunk(shared + job.shape.bytes());
  const TileWords words = words_of(job.parts.cut, tile.input);
  Window window(tile.input);
  std::uint8_t* const codes = job.regions + tile.thread * job.region_bytes;
  std::uint32_t code_bytes = 0;
  std::uint32_t left = tile.input.size;
  const std::uint32_t end_word = words_of_warp(job.parts.cut, words);
  for (std::uint32_t first_word = 0; first_word < end_word; first_word += chunk_words) {
    chunk.load(job.parts.cut, words, first_word);
    while (window.slide(chunk, first_word) && left != 0) {
      const Match match = lookup.find(window.low(), window.high(), left < 8 ? left : 8);
      codes[code_bytes++] = code_of(match);
      if (code_of(match) == gsst::format::escape_code) {
        codes[code_bytes++] = static_cast<std::uint8_t>(window.low());
      }
      window.advance(length_of(match));
      left -= length_of(match);
    }
  }
  set_code_bytes(job, tile, code_bytes);
}

}  // namespace sliding_window
}  // namespace
