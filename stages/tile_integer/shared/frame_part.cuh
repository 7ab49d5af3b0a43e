#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/load_block.cuh"

// How a frame is dealt out to thread blocks: each takes a part of a block of the frame, which is a number of
// packed blocks that follow each other, or as many bytes of a raw block as these have at least.
namespace gsst::tile_integer {
namespace {

// What a thread block does. All of its threads make it and call its functions.
class FramePart {
public:
  // `part_bytes` as part_bytes_of() says, for parts_of() thread blocks.
  __device__ FramePart(const stage::FrameOnDevice& frame, std::uint8_t* output, std::uint32_t part_bytes)
      : part_bytes_(part_bytes) {
    if (has_aligned_index(frame)) {
      find<true>(frame, output);
    } else {
      find<false>(frame, output);
    }
  }

  // Reports the block as decoded, since what the format's rules accept has nothing in it that could be wrong,
  // and copies the part's bytes of a raw block. Whether there is more to do: packed blocks to decode.
  __device__ bool begin(std::uint32_t* status) const {
    // Some thread blocks are launched and have no part.
    if (!exists_) return false;
    if (number_ == 0 && threadIdx.x == 0) status[block_number_] = 0;
    if (block_.layout != format::BlockLayout::raw) return true;
    copy_raw();
    return false;
  }

  // Whether it is a part of a block that is not raw. For a kernel after which others come: it leaves raw
  // blocks and the status to begin() in the last one.
  __device__ bool has_values() const { return exists_ && block_.layout != format::BlockLayout::raw; }

  // Of the part in its block.
  __device__ std::uint32_t number() const { return number_; }
  __device__ const stage::BlockOnDevice& block() const { return block_; }

  // The first part's threads copy the bytes that are no whole value. `unit_values`: the values of a packed
  // block, or of a run block, for which the payload has a start.
  __device__ void copy_rest(const ForPayload& payload, std::uint32_t value_bytes,
                            std::uint32_t unit_values = format::tile_integer::packed_block_values) const {
    const std::uint32_t values = payload.values();
    const std::uint32_t rest_begin = values * value_bytes;
    if (number_ != 0 || threadIdx.x >= block_.uncompressed_bytes - rest_begin) return;
    const std::uint64_t rest = std::uint64_t{payload.start((values + unit_values - 1) / unit_values)} *
                               format::tile_integer::word_bytes;
    block_.output[rest_begin + threadIdx.x] = block_.payload[rest + threadIdx.x];
  }

private:
  template <bool IsAligned>
  __device__ void find(const stage::FrameOnDevice& frame, std::uint8_t* output) {
    // No block is larger than the first, which has bytes unless the frame was refused in the executor's
    // memory.
    const std::uint32_t most_bytes = load_block<IsAligned>(frame, 0, output).uncompressed_bytes;
    const std::uint32_t parts_of_block = most_bytes == 0 ? 1 : (most_bytes + part_bytes_ - 1) / part_bytes_;
    block_number_ = blockIdx.x / parts_of_block;
    number_ = blockIdx.x % parts_of_block;
    exists_ = block_number_ < frame.block_count;
    if (exists_) block_ = load_block<IsAligned>(frame, block_number_, output);
  }

  __device__ void copy_raw() const {
    const std::uint64_t begin = std::uint64_t{number_} * part_bytes_;
    for (std::uint64_t byte = begin + threadIdx.x; byte < begin + part_bytes_; byte += blockDim.x) {
      if (byte < block_.uncompressed_bytes) block_.output[byte] = block_.payload[byte];
    }
  }

  std::uint32_t part_bytes_;
  std::uint32_t block_number_;
  std::uint32_t number_;
  bool exists_;
  stage::BlockOnDevice block_{};
};

// The same on the host.

// The shape of the type with the smallest or the largest values of all that the frame's blocks may hold.
inline format::tile_integer::TypeShape extreme_shape(const stage::FrameOnDevice& frame, bool is_smallest) {
  using namespace format::tile_integer;
  TypeShape found = shape_of(is_smallest ? Type::i64 : Type::i8);
  for (std::size_t number = 0; number < type_count; ++number) {
    const auto type = static_cast<Type>(number);
    if ((frame.payload_traits & trait_of(type)) == 0) continue;
    const bool is_more_extreme = is_smallest ? shape_of(type).value_bytes < found.value_bytes
                                             : shape_of(type).value_bytes > found.value_bytes;
    if (is_more_extreme) found = shape_of(type);
  }
  return found;
}

// Bytes that `packed_blocks` packed blocks of the smallest values decode to.
inline std::uint32_t part_bytes_of(const stage::FrameOnDevice& frame, std::uint32_t packed_blocks) {
  return packed_blocks * format::tile_integer::packed_block_values * extreme_shape(frame, true).value_bytes;
}

// Thread blocks for all parts: each block of the frame ends with one that may be shorter.
inline unsigned parts_of(const stage::FrameOnDevice& frame, std::uint32_t part_bytes) {
  return static_cast<unsigned>(frame.uncompressed_bytes / part_bytes + frame.block_count);
}

}  // namespace
}  // namespace gsst::tile_integer
