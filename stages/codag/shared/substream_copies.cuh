#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/substream_input.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A piece of output in shared memory, and the matches that it still lacks.
namespace gsst::codag {
namespace {

constexpr std::uint32_t staged_bytes = 2048;
// Four batches.
constexpr std::uint32_t most_matches = 128;
// Of a queued match; the place is above them.
constexpr std::uint32_t queued_distance_bits = 15;

// In shared memory. Places count from the 16-byte unit in which the piece begins.
struct StagedOutput {
  FourWords units[staged_bytes / 16];
  // Places, and distances less 1. Rising.
  std::uint32_t matches[most_matches];
  // Less 3.
  std::uint8_t lengths[most_matches];

  __device__ std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(units); }

  __device__ void queue(std::uint32_t number, std::uint32_t place, std::uint32_t distance,
                        std::uint32_t length) {
    matches[number] = place << queued_distance_bits | (distance - 1);
    lengths[number] = static_cast<std::uint8_t>(length - 3);
  }
};

// A piece of the chunk's output that is staged.
struct PieceOfOutput {
  std::uint32_t place;
  std::uint32_t bytes;
  std::uint32_t matches;
};

// Where a StagedOutput belongs.
struct StagedPlace {
  // The output's first byte, and the one at place 0.
  const std::uint8_t* output;
  std::uint8_t* origin;
  // What is staged; bytes before it are in global memory.
  std::uint32_t begin;
  std::uint32_t end;
};

// The place at which a piece begins, for the address of its first byte.
__device__ inline std::uint32_t skew_of_piece(const std::uint8_t* address) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 16);
}

__device__ inline StagedPlace place_of_piece(std::uint8_t* output, const PieceOfOutput& piece) {
  const std::uint32_t skew = skew_of_piece(output + piece.place);
  return {.output = output, .origin = output + piece.place - skew, .begin = skew, .end = skew + piece.bytes};
}

// A match of a queue, for one lane.
struct QueuedMatch {
  std::uint32_t place;
  std::uint32_t distance;
  // 0 where there is none.
  std::uint32_t length;

  // What is read first: place - distance of the output, before what is staged where negative.
  __device__ std::int32_t source() const { return static_cast<std::int32_t>(place - distance); }
  __device__ std::int32_t source_end() const {
    return source() + static_cast<std::int32_t>(std::min(length, distance));
  }
};

// For divisions of numbers less than 259, the longest length, by others of them: i * reciprocal_of(n) has i /
// n above these bits. It is too large by less than i / 2^20, and i / n below by 1 / n or more.
constexpr std::uint32_t reciprocal_bits = 20;
__device__ inline std::uint32_t reciprocal_of(std::uint32_t number) {
  return (1U << reciprocal_bits) / number + 1;
}

// Longer matches are copied by the warp.
constexpr std::uint32_t longest_match_of_lane = 40;
// Bytes that a lane loads before it stores them, of what is staged: no match of a lane has a lower distance.
constexpr std::uint32_t bytes_at_once = 4;
// So few lanes are not worth a round.
constexpr std::uint32_t few_lanes = 3;

// Those of 32 matches of a batch that write what the calling lane's match reads. All lanes of a warp, with
// matches by rising places; those without one have the largest place.
__device__ inline std::uint32_t matches_before(const QueuedMatch& match) {
  const std::uint32_t end = match.place + match.length;
  std::uint32_t first = 0;
  std::uint32_t behind = 0;
  for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
    const std::uint32_t earlier_end = __shfl_sync(every_lane, end, static_cast<int>(first + step - 1));
    const std::uint32_t earlier_place =
        __shfl_sync(every_lane, match.place, static_cast<int>(behind + step - 1));
    if (static_cast<std::int32_t>(earlier_end) <= match.source()) first += step;
    if (static_cast<std::int32_t>(earlier_place) < match.source_end()) behind += step;
  }
  return first < behind ? ((1U << behind) - 1) & ~((1U << first) - 1) : 0;
}

// Copies by one lane of what is staged, for a distance of bytes_at_once or more.
__device__ inline void copy_staged_match(std::uint8_t* bytes, const QueuedMatch& match) {
  const std::uint8_t* const source = bytes + match.source();
  for (std::uint32_t i = 0; i < match.length; i += bytes_at_once) {
    std::uint8_t loaded[bytes_at_once];
    for (std::uint32_t byte = 0; byte < bytes_at_once; ++byte) {
      if (i + byte < match.length) loaded[byte] = source[i + byte];
    }
    for (std::uint32_t byte = 0; byte < bytes_at_once; ++byte) {
      if (i + byte < match.length) bytes[match.place + i + byte] = loaded[byte];
    }
  }
}

