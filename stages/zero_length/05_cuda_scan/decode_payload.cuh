#pragma once

#include <cstdint>

#include "common/frame/index_entry.hpp"
#include "common/stage/launch.hpp"

namespace gsst::zero_length::decoder {
namespace {

// Bytes of a vector: the widest load and store of a thread.
constexpr std::uint32_t vector_bytes = 16;

struct alignas(vector_bytes) Vector {
  std::uint32_t words[4];
};

static_assert(vector_bytes - 1 <= format::record_header_bytes &&
                  vector_bytes - 1 <= format::min_bytes_after_block,
              "the vectors that hold a payload's ends must be inside of the frame");

// A payload of a frame in global memory, of at least one byte, as the aligned vectors that hold it. The first
// and the last one also hold bytes of the frame that are not the payload's: a record header precedes each
// payload, and more bytes than a vector has follow it. Offsets count from the start of the first vector.
class Payload {
public:
  // `bytes` is any address.
  __device__ Payload(const std::uint8_t* bytes, std::uint32_t size)
      : begin_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(bytes) % vector_bytes)),
        end_(begin_ + size),
        first_(bytes - begin_) {}

  // Where the payload begins and ends.
  __device__ std::uint32_t begin() const { return begin_; }
  __device__ std::uint32_t end() const { return end_; }

  // The vector at `offset`, a multiple of vector_bytes; zeros where no vector holds a byte of the payload.
  __device__ Vector load(std::uint32_t offset) const {
    Vector vector = {};
    if (offset < end_) vector = *reinterpret_cast<const Vector*>(first_ + offset);
    return vector;
  }

  // The byte before `offset`, a multiple of vector_bytes; 0 where it is not the payload's.
  __device__ std::uint32_t byte_before(std::uint32_t offset) const {
    return offset != 0 && offset < end_ ? first_[offset - 1] : 0;
  }

  // Sets the bytes of `vector`, the one at `offset`, to 0 that are not the payload's.
  __device__ void clear_others(Vector& vector, std::uint32_t offset) const {
    if (offset >= begin_ && offset + vector_bytes <= end_) return;
#pragma unroll
    for (unsigned word = 0; word < 4; ++word) vector.words[word] &= bytes_of_payload(offset + 4 * word);
  }

private:
  // 0xFF for each byte of the word at `offset`, a multiple of 4, that is the payload's, 0x00 for the others.
  __device__ std::uint32_t bytes_of_payload(std::uint32_t offset) const {
    std::uint32_t bytes = 0xffffffff;
    if (offset < begin_) bytes = begin_ - offset >= 4 ? 0 : bytes << 8 * (begin_ - offset);
    if (offset + 4 > end_) bytes &= offset >= end_ ? 0 : 0xffffffff >> 8 * (offset + 4 - end_);
    return bytes;
  }

  std::uint32_t begin_;
  std::uint32_t end_;
  const std::uint8_t* first_;
};

}  // namespace
}  // namespace gsst::zero_length::decoder
