#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"

// One thread a value, straight from global memory (paper, section 4.2, Algorithm 1).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::packed_block_values;

// Bits `bit` to `bit + width - 1` of the words from number `first` on, at most 64 of them.
__device__ inline std::uint64_t extract_bits(const ForPayload& payload, std::uint32_t first,
                                             std::uint32_t bit, std::uint32_t width) {
  const std::uint32_t shift = bit % 32;
  std::uint32_t next = first + bit / 32;
  std::uint64_t value = 0;
  // A word that holds none of the bits is not read: it may be the frame's last one.
  for (std::uint32_t found = 0; found < width; ++next) {
    const std::uint32_t skipped = found == 0 ? shift : 0;
    value |= std::uint64_t{payload.word(next)} >> skipped << found;
    found += 32 - skipped;
  }
  // A shift by 64 is not defined.
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

// Value `index` of the packed block that starts at word `start`, as the low bits of the result.
__device__ inline std::uint64_t decode_value(const ForPayload& payload, std::uint32_t start,
                                             std::uint32_t index, const TypeOnDevice& type) {
  std::uint64_t reference = payload.word(start);
  if (type.reference_words == 2) reference |= std::uint64_t{payload.word(start + 1)} << 32;
  const std::uint32_t widths = payload.word(start + type.reference_words);
  const std::uint32_t miniblock = index / miniblock_values;
  std::uint32_t first = start + type.reference_words + 1;
  for (std::uint32_t before = 0; before < miniblock; ++before) first += widths >> 8 * before & 0xff;
  const std::uint32_t width = widths >> 8 * miniblock & 0xff;
  return reference + extract_bits(payload, first, index % miniblock_values * width, width);
}

// Decodes a frame in thread blocks of packed_block_values threads. A block of the frame has one for each
// `part_bytes` bytes: number p decodes its packed block p, if there is one, or copies these bytes of a raw
// block. `part_bytes` is what a packed block of the smallest values in the frame decodes to; there are
// frame.uncompressed_bytes / part_bytes + frame.block_count thread blocks or more.
__global__ void decode_values(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                              std::uint32_t part_bytes) {
  // No block is larger than the first.
  const std::uint32_t parts_per_block =
      (frame.block(0, output).uncompressed_bytes + part_bytes - 1) / part_bytes;
  const std::uint32_t number = blockIdx.x / parts_per_block;
  const std::uint32_t part = blockIdx.x % parts_per_block;
  if (number >= frame.block_count) return;
  const stage::BlockOnDevice block = frame.block(number, output);
  // What the rules accept has nothing in it that could be wrong.
  if (part == 0 && threadIdx.x == 0) status[number] = 0;
  if (block.layout == format::BlockLayout::raw) {
    const std::uint64_t begin = std::uint64_t{part} * part_bytes;
    for (std::uint64_t byte = begin + threadIdx.x; byte < begin + part_bytes; byte += packed_block_values) {
      if (byte < block.uncompressed_bytes) block.output[byte] = block.payload[byte];
    }
    return;
  }
  const ForPayload payload(block.payload);
  const TypeOnDevice type(payload.type());
  const std::uint32_t values = payload.values();
  const std::uint32_t rest_begin = values * type.value_bytes;
  if (part == 0 && threadIdx.x < block.uncompressed_bytes - rest_begin) {
    const std::uint32_t packed_blocks = (values + packed_block_values - 1) / packed_block_values;
    const std::uint64_t rest = std::uint64_t{payload.start(packed_blocks)} * format::tile_integer::word_bytes;
    block.output[rest_begin + threadIdx.x] = block.payload[rest + threadIdx.x];
  }
  const std::uint64_t index = std::uint64_t{part} * packed_block_values + threadIdx.x;
  if (index >= values) return;
  store_value(block.output + index * type.value_bytes,
              decode_value(payload, payload.start(part), threadIdx.x, type), type.value_bytes);
}

}  // namespace
}  // namespace gsst::tile_integer