// Bytes of global memory as the whole words that they are in.
struct WordsOfBytes {
  const std::uint32_t* words;
  // Of the first word, bytes before.
  std::uint32_t skew;

  explicit __device__ WordsOfBytes(const std::uint8_t* begin)
      : skew(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % 4)) {
    words = reinterpret_cast<const std::uint32_t*>(begin - skew);
  }
};

// Copies by one lane of what is not staged, for a distance that is not less than the length. Words, since
// loads from global memory are most of what a lane waits for: 8 bytes take two, or three at the begin, and
// one time to wait.
__device__ inline void copy_written_match(std::uint8_t* bytes, const StagedPlace& piece,
                                          const QueuedMatch& match) {
  constexpr std::uint32_t bits_of_byte = 8;
  const WordsOfBytes source(piece.origin + match.source());
  const std::uint32_t shift = source.skew * bits_of_byte;
  const std::uint32_t* words = source.words;
  std::uint32_t first = *words;
  // Twice in the code, lanes would go through both: most matches have fewer than 16 bytes.
#pragma unroll 1
  for (std::uint32_t i = 0; i < match.length; i += 8) {
    // Bytes from the first word on.
    const std::uint32_t left = source.skew + match.length - i;
    const std::uint32_t second = left > 4 ? words[1] : 0;
    const std::uint32_t third = left > 8 ? words[2] : 0;
    const std::uint32_t low = __funnelshift_r(first, second, shift);
    const std::uint32_t high = __funnelshift_r(second, third, shift);
    std::uint8_t* const to = bytes + match.place + i;
    const std::uint32_t count = match.length - i;
    for (std::uint32_t byte = 0; byte < 8; ++byte) {
      const std::uint32_t word = byte < 4 ? low : high;
      if (byte < count) to[byte] = static_cast<std::uint8_t>(word >> byte % 4 * bits_of_byte);
    }
    first = third;
    words += 2;
  }
}

// Whether all of the words that copy_written_match() reads are of the output, and written.
__device__ inline bool are_words_written(const StagedPlace& piece, const QueuedMatch& match) {
  const WordsOfBytes source(piece.origin + match.source());
  const std::uint32_t bytes = (source.skew + match.length + 3) / 4 * 4;
  return match.length <= match.distance &&
         reinterpret_cast<const std::uint8_t*>(source.words) >= piece.output &&
         match.source() + static_cast<std::int32_t>(bytes - source.skew) <=
             static_cast<std::int32_t>(piece.begin);
}

// Copies by all lanes of a warp, 4 bytes each at a time: `length` bytes from `place` of what is staged on,
// which are a repetition of the first `period` bytes from `source` on. `reciprocal` is that of the period.
__device__ inline void copy_match_by_warp(std::uint8_t* bytes, const std::uint8_t* source,
                                          std::uint32_t place, std::uint32_t period, std::uint32_t length,
                                          std::uint32_t reciprocal) {
  constexpr std::uint32_t bytes_of_lane = 4;
  for (std::uint32_t i = bytes_of_lane * lane_number(); i < length; i += bytes_of_lane * lanes_of_warp) {
    std::uint32_t from = i;
    if (period < length) from -= (i * reciprocal >> reciprocal_bits) * period;
    std::uint8_t loaded[bytes_of_lane];
    for (std::uint32_t byte = 0; byte < bytes_of_lane; ++byte) {
      if (i + byte < length) loaded[byte] = source[from];
      from = from + 1 == period ? 0 : from + 1;
    }
    for (std::uint32_t byte = 0; byte < bytes_of_lane; ++byte) {
      if (i + byte < length) bytes[place + i + byte] = loaded[byte];
    }
  }
}

// All lanes of a warp: the matches of the lanes of a mask, one after the other.
__device__ inline void copy_matches_by_warp(StagedOutput& staged, const StagedPlace& piece,
                                            const QueuedMatch& match, std::uint32_t lanes) {
  if (lanes == 0) return;
  // Of all at once: a division takes as long as the copy of some words.
  const std::uint32_t own_reciprocal = reciprocal_of(match.distance);
  std::uint8_t* const bytes = staged.bytes();
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<int>(lowest_one(lanes) - 1);
    const std::uint32_t reciprocal = __shfl_sync(every_lane, own_reciprocal, lane);
    QueuedMatch rest = {.place = __shfl_sync(every_lane, match.place, lane),
                        .distance = __shfl_sync(every_lane, match.distance, lane),
                        .length = __shfl_sync(every_lane, match.length, lane)};
    const auto begin = static_cast<std::int32_t>(piece.begin);
    if (rest.source() < begin) {
      // Up to what is staged, if the match goes on there.
      const std::uint32_t length =
          rest.source_end() > begin ? static_cast<std::uint32_t>(begin - rest.source()) : rest.length;
      __syncwarp();
      copy_match_by_warp(bytes, piece.origin + rest.source(), rest.place, rest.distance, length, reciprocal);
      rest.place += length;
      rest.length -= length;
    }
    __syncwarp();
    copy_match_by_warp(bytes, bytes + rest.source(), rest.place, rest.distance, rest.length, reciprocal);
  }
}

