#pragma once

#include <cstdint>

#include "common/device/memory_order.hpp"
#include "stages/tile_integer/11_gpu_encoder/encode_tile.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_values.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_warp.cuh"

// From shared memory to the frame.
namespace gsst::tile_integer::encoder {
namespace {

// The payload of a block in the output, at any address, up to `end` words: what a block that turns out to be
// raw has no room for is not written.
class PayloadWriter {
public:
  __device__ PayloadWriter(std::uint8_t* payload, std::uint32_t end)
      : payload_(payload),
        end_(end),
        is_aligned_(reinterpret_cast<std::uintptr_t>(payload) % word_bytes == 0) {}

  // All lanes of a warp: words `first` to before `first` + `count` of the payload.
  __device__ void copy(std::uint32_t first, const std::uint32_t* words, std::uint32_t count) const {
    if (first >= end_) return;
    const unsigned lane = lane_number();
    const std::uint32_t limit = end_ - first < count ? end_ - first : count;
    if (!is_aligned_) {
      for (std::uint32_t word = lane; word < limit; word += lanes_of_warp) store(first + word, words[word]);
      return;
    }
    auto* const to = reinterpret_cast<std::uint32_t*>(payload_) + first;
    // All accesses but the first are for whole lines of the memory, in front of which lanes have no word.
    const auto before_line =
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(to) / word_bytes % lanes_of_warp);
    auto word = static_cast<std::int32_t>(lane - before_line);
    // Four lines at a time, whose words are read before they are written: three instructions a line.
    constexpr unsigned lines = 4;
#pragma unroll 1
    for (; word < static_cast<std::int32_t>(limit); word += lines * lanes_of_warp) {
      const std::int32_t left = static_cast<std::int32_t>(limit) - word;
      std::uint32_t own[lines];
#pragma unroll
      for (unsigned line = 0; line < lines; ++line) {
        if (counts(word, left, line)) own[line] = (words + word)[line * lanes_of_warp];
      }
#pragma unroll
      for (unsigned line = 0; line < lines; ++line) {
        if (counts(word, left, line)) (to + word)[line * lanes_of_warp] = own[line];
      }
    }
  }

  // Not cut off: it is for starts, of which blocks that are raw have room for all but the first, which the
  // record after a block of a few bytes overwrites.
  __device__ void store(std::uint32_t number, std::uint32_t word) const {
    std::uint8_t* const to = payload_ + std::uint64_t{number} * word_bytes;
    if (is_aligned_) {
      *reinterpret_cast<std::uint32_t*>(to) = word;
    } else {
      format::store_little_endian<word_bytes>(to, word);
    }
  }

private:
  // Whether there is a word `line` lines after word `word`, from which on there are `left`.
  __device__ static bool counts(std::int32_t word, std::int32_t left, unsigned line) {
    return left > static_cast<std::int32_t>(line * lanes_of_warp) && (line != 0 || word >= 0);
  }

  std::uint8_t* payload_;
  std::uint32_t end_;
  bool is_aligned_;
};

// One thread, after the barrier after which the tile's units are there: the block's largest unit. Nobody
// waits for the answer.
__device__ inline void keep_largest(const EncodeJob& job, const TileShared& shared) {
  atomicMax(&job.largest[shared.block_number], shared.largest);
}

// All threads of the block, after the barrier after which the tile's units and their places are there: each
// warp copies its own, with their starts.
template <Packing Packed>
__device__ void copy_tile(const EncodeJob& job, const TileShared& shared, std::uint32_t* own,
                          std::uint64_t payload_offset) {
  const PayloadWriter payload(job.output + payload_offset, padded_bytes(shared.block.bytes) / word_bytes);
  const unsigned lane = lane_number();
  const unsigned warp = warp_number();
  const std::uint32_t first_word =
      shared.block.first_start() + shared.words_before + words_of_warps(shared, warp);
  payload.copy(first_word, own, shared.warp_words[warp]);
  const std::uint32_t unit = ((shared.first_value + first_value_of_warp(job)) >> job.unit_shift) + lane;
  if (lane < job.chains_per_warp * units_of_chain<Packed> && unit < shared.block.units) {
    payload.store(header_words + unit, first_word + starts_of(own)[lane]);
  }
}

// All threads of the block: as many bytes as are whole elements, at addresses that are multiples of an
// element's size. The result is how many they are.
template <typename Element>
__device__ std::uint32_t copy_elements(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  const std::uint32_t elements = bytes / static_cast<std::uint32_t>(sizeof(Element));
#pragma unroll 4
  for (std::uint32_t element = thread_number(); element < elements; element += blockDim.x) {
    reinterpret_cast<Element*>(to)[element] = reinterpret_cast<const Element*>(from)[element];
  }
  return elements * static_cast<std::uint32_t>(sizeof(Element));
}

// All threads of the block: `bytes` bytes to any address from any address.
__device__ inline void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  const std::uintptr_t addresses =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  std::uint32_t copied = 0;
  if (addresses % vector_bytes == 0) {
    copied = copy_elements<Vector>(to, from, bytes);
  } else if (addresses % word_bytes == 0) {
    copied = copy_elements<std::uint32_t>(to, from, bytes);
  }
  copy_elements<std::uint8_t>(to + copied, from + copied, bytes - copied);
}

// All threads of the block: the bytes of a tile of a block that is known to be raw. They were read a short
// time ago.
__device__ inline void copy_raw_tile(const EncodeJob& job, const TileShared& shared,
                                     std::uint64_t payload_offset) {
  copy_bytes(job.output + payload_offset + shared.begin(job), shared.input, shared.bytes(job));
}

// What a thread block copies of a raw block. Most blocks are not raw, and then its thread block ends at once:
// one for each tile would be eight times as many.
constexpr std::uint32_t raw_piece_bytes = 1U << 18;

// All threads of the block: piece `piece` of a block, if it is stored raw and its tiles wrote units. These
// are overwritten.
__device__ inline void copy_raw_piece(const EncodeJob& job, std::uint32_t block_number, std::uint32_t piece) {
  const BlockPlace place = job.places[block_number];
  if (place.layout != format::BlockLayout::raw) return;
  if (job.writings[block_number] == raw_bytes) return;
  const BlockOfValues block = job.block(block_number);
  const std::uint32_t begin = piece * raw_piece_bytes;
  if (begin >= block.bytes) return;
  const std::uint32_t left = block.bytes - begin;
  copy_bytes(job.output + place.payload_offset + begin, job.input + block.begin + begin,
             left < raw_piece_bytes ? left : raw_piece_bytes);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
