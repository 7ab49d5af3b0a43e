#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/substream_input.cuh"
#include "stages/codag/shared/substream_tables.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A region of a section's elements: 32 ranges of bits, each decoded by a lane. Which elements begin in a
// range is guessed, and verified by the lane before.
namespace gsst::codag {
namespace {

constexpr std::uint32_t segments_of_lane = 4;
constexpr std::uint32_t segments_of_region = segments_of_lane * lanes_of_warp;

// What a lane notes of a segment: how far behind its begin the first element begins that does so in it, and
// what the elements up to the next segment's first decode to. In 4 bytes, of which shared memory has 512 for
// a region: with 8 bytes, and what precedes a segment in place of what it has, fewer warps fit.
struct SegmentNote {
  static constexpr std::uint32_t offset_bits = 6;
  static constexpr std::uint32_t matches_bits = 7;
  // Elements of 2 bits, the fewest of a match, are then less than 2^7, and decode to less than 2^15 bytes.
  static constexpr std::uint32_t most_segment_bits = 252;
  // An offset that no element has.
  static constexpr std::uint32_t no_element = (1U << offset_bits) - 1;

  std::uint32_t note;

  __device__ std::uint32_t offset() const { return note & no_element; }
  __device__ std::uint32_t matches() const { return note >> offset_bits & ((1U << matches_bits) - 1); }
  __device__ std::uint32_t bytes() const { return note >> (offset_bits + matches_bits); }
  __device__ void add_literal() { note += 1U << (offset_bits + matches_bits); }
  __device__ void add_match(std::uint32_t length) {
    note += (length << (offset_bits + matches_bits)) + (1U << offset_bits);
  }
};

// A lane's range after it was decoded from a place on.
struct LaneRange {
  // The first bit that was not decoded.
  std::uint32_t end;
  // Segments up to there: those that are noted.
  std::uint32_t segments;
  // Whether what is there is not an element.
  bool is_stopped;
};

// What all lanes know of a region. It is in shared memory, as registers limit how many warps fit.
struct alignas(16) RegionFacts {
  // The bit of the payload that is the first of the words; before the payload, modulo 2^64.
  std::uint64_t base;
  // In the words: the first bit, and the one behind the last element.
  std::uint32_t first;
  std::uint32_t end;
  // Segments, the next of them to be written, and bytes that all decode to.
  std::uint32_t count;
  std::uint32_t next;
  std::uint32_t bytes;
  // Whether what is at the end is not an element.
  bool is_stopped;
};

// What a warp has in shared memory for a region of segments of `SegmentBits` bits.
template <std::uint32_t SegmentBits>
struct RegionMemory {
  // An element has 48 bits at most, so that none goes past a whole segment.
  static_assert(SegmentBits >= 48);
  static_assert(SegmentBits <= SegmentNote::most_segment_bits);
  static constexpr std::uint32_t lane_bits = segments_of_lane * SegmentBits;
  // The region begins in the first four words; the last element and what is read ahead are behind it.
  static constexpr std::uint32_t word_count = lane_bits + 8;
  static_assert(word_count % 4 == 0);

  FourWords words[word_count / 4];
  SegmentNote segments[segments_of_region];
  RegionFacts facts;

  __device__ BitWindow window(std::uint32_t place) const {
    return {reinterpret_cast<const std::uint32_t*>(words), place};
  }
};

template <std::uint32_t SegmentBits>
class Region {
public:
  using Memory = RegionMemory<SegmentBits>;

  // All lanes, as for all other functions.
  __device__ Region(Memory& memory, const SubstreamTables& tables) : memory_(memory), tables_(tables) {
    set_facts({.base = 0, .first = 0, .end = 0, .count = 0, .next = 0, .bytes = 0, .is_stopped = false});
  }

  // Whether segments are left to be written.
  __device__ bool has_segments() const { return memory_.facts.next < memory_.facts.count; }

