#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"

// What the frame's index says of a block. The index is at any address, and is read byte by byte where it must
// be: 25 loads, which every thread of most kernels makes before it does anything else.
namespace gsst::tile_integer {
namespace {

// Block `number`, as frame.block(), with few wide loads.
template <bool IsAligned>
__device__ inline stage::BlockOnDevice load_block(const stage::FrameOnDevice& frame, std::uint32_t number,
                                                  std::uint8_t* output) {
  if constexpr (!IsAligned) return frame.block(number, output);
  const std::uint8_t* const entry =
      frame.bytes + frame.index_offset + std::uint64_t{number} * format::index_entry_bytes;
  const auto* const numbers = reinterpret_cast<const std::uint64_t*>(entry);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(entry);
  return {.payload = frame.bytes + numbers[0],
          .payload_bytes = words[6],
          .output = output + numbers[1],
          .uncompressed_bytes = words[7],
          .layout = format::IndexEntryFields(entry).layout()};
}

// Whether load_block() may take the index for aligned.
__host__ __device__ inline bool has_aligned_index(const stage::FrameOnDevice& frame) {
  return reinterpret_cast<std::uintptr_t>(frame.bytes + frame.index_offset) % sizeof(std::uint64_t) == 0;
}

}  // namespace
}  // namespace gsst::tile_integer
