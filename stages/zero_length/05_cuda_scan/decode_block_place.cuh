#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"

namespace gsst::zero_length::decoder {
namespace {

// Where a block is, as numbers, which one thread reads from the index for all. Of pointers that come out of
// shared memory the compiler would not know that they point to global memory.
class BlockPlace {
public:
  BlockPlace() = default;
  // `block` is less than the frame's number of blocks.
  __device__ BlockPlace(const stage::FrameOnDevice& frame, std::uint32_t block) {
    const format::IndexEntryFields entry(frame.bytes + frame.index_offset +
                                         std::uint64_t{block} * format::index_entry_bytes);
    payload_offset_ = entry.payload_offset();
    output_offset_ = entry.uncompressed_offset();
    payload_bytes_ = entry.payload_bytes();
    uncompressed_bytes_ = entry.uncompressed_bytes();
    layout_ = entry.layout();
  }

  // The block of `frame`, decoded to its place in `output`.
  __device__ stage::BlockOnDevice in(const stage::FrameOnDevice& frame, std::uint8_t* output) const {
    return {.payload = frame.bytes + payload_offset_,
            .payload_bytes = payload_bytes_,
            .output = output + output_offset_,
            .uncompressed_bytes = uncompressed_bytes_,
            .layout = layout_};
  }

private:
  std::uint64_t payload_offset_;
  std::uint64_t output_offset_;
  std::uint32_t payload_bytes_;
  std::uint32_t uncompressed_bytes_;
  format::BlockLayout layout_;
};

}  // namespace
}  // namespace gsst::zero_length::decoder