  // All lanes: finds the segments of the region at `input`, for an output with `room` bytes. False where
  // something is wrong with them.
  __device__ bool find(const SeekableBits& input, std::uint32_t room) {
    const std::uint32_t lane = lane_number();
    const std::uint32_t first = load(input);
    const std::uint32_t begin = first + lane * Memory::lane_bits;
    // At first from the middle of the range: where decoding leaves it then is as good a guess as there is of
    // where it leaves it. What it notes is right if it is met later.
    constexpr std::uint32_t middle_segment = segments_of_lane / 2;
    std::uint32_t segment = middle_segment;
    std::uint32_t start = begin + middle_segment * SegmentBits;
    for (std::uint32_t i = 0; i < middle_segment; ++i) notes_of_lane()[i] = {SegmentNote::no_element};
    LaneRange range = {.end = 0, .segments = 0, .is_stopped = false};
    bool is_wrong = true;
    std::uint32_t right_lanes = 0;
    for (;;) {
      if (is_wrong) count_range(start, segment, begin, range);
      const std::uint32_t end_before = __shfl_up_sync(every_lane, range.end, 1);
      const bool stopped_before = __shfl_up_sync(every_lane, range.is_stopped ? 1U : 0U, 1) != 0;
      if (segment != 0) {
        segment = 0;
        start = lane == 0 || stopped_before ? begin : end_before;
        continue;
      }
      is_wrong = lane > 0 && !stopped_before && end_before != start;
      const std::uint32_t wrong = __ballot_sync(every_lane, is_wrong);
      const std::uint32_t stopped = __ballot_sync(every_lane, range.is_stopped);
      // Up to the first that is stopped. All before the first wrong one are right.
      right_lanes = stopped == 0 ? lanes_of_warp : lowest_one(stopped);
      if (wrong == 0 || right_lanes < lowest_one(wrong)) break;
      if (is_wrong) start = end_before;
    }
    const auto last = static_cast<int>(right_lanes - 1);
    const bool is_stopped = __shfl_sync(every_lane, range.is_stopped ? 1U : 0U, last) != 0;
    const std::uint32_t end = __shfl_sync(every_lane, range.end, last);
    const std::uint32_t count =
        segments_of_lane * (right_lanes - 1) + __shfl_sync(every_lane, range.segments, last);
    const std::uint32_t bytes = bytes_of_lanes(count);
    const std::uint64_t base = input.bit() - first;
    if (base + end > std::uint64_t{input.words().count()} * 8 || bytes > room) return false;
    set_facts({.base = base,
               .first = first,
               .end = end,
               .count = count,
               .next = 0,
               .bytes = bytes,
               .is_stopped = is_stopped});
    return true;
  }

  // Of a region that was found, whether the element at its end is the end of the section, or not right.
  __device__ bool is_stopped() const { return memory_.facts.is_stopped; }
  // Of the next segment, which has its begin at the input's place.
  __device__ std::uint64_t end_of_segment() const {
    return memory_.facts.base + place_of(memory_.facts.next + 1);
  }
  __device__ void skip_segment() { set_next(memory_.facts.next + 1); }
  // Of all segments: what they decode to, and the place of the input after them.
  __device__ std::uint32_t bytes() const { return memory_.facts.bytes; }
  __device__ std::uint64_t end() const { return memory_.facts.base + memory_.facts.end; }
  __device__ void skip_segments() { set_next(memory_.facts.count); }

  // What stage_segments() has done.
  struct Staged {
    // None where not even the next segment fits, or where a match has a source before the output's begin.
    std::uint32_t bytes;
    std::uint32_t matches;
    // The place of the input after it.
    std::uint64_t bit;
    bool is_wrong;
    bool is_too_large;
  };

  // All lanes: as many segments as fit are staged, for `place` of the output on.
  __device__ Staged stage_segments(StagedOutput& staged, std::uint8_t* output, std::uint32_t place) {
    const std::uint32_t lane = lane_number();
    const std::uint32_t number = memory_.facts.next + lane;
    const SegmentNote own = number < memory_.facts.count ? memory_.segments[number] : SegmentNote{0};
    // With those before it. Bytes and matches of 32 segments are in one word.
    constexpr std::uint32_t matches_bits = 12;
    const std::uint32_t sums = sum_up_to_lane(own.bytes() << matches_bits | own.matches());
    const std::uint32_t bytes_after = sums >> matches_bits;
    const std::uint32_t matches_after = lowest_bits(sums, matches_bits);
    const std::uint32_t skew = skew_of_piece(output + place);
    const bool fits = skew + bytes_after <= staged_bytes && matches_after <= most_matches;
    const std::uint32_t taken = count_of_ones(__ballot_sync(every_lane, fits));
    if (taken == 0) return {.bytes = 0, .matches = 0, .bit = 0, .is_wrong = false, .is_too_large = true};
    const auto last = static_cast<int>(taken - 1);
    const std::uint32_t bytes = __shfl_sync(every_lane, bytes_after, last);
    const std::uint32_t place_after = place_of(number + 1);
    const StagedPlace piece = place_of_piece(output, {.place = place, .bytes = bytes, .matches = 0});
    bool is_wrong = false;
    if (lane < taken) {
      is_wrong = !stage_segment(place_of(number), place_after, skew + bytes_after - own.bytes(),
                                matches_after - own.matches(), piece, staged);
    }
    if (__any_sync(every_lane, is_wrong) != 0)
      return {.bytes = 0, .matches = 0, .bit = 0, .is_wrong = true, .is_too_large = false};
    // Others read what is staged, and the next region takes the place of the words.
    set_next(memory_.facts.next + taken);
    return {.bytes = bytes,
            .matches = __shfl_sync(every_lane, matches_after, last),
            .bit = memory_.facts.base + __shfl_sync(every_lane, place_after, last),
            .is_wrong = false,
            .is_too_large = false};
  }

private:
  // Once all lanes have read what was there.
  __device__ void set_facts(const RegionFacts& facts) {
    __syncwarp();
    if (lane_number() == 0) memory_.facts = facts;
    __syncwarp();
  }
  __device__ void set_next(std::uint32_t next) {
    __syncwarp();
    if (lane_number() == 0) memory_.facts.next = next;
    __syncwarp();
  }

