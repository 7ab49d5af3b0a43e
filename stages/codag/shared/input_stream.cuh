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
// asked for never fall by more than the 8 bytes that a peek looks ahead. far_byte() is the same for any
// position, and slow.
template <typename Bytes>
class InputStream {
public:
  __device__ explicit InputStream(const Bytes& bytes) : bytes_(bytes) {}

  // The next `count` bits: up to 32, or up to 64 that are whole bytes at the begin of one. They are 0 past
  // the end.
  __device__ std::uint64_t peek_bits(std::uint32_t count) {
    return bits_at(position_, bit_, count, [&](std::uint32_t position) { return bytes_.byte(position); });
  }

  // As peek_bits(), from bit `bit` after the begin of the byte at `position` on.
  __device__ std::uint64_t far_bits(std::uint32_t position, std::uint32_t bit, std::uint32_t count) const {
    return bits_at(position + bit / bits_of_byte, bit % bits_of_byte, count,
                   [&](std::uint32_t far_position) { return bytes_.far_byte(far_position); });
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

  // Goes past whole bytes, where no byte has begun.
  __device__ void skip_bytes(std::uint32_t count) { position_ += count; }

  __device__ Bytes& bytes() { return bytes_; }

  // Whole bytes that were fetched.
  __device__ std::uint32_t position() const { return position_; }
  // Bytes that were not, where no byte has begun and none past the end was fetched.
  __device__ std::uint32_t left() const { return bytes_.count() - position_; }
  // Whether all bytes were fetched, and whether more than there are.
  __device__ bool is_at_end() const { return position_ == bytes_.count(); }
  __device__ bool is_past_end() const { return position_ > bytes_.count(); }

private:
  static constexpr std::uint32_t bits_of_byte = 8;

  template <typename ByteAt>
  __device__ static std::uint64_t bits_at(std::uint32_t position, std::uint32_t bit, std::uint32_t count,
                                          ByteAt&& byte_at) {
    std::uint32_t taken = bits_of_byte - bit;
    std::uint64_t bits = byte_at(position) & 0xffU >> bit;
    for (++position; taken < count; ++position) {
      bits = bits << bits_of_byte | byte_at(position);
      taken += bits_of_byte;
    }
    return bits >> (taken - count);
  }

  Bytes bytes_;
  std::uint32_t position_ = 0;
  // Bits of the byte at position_ that were fetched: less than 8.
  std::uint32_t bit_ = 0;
};

}  // namespace
}  // namespace gsst::codag
