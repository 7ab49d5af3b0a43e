#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// The paper's input_stream (section IV-B, Table I): the compressed bytes of a chunk, bit by bit. Who reads
// them, and how, is `Bytes`.
namespace gsst::codag {
namespace {

// Bits in ORC's order: of each byte the highest first.
//
// `Bytes` has `std::uint32_t byte(std::uint32_t position)`, the byte at `position` of the chunk's compressed
// bytes and 0 past their end, and `std::uint32_t count() const`, how many there are. Positions that it is
// asked for never fall by more than the 8 bytes that a peek looks ahead.
template <typename Bytes>
class InputStream {
public:
  __device__ explicit InputStream(const Bytes& bytes) : bytes_(bytes) {}

  // The next `count` bits: up to 32, or up to 64 that are whole bytes at the begin of one. They are 0 past
  // the end.
  __device__ std::uint64_t peek_bits(std::uint32_t count) {
    if (count == 0) return 0;
    std::uint32_t taken = bits_of_byte - bit_;
    std::uint64_t bits = bytes_.byte(position_) & 0xffU >> bit_;
    for (std::uint32_t next = position_ + 1; taken < count; ++next) {
      bits = bits << bits_of_byte | bytes_.byte(next);
      taken += bits_of_byte;
    }
    return bits >> (taken - count);
  }

  // The same, and goes past them.
  __device__ std::uint64_t fetch_bits(std::uint32_t count) {
    const std::uint64_t bits = peek_bits(count);
    const std::uint32_t end = bit_ + count;
    position_ += end / bits_of_byte;
    bit_ = end % bits_of_byte;
    return bits;
  }

  // The next whole byte, where no byte has begun.
  __device__ std::uint32_t fetch_byte() { return static_cast<std::uint32_t>(fetch_bits(bits_of_byte)); }

  // Goes past what is left of a byte that has begun.
  __device__ void end_byte() {
    position_ += bit_ == 0 ? 0 : 1;
    bit_ = 0;
  }

  __device__ Bytes& bytes() { return bytes_; }

  // Whole bytes that were fetched.
  __device__ std::uint32_t position() const { return position_; }
  // Whether all bytes were fetched, and whether more than there are.
  __device__ bool is_at_end() const { return position_ == bytes_.count(); }
  __device__ bool is_past_end() const { return position_ > bytes_.count(); }

private:
  static constexpr std::uint32_t bits_of_byte = 8;

  Bytes bytes_;
  std::uint32_t position_ = 0;
  // Bits of the byte at position_ that were fetched: less than 8.
  std::uint32_t bit_ = 0;
};

}  // namespace
}  // namespace gsst::codag
