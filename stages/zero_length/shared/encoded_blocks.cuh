#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/host_device.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/stage/launch.hpp"

// The blocks of a file that kernels encode: how the input is cut, where blocks go, and what the bare form has
// around their elements (FORMAT.md, section 11.2).
namespace gsst::zero_length::encoder {
namespace {

// A block in the file.
struct BlockPlace {
  // From the file's first byte to the block's elements or bytes.
  std::uint64_t payload_offset;
  std::uint32_t payload_bytes;
  format::BlockLayout layout;
};

// What a file has before its first block, and before each block.
struct BytesAround {
  std::uint32_t before_file;
  std::uint32_t before_block;
  // Whether a block that its elements do not make smaller is stored as it is.
  bool may_be_raw;
};

constexpr BytesAround around_bare = {
    .before_file = 0, .before_block = format::zero_length::bare_header_bytes, .may_be_raw = false};
constexpr BytesAround around_frame = {.before_file = format::frame_header_bytes,
                                      .before_block = format::record_header_bytes,
                                      .may_be_raw = true};

// All pointers are in the executor's memory.
struct EncodedBlocks {
  const std::uint8_t* input;
  std::uint64_t input_bytes;
  std::uint64_t block_bytes;
  std::uint32_t block_count;
  std::uint8_t* output;
  // Of each block: the bytes of its elements, and its place. Not of those of a bare file that is made in one
  // pass.
  std::uint32_t* block_elements;
  BlockPlace* blocks;
  std::uint32_t* status;
  std::uint64_t* file_bytes;

  GSST_HOST_DEVICE std::uint64_t block_begin(std::uint32_t block) const { return block * block_bytes; }
  // Uncompressed bytes of a block.
  GSST_HOST_DEVICE std::uint32_t bytes_of_block(std::uint32_t block) const {
    const std::uint64_t left = input_bytes - block_begin(block);
    return static_cast<std::uint32_t>(left < block_bytes ? left : block_bytes);
  }
};

// How block `block` is stored. Where it goes is not set.
__device__ inline BlockPlace stored_block(const EncodedBlocks& job, const BytesAround& around,
                                          std::uint32_t block) {
  BlockPlace place = {.payload_offset = 0,
                      .payload_bytes = job.block_elements[block],
                      .layout = format::zero_length::elements_layout};
  if (around.may_be_raw && place.payload_bytes >= job.bytes_of_block(block)) {
    place.payload_bytes = job.bytes_of_block(block);
    place.layout = format::BlockLayout::raw;
  }
  return place;
}

// The block's header, and its status.
__device__ inline void write_bare_header(const EncodedBlocks& job, std::uint32_t block,
                                         const BlockPlace& place) {
  using namespace format::zero_length;
  std::uint8_t* const header = job.output + place.payload_offset - bare_header_bytes;
  format::store_little_endian<bare_size_bytes>(header, bare_header_bytes + place.payload_bytes);
  format::store_little_endian<bare_header_bytes - bare_size_bytes>(header + bare_size_bytes, block);
  job.status[block] = 0;
}

// The guard block at `end`, and the size of the file.
__device__ inline void write_bare_end(const EncodedBlocks& job, std::uint64_t end) {
  format::store_little_endian<format::zero_length::bare_size_bytes>(job.output + end, 0);
  *job.file_bytes = end + format::zero_length::bare_size_bytes;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
