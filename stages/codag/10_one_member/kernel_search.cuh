#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/substream_input.cuh"
#include "stages/codag/shared/substream_tables.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// The search for the begin of a section in the middle of a stream: bits that say two whole codes.
namespace gsst::codag {
namespace {

// An output for Deflate that nothing is written to. All lanes of a warp together.
class CountedOutput {
public:
  explicit __device__ CountedOutput(std::uint32_t left) : left_(left) {}

  __device__ std::uint32_t left() const { return left_; }
  __device__ void advance(std::uint32_t count) { left_ -= count; }
  __device__ void write_value(std::uint32_t /*value*/) { advance(1); }
  __device__ void copy(std::uint32_t /*distance*/, std::uint32_t count) { advance(count); }
  __device__ void write_bytes(const std::uint8_t* /*bytes*/, std::uint32_t count) { advance(count); }

private:
  std::uint32_t left_;
};

// A chunk of which CountedOutput has the bytes left, and a window before them: no distance is too large.
__device__ inline CodedChunk counted_chunk(CodedChunk chunk) {
  chunk.values += format::codag::deflate_window_bytes;
  return chunk;
}

// The 64 bits from `bit` of a payload on.
__device__ inline std::uint64_t bits_at(const PayloadWords& words, std::uint64_t bit) {
  const std::uint8_t* const address = words.begin() + bit / 8;
  const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 4);
  const std::uint32_t shift = 8 * skew + static_cast<std::uint32_t>(bit % 8);
  const std::uint32_t middle = words.word(address - skew + 4);
  const std::uint32_t low = __funnelshift_r(words.word(address - skew), middle, shift);
  const std::uint32_t high = __funnelshift_r(middle, words.word(address - skew + 8), shift);
  return std::uint64_t{high} << 32 | low;
}

// Of the first 32 bits, those at which a section may begin that is not the last, has codes of its own, and
// says no more of them than there are: bits 0, 0 and 1, and two numbers of 5 bits below 30.
__device__ inline std::uint32_t possible_sections(std::uint64_t bits) {
  const std::uint64_t types = ~bits & ~(bits >> 1) & bits >> 2;
  const std::uint64_t pairs = bits & bits >> 1;
  const std::uint64_t fours = pairs & pairs >> 2;
  return static_cast<std::uint32_t>(types & ~(fours >> 4) & ~(fours >> 9));
}

// Whether the lengths of 3 bits that follow in such a section's header are those of a whole code.
__device__ inline bool has_whole_code_of_lengths(const PayloadWords& words, std::uint64_t bit) {
  constexpr std::uint32_t header_bits = 17;
  constexpr std::uint32_t most_lengths = 19;
  const auto count = static_cast<std::uint32_t>(bits_at(words, bit + header_bits - 4)) % 16 + 4;
  std::uint64_t lengths = bits_at(words, bit + header_bits) & ((std::uint64_t{1} << 3 * count) - 1);
  constexpr std::uint32_t whole = 128;
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < most_lengths; ++i) {
    // None for a length of 0.
    sum += (whole >> (lengths & 7)) % whole;
    lengths >>= 3;
  }
  return sum == whole;
}

// All lanes of a warp: whether the codes of a section at `bit` are whole.
__device__ inline bool has_whole_codes(const CodedChunk& chunk, std::uint64_t bit, SubstreamTables& tables) {
  SeekableBits input(PayloadWords(chunk.stream, chunk.stream_bytes));
  input.seek(bit);
  CountedOutput output(chunk.values);
  Deflate<TablesOfWarp, SubstreamTables> deflate(counted_chunk(chunk), tables);
  return deflate.step(input, output) == format::codag::DeflateStatus::decoded;
}

// All lanes of a warp: the first bit from `begin` to `end` at which a section seems to begin that has codes
// of its own and is not the last; `end` if there is none.
__device__ inline std::uint64_t find_section(const CodedChunk& chunk, std::uint64_t begin, std::uint64_t end,
                                             SubstreamTables& tables) {
  constexpr std::uint64_t bits_of_lane = 32;
  constexpr std::uint64_t bits_at_once = bits_of_lane * lanes_of_warp;
  const PayloadWords words(chunk.stream, chunk.stream_bytes);
  for (std::uint64_t first = begin; first < end; first += bits_at_once) {
    const std::uint64_t own = first + lane_number() * bits_of_lane;
    std::uint32_t found = 0;
    for (std::uint32_t left = possible_sections(bits_at(words, own)); left != 0; left &= left - 1) {
      const std::uint32_t bit = lowest_one(left) - 1;
      if (has_whole_code_of_lengths(words, own + bit)) found |= std::uint32_t{1} << bit;
    }
    for (std::uint32_t lanes = __ballot_sync(every_lane, found != 0); lanes != 0; lanes &= lanes - 1) {
      const std::uint32_t lane = lowest_one(lanes) - 1;
      for (std::uint32_t left = __shfl_sync(every_lane, found, static_cast<int>(lane)); left != 0;
           left &= left - 1) {
        const std::uint64_t bit = first + lane * bits_of_lane + lowest_one(left) - 1;
        if (bit < end && has_whole_codes(chunk, bit, tables)) return bit;
      }
    }
  }
  return end;
}

}  // namespace
}  // namespace gsst::codag