// What becomes of matches of which hardly any can be copied: the next ones by their order.
struct ChainsInOrder {
  static constexpr std::uint32_t most_matches_at_once = 8;

  // All lanes of a warp: copies the matches of some of the lanes of `left`. Those lanes.
  __device__ static std::uint32_t copy(StagedOutput& staged, const StagedPlace& piece,
                                       const QueuedMatch& match, std::uint32_t left) {
    std::uint32_t later = left;
    for (std::uint32_t i = 0; i < most_matches_at_once; ++i) later &= later - 1;
    // Each needs none that is not copied.
    copy_matches_by_warp(staged, piece, match, left ^ later);
    return left ^ later;
  }
};

// All lanes of a warp: a batch of up to 32 matches, one in each lane.
template <typename Chains>
__device__ inline void copy_batch(StagedOutput& staged, const StagedPlace& piece, const QueuedMatch& match) {
  const auto begin = static_cast<std::int32_t>(piece.begin);
  const std::uint32_t needed = matches_before(match);
  const bool is_staged = match.source() >= begin;
  const bool is_short = match.length <= longest_match_of_lane && match.distance >= bytes_at_once &&
                        (is_staged || are_words_written(piece, match));
  std::uint32_t left = __ballot_sync(every_lane, match.length != 0);
  while (left != 0) {
    const bool is_ready = (left >> lane_number() & 1) != 0 && (needed & left) == 0;
    std::uint32_t taken = __ballot_sync(every_lane, is_ready);
    if (static_cast<std::uint32_t>(std::popcount(taken)) <= few_lanes) {
      taken = Chains::copy(staged, piece, match, left);
    } else {
      if (is_ready && is_short && !is_staged) copy_written_match(staged.bytes(), piece, match);
      if (is_ready && is_short && is_staged) copy_staged_match(staged.bytes(), match);
      copy_matches_by_warp(staged, piece, match, __ballot_sync(every_lane, is_ready && !is_short));
    }
    left &= ~taken;
    __syncwarp();
  }
}

// All lanes of a warp.
template <typename Chains>
__device__ inline void copy_matches(StagedOutput& staged, const StagedPlace& piece, std::uint32_t count) {
  for (std::uint32_t first = 0; first < count; first += lanes_of_warp) {
    const std::uint32_t number = first + lane_number();
    QueuedMatch match = {.place = staged_bytes, .distance = 1, .length = 0};
    if (number < count) {
      const std::uint32_t queued = staged.matches[number];
      match = {.place = queued >> queued_distance_bits,
               .distance = (queued & ((1U << queued_distance_bits) - 1)) + 1,
               .length = std::uint32_t{staged.lengths[number]} + 3};
    }
    copy_batch<Chains>(staged, piece, match);
  }
}

// All lanes of a warp: writes what is staged to its place, whole units where there are.
__device__ inline void write_staged(const StagedOutput& staged, const StagedPlace& piece) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(staged.units);
  const std::uint32_t lane = lane_number();
  const std::uint32_t first_end = std::min((piece.begin + 15) / 16 * 16, piece.end);
  if (piece.begin + lane < first_end) piece.origin[piece.begin + lane] = bytes[piece.begin + lane];
  auto* const units = reinterpret_cast<FourWords*>(piece.origin);
  for (std::uint32_t unit = first_end / 16 + lane; unit < piece.end / 16; unit += lanes_of_warp) {
    units[unit] = staged.units[unit];
  }
  const std::uint32_t rest = std::max(piece.end / 16 * 16, first_end) + lane;
  if (rest < piece.end) piece.origin[rest] = bytes[rest];
}

// All lanes of a warp: copies the matches of what is staged, and writes it.
template <typename Chains>
__device__ inline void write_piece(StagedOutput& staged, const PieceOfOutput& piece, std::uint8_t* output) {
  const StagedPlace place = place_of_piece(output, piece);
  copy_matches<Chains>(staged, place, piece.matches);
  __syncwarp();
  write_staged(staged, place);
}

}  // namespace
}  // namespace gsst::codag