  // All lanes: the words of the region. The place of its first bit in them.
  __device__ std::uint32_t load(const SeekableBits& input) {
    const std::uint8_t* const address = input.words().begin() + input.bit() / 8;
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 16);
    for (std::uint32_t i = lane_number(); i < Memory::word_count / 4; i += lanes_of_warp) {
      memory_.words[i] = input.words().four_words(address - skew + std::uint64_t{i} * 16);
    }
    __syncwarp();
    return skew * 8 + static_cast<std::uint32_t>(input.bit() % 8);
  }

  // Of a segment of the region; where it has none, behind the last.
  __device__ std::uint32_t place_of(std::uint32_t number) const {
    const RegionFacts& facts = memory_.facts;
    return number < facts.count ? facts.first + number * SegmentBits + memory_.segments[number].offset()
                                : facts.end;
  }

  __device__ SegmentNote* notes_of_lane() const {
    return memory_.segments + lane_number() * segments_of_lane;
  }

  // Decodes from `start`, in segment `number` of the range that begins at `begin`, to the range's end, and
  // notes segments. Where it meets what was decoded before, `range` and the notes, all behind is the same.
  __device__ void count_range(std::uint32_t start, std::uint32_t number, std::uint32_t begin,
                              LaneRange& range) const {
    SegmentNote* const notes = notes_of_lane();
    const std::uint32_t end = begin + Memory::lane_bits;
    BitWindow window = memory_.window(start);
    // The begin of the next segment; `number` is the next one's too, from the first element on.
    std::uint32_t border = begin + number * SegmentBits;
    const std::uint32_t first = number;
    SegmentNote note = {0};
    bool is_stopped = false;
    while (window.place() < end) {
      if (window.place() >= border) {
        if (number != first) notes[number - 1] = note;
        note = {window.place() - border};
        if (number < range.segments && notes[number].offset() == note.offset()) return;
        ++number;
        border += SegmentBits;
      }
      const std::uint32_t bits = take_element(
          window, tables_, [&](std::uint32_t /*literal*/) { note.add_literal(); },
          [&](std::uint32_t length, std::uint32_t /*distance*/) { note.add_match(length); });
      is_stopped = bits == 0;
      if (is_stopped) break;
      window.advance(bits);
    }
    notes[number - 1] = note;
    range = {.end = window.place(), .segments = number, .is_stopped = is_stopped};
  }

  // All lanes: what the first `count` segments decode to.
  __device__ std::uint32_t bytes_of_lanes(std::uint32_t count) const {
    std::uint32_t bytes = 0;
    // Those that the lane has noted itself.
    for (std::uint32_t i = 0; i < segments_of_lane; ++i) {
      const std::uint32_t number = lane_number() * segments_of_lane + i;
      if (number < count) bytes += memory_.segments[number].bytes();
    }
    return __shfl_sync(every_lane, sum_up_to_lane(bytes), lanes_of_warp - 1);
  }

  // Puts the elements from `begin` to `end` to `place` of what is staged, and their matches from number
  // `match` on. False for a match that begins before the output.
  __device__ bool stage_segment(std::uint32_t begin, std::uint32_t end, std::uint32_t place,
                                std::uint32_t match, const StagedPlace& piece, StagedOutput& staged) const {
    std::uint8_t* const bytes = staged.bytes();
    const auto written = static_cast<std::uint32_t>(piece.origin + piece.begin - piece.output);
    BitWindow window = memory_.window(begin);
    bool is_right = true;
    while (window.place() < end) {
      window.advance(take_element(
          window, tables_,
          [&](std::uint32_t literal) {
            bytes[place] = static_cast<std::uint8_t>(literal);
            ++place;
          },
          [&](std::uint32_t length, std::uint32_t distance) {
            if (distance > written + place - piece.begin) {
              is_right = false;
            } else {
              staged.queue(match, place, distance, length);
              if (distance > place - piece.begin) prefetch(piece.origin + place - distance);
            }
            ++match;
            place += length;
          }));
    }
    return is_right;
  }

  __device__ static void prefetch([[maybe_unused]] const std::uint8_t* address) {
#if defined(__CUDACC__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
  }

  Memory& memory_;
  const SubstreamTables& tables_;
};

}  // namespace
}  // namespace gsst::codag
