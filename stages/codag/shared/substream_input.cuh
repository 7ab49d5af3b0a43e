#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// A payload's bits: as a stream that goes on anywhere, and as words of shared memory that each lane reads at
// places of its own.
namespace gsst::codag {
namespace {

// What a lane reads and writes at once at most.
struct alignas(16) FourWords {
  std::uint32_t words[4];
};

// A payload in global memory. Only its own bytes are read; others are 0.
class PayloadWords {
public:
  __device__ PayloadWords(const std::uint8_t* begin, std::uint32_t count) : begin_(begin), count_(count) {}

  __device__ const std::uint8_t* begin() const { return begin_; }
  __device__ std::uint32_t count() const { return count_; }

  // The word at an address that is a multiple of 4.
  __device__ std::uint32_t word(const std::uint8_t* address) const {
    if (has(address, 4)) return *reinterpret_cast<const std::uint32_t*>(address);
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (has(address + i, 1)) word |= std::uint32_t{address[i]} << 8 * i;
    }
    return word;
  }

  // Four words at an address that is a multiple of 16.
  __device__ FourWords four_words(const std::uint8_t* address) const {
    if (has(address, 16)) return *reinterpret_cast<const FourWords*>(address);
    return {{word(address), word(address + 4), word(address + 8), word(address + 12)}};
  }

private:
  __device__ bool has(const std::uint8_t* address, std::uint32_t bytes) const {
    return address >= begin_ && address + bytes <= begin_ + count_;
  }

  const std::uint8_t* begin_;
  std::uint32_t count_;
};

// An input for Deflate, as LowBitStream, that can be sent to any bit. All lanes of a warp together.
class SeekableBits {
public:
  __device__ explicit SeekableBits(const PayloadWords& words) : words_(words) {}

  __device__ void prepare() {
    if (ready_bits_ >= prepared_bits) return;
    const std::uint8_t* const address = words_.begin() + bit_ / bits_of_byte;
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 4);
    const std::uint32_t shift = bits_of_byte * skew + static_cast<std::uint32_t>(bit_ % bits_of_byte);
    const std::uint32_t middle = words_.word(address - skew + 4);
    const std::uint32_t low = __funnelshift_r(words_.word(address - skew), middle, shift);
    const std::uint32_t high = __funnelshift_r(middle, words_.word(address - skew + 8), shift);
    ready_ = std::uint64_t{high} << 32 | low;
    ready_bits_ = 64;
  }

  __device__ std::uint32_t peek_bits(std::uint32_t count) const {
    return static_cast<std::uint32_t>(ready_) & ((std::uint32_t{1} << count) - 1);
  }
  __device__ void skip_bits(std::uint32_t count) {
    ready_ >>= count;
    ready_bits_ -= count;
    bit_ += count;
  }
  __device__ std::uint32_t fetch_bits(std::uint32_t count) {
    const std::uint32_t bits = peek_bits(count);
    skip_bits(count);
    return bits;
  }
  __device__ void end_byte() { skip_bits(static_cast<std::uint32_t>(-bit_ % bits_of_byte)); }
  __device__ void skip_bytes(std::uint32_t count) { seek(bit_ + std::uint64_t{count} * bits_of_byte); }

  __device__ std::uint32_t position() const { return static_cast<std::uint32_t>(bit_ / bits_of_byte); }
  __device__ std::uint32_t left() const { return words_.count() - position(); }
  __device__ bool is_past_end() const { return bit_ > std::uint64_t{words_.count()} * bits_of_byte; }

  // The next bit, counted from the payload's first.
  __device__ std::uint64_t bit() const { return bit_; }
  __device__ void seek(std::uint64_t bit) {
    bit_ = bit;
    ready_bits_ = 0;
  }
  __device__ const PayloadWords& words() const { return words_; }

private:
  static constexpr std::uint32_t bits_of_byte = 8;
  // As LowBitStream::prepared_bits.
  static constexpr std::uint32_t prepared_bits = 48;

  PayloadWords words_;
  std::uint64_t bit_ = 0;
  std::uint64_t ready_ = 0;
  std::uint32_t ready_bits_ = 0;
};

// A lane's place in words of shared memory. Two words are in registers: most codes are in the one or the
// other, and a word is read when the place comes to it.
class BitWindow {
public:
  __device__ BitWindow(const std::uint32_t* words, std::uint32_t place) : words_(words), place_(place) {
    load();
  }

  __device__ std::uint32_t place() const { return place_; }
  __device__ void advance(std::uint32_t bits) {
    const std::uint32_t word = place_ / 32;
    place_ += bits;
    if (place_ / 32 != word) load();
  }

  // The next 32 bits, and 32 bits from `skipped` on.
  __device__ std::uint32_t first_bits() const { return __funnelshift_r(low_, high_, place_); }
  __device__ std::uint32_t later_bits(std::uint32_t skipped) const {
    const std::uint32_t place = place_ + skipped;
    return __funnelshift_r(words_[place / 32], words_[place / 32 + 1], place);
  }

private:
  __device__ void load() {
    low_ = words_[place_ / 32];
    high_ = words_[place_ / 32 + 1];
  }

  const std::uint32_t* words_;
  std::uint32_t place_;
  std::uint32_t low_;
  std::uint32_t high_;
};

}  // namespace
}  // namespace gsst::codag
