#pragma once

#include <cstdint>

#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/zero_length/05_cuda_scan/decode_payload.cuh"

// Slots for the tiles of all blocks of a frame, one after the other, which are found without counting the
// tiles of earlier blocks: block b's begin at one for each block before it and one for each slot_bytes before
// its payload. That is room enough: a payload of p bytes, with the start of its first vector before it,
// reaches into (p + 15) / slot_bytes + 1 tiles at most, and the next payload begins p + 24 bytes later or
// more, behind a record header.
namespace gsst::zero_length::decoder {
namespace {

// Bytes of a tile.
constexpr std::uint32_t slot_bytes = 8192;
static_assert(vector_bytes - 1 <= format::record_header_bytes);

// Where a tile is; a slot that no tile has is behind the last tile of a block.
struct TileSlot {
  std::uint32_t block;
  std::uint32_t tile;
};

// What the thread blocks share, in the executor's memory.
struct TileWork {
  unsigned* tickets;
  // Look-back states, one for each slot.
  std::uint64_t* states;
};

// Slots of a frame: a number that the host knows.
inline std::uint64_t slot_count(const stage::FrameOnDevice& frame) {
  return frame.frame_bytes / slot_bytes + frame.block_count;
}

__device__ inline std::uint32_t first_slot(const stage::FrameOnDevice& frame, std::uint32_t block) {
  const format::IndexEntryFields entry(frame.bytes + frame.index_offset +
                                       std::uint64_t{block} * format::index_entry_bytes);
  return static_cast<std::uint32_t>(entry.payload_offset() / slot_bytes) + block;
}

// The tile of `slot`. All lanes of a warp call it and get the same. Each of them looks at another block:
// three rounds suffice for 32,768 blocks.
__device__ inline TileSlot find_slot(const stage::FrameOnDevice& frame, std::uint32_t slot) {
  // The last block whose first slot is not after it is in [begin, begin + count).
  std::uint32_t begin = 0;
  std::uint32_t count = frame.block_count;
  while (count > 1) {
    const std::uint32_t step = (count + 31) / 32;
    const std::uint32_t mine = threadIdx.x % 32 * step;
    const bool is_before = mine < count && (mine == 0 || first_slot(frame, begin + mine) <= slot);
    const std::uint32_t lanes_before = __ballot_sync(0xffffffff, is_before);
    // Lanes before are the lowest ones: slots rise.
    std::uint32_t skipped = 0;
    for (std::uint32_t lanes = lanes_before >> 1; lanes != 0; lanes >>= 1) skipped += step;
    begin += skipped;
    count = count - skipped < step ? count - skipped : step;
  }
  return {.block = begin, .tile = slot - first_slot(frame, begin)};
}

}  // namespace
}  // namespace gsst::zero_length::decoder
