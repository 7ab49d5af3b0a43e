#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// The paper's input_stream (section IV-B, Table I) in Deflate's order: of each byte the lowest bit first.
namespace gsst::codag {
namespace {

// `Bytes` as for InputStream. Up to 64 bits are kept in a register; bits past the end are 0.
template <typename Bytes>
class LowBitStream {
public:
  // Bits that are ready after prepare(): a length and a distance with their extra bits are as long.
  static constexpr std::uint32_t prepared_bits = 48;

  __device__ explicit LowBitStream(const Bytes& bytes) : bytes_(bytes) {}

  __device__ void prepare() {
    if (ready_bits_ >= prepared_bits) return;
    for (; ready_bits_ <= 64 - bits_of_byte; ready_bits_ += bits_of_byte) {
      ready_ |= std::uint64_t{bytes_.byte(next_)} << ready_bits_;
      ++next_;
    }
  }

  // The next `count` bits, up to 31, of those that are ready.
  __device__ std::uint32_t peek_bits(std::uint32_t count) const {
    return static_cast<std::uint32_t>(ready_) & ((std::uint32_t{1} << count) - 1);
  }
  __device__ void skip_bits(std::uint32_t count) {
    ready_ >>= count;
    ready_bits_ -= count;
  }
  __device__ std::uint32_t fetch_bits(std::uint32_t count) {
    const std::uint32_t bits = peek_bits(count);
    skip_bits(count);
    return bits;
  }

  // Goes past what is left of a byte that has begun.
  __device__ void end_byte() { skip_bits(ready_bits_ % bits_of_byte); }

  // Goes past whole bytes, where no byte has begun.
  __device__ void skip_bytes(std::uint32_t count) {
    next_ = position() + count;
    ready_ = 0;
    ready_bits_ = 0;
  }

  __device__ Bytes& bytes() { return bytes_; }

  // The byte that the next bit is of.
  __device__ std::uint32_t position() const {
    return next_ - (ready_bits_ + bits_of_byte - 1) / bits_of_byte;
  }
  // Bytes that were not taken, where no byte has begun and none past the end was taken.
  __device__ std::uint32_t left() const { return bytes_.count() - position(); }
  // Whether bits past the end were taken.
  __device__ bool is_past_end() const { return next_ - ready_bits_ / bits_of_byte > bytes_.count(); }

private:
  static constexpr std::uint32_t bits_of_byte = 8;

  Bytes bytes_;
  // The first byte that was not read.
  std::uint32_t next_ = 0;
  std::uint64_t ready_ = 0;
  std::uint32_t ready_bits_ = 0;
};

}  // namespace
}  // namespace gsst::codag
