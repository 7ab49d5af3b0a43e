#pragma once

#include <bit>
#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/substream_input.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A region of a section's elements: 32 ranges of bits, each decoded by a lane. Which elements begin in a
// range is guessed, and verified by the lane before.
namespace gsst::codag {
namespace {

constexpr std::uint32_t segments_of_lane = 4;
constexpr std::uint32_t segments_of_region = segments_of_lane * lanes_of_warp;

// The first element that begins in a segment, and what is before it: in the lane's range, later in the
// region.
struct SegmentStart {
  std::uint32_t bytes;
  std::uint16_t place;
  std::uint16_t matches;
};

// An element as a lane sees it.
struct LaneElement {
  // 0 where it is the section's end, or no element.
  std::uint32_t bits;
  std::uint32_t bytes;
  // 0 for a literal.
  std::uint32_t distance;
  std::uint32_t literal;
};

__device__ inline LaneElement element_at(const BitWindow& window, const DeflateTables& tables) {
  constexpr LaneElement none = {.bits = 0, .bytes = 0, .distance = 0, .literal = 0};
  RegisterBits first(window.first_bits());
  const std::uint32_t symbol = tables.literals.fetch(first);
  if (symbol < end_of_section) return {.bits = first.taken(), .bytes = 1, .distance = 0, .literal = symbol};
  // The end of the section becomes a large number.
  const std::uint32_t length_symbol = symbol - end_of_section - 1;
  if (length_symbol > last_length_symbol) return none;
  const std::uint32_t length = fetch_length(length_symbol, first);
  RegisterBits second(window.later_bits(first.taken()));
  const std::uint32_t distance_symbol = tables.distances.fetch(second);
  if (distance_symbol > last_distance_symbol) return none;
  const std::uint32_t distance = fetch_distance(distance_symbol, second);
  return {.bits = first.taken() + second.taken(), .bytes = length, .distance = distance, .literal = 0};
}

// A lane's range after it was decoded from a place on.
struct LaneRange {
  // The first bit that was not decoded.
  std::uint32_t end;
  std::uint32_t bytes;
  std::uint32_t matches;
  // Whether what is there is not an element.
  bool is_stopped;
};

// What a warp has in shared memory for a region of segments of `SegmentBits` bits.
template <std::uint32_t SegmentBits>
struct RegionMemory {
  // An element has 48 bits at most, so that none goes past a whole segment.
  static_assert(SegmentBits >= 48);
  static constexpr std::uint32_t lane_bits = segments_of_lane * SegmentBits;
  // The region begins in the first four words; the last element and what is read ahead are behind it.
  static constexpr std::uint32_t word_count = lane_bits + 8;
  static_assert(word_count % 4 == 0);

  FourWords words[word_count / 4];
  SegmentStart segments[segments_of_region + 1];

  __device__ BitWindow window(std::uint32_t place) const {
    return {reinterpret_cast<const std::uint32_t*>(words), place};
  }
};

template <std::uint32_t SegmentBits>
class Region {
public:
  using Memory = RegionMemory<SegmentBits>;

  __device__ Region(Memory& memory, const DeflateTables& tables) : memory_(memory), tables_(tables) {}

  // Whether segments are left to be written.
  __device__ bool has_segments() const { return next_ < count_; }

  // All lanes: finds the segments of the region at `input`, for an output with `room` bytes. False where
  // something is wrong with them.
  __device__ bool find(const SeekableBits& input, std::uint32_t room) {
    count_ = 0;
    const std::uint32_t first = load(input);
    const std::uint32_t begin = first + lane_number() * Memory::lane_bits;
    std::uint32_t start = guess_starts(begin);
    LaneRange range = {.end = 0, .bytes = 0, .matches = 0, .is_stopped = false};
    bool is_wrong = true;
    std::uint32_t right_lanes = 0;
    for (;;) {
      if (is_wrong) range = count_range(start, begin);
      const std::uint32_t end_before = __shfl_up_sync(every_lane, range.end, 1);
      const bool stopped_before = __shfl_up_sync(every_lane, range.is_stopped ? 1U : 0U, 1) != 0;
      is_wrong = lane_number() > 0 && !stopped_before && end_before != start;
      const std::uint32_t wrong = __ballot_sync(every_lane, is_wrong);
      const std::uint32_t stopped = __ballot_sync(every_lane, range.is_stopped);
      // Up to the first that is stopped. All before the first wrong one are right.
      right_lanes = stopped == 0 ? lanes_of_warp : lowest_one(stopped);
      if (wrong == 0 || right_lanes < lowest_one(wrong)) break;
      if (is_wrong) start = end_before;
    }
    const auto last = static_cast<int>(right_lanes - 1);
    is_stopped_ = __shfl_sync(every_lane, range.is_stopped ? 1U : 0U, last) != 0;
    const std::uint32_t end = __shfl_sync(every_lane, range.end, last);
    const std::uint32_t bytes = sum_up(range, right_lanes, end);
    if (base_ + end > std::uint64_t{input.words().count()} * 8 || bytes > room) return false;
    count_ = segments_of_lane * right_lanes;
    next_ = 0;
    return true;
  }

  // Of a region that was found, whether the element at its end is the end of the section, or not right.
  __device__ bool is_stopped() const { return is_stopped_; }
  // Of the next segment, which has its begin at the input's place.
  __device__ std::uint64_t end_of_segment() const { return base_ + memory_.segments[next_ + 1].place; }
  __device__ void skip_segment() { ++next_; }
  // Of all segments: what they decode to, and the place of the input after them.
  __device__ std::uint32_t bytes() const { return memory_.segments[segments_of_region].bytes; }
  __device__ std::uint64_t end() const { return base_ + memory_.segments[segments_of_region].place; }
  __device__ void skip_segments() { next_ = count_; }

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
    const auto segment_of = [&](std::uint32_t number) {
      return memory_.segments[number < segments_of_region ? number : segments_of_region];
    };
    const SegmentStart own = segment_of(next_ + lane);
    const SegmentStart after = segment_of(next_ + lane + 1);
    const std::uint32_t first_bytes = __shfl_sync(every_lane, own.bytes, 0);
    const std::uint32_t first_match = __shfl_sync(every_lane, std::uint32_t{own.matches}, 0);
    const std::uint32_t skew = skew_of_piece(output + place);
    const bool fits =
        skew + after.bytes - first_bytes <= staged_bytes && after.matches - first_match <= most_matches;
    const auto taken = static_cast<std::uint32_t>(std::popcount(__ballot_sync(every_lane, fits)));
    if (taken == 0) return {.bytes = 0, .matches = 0, .bit = 0, .is_wrong = false, .is_too_large = true};
    const auto last = static_cast<int>(taken - 1);
    const std::uint32_t bytes = __shfl_sync(every_lane, after.bytes, last) - first_bytes;
    const StagedPlace piece = place_of_piece(output, {.place = place, .bytes = bytes, .matches = 0});
    bool is_wrong = false;
    if (lane < taken) {
      is_wrong = !stage_segment(own.place, after.place, skew + own.bytes - first_bytes,
                                own.matches - first_match, piece, staged);
    }
    if (__any_sync(every_lane, is_wrong) != 0)
      return {.bytes = 0, .matches = 0, .bit = 0, .is_wrong = true, .is_too_large = false};
    // Others read what is staged, and the next region takes the place of the words.
    __syncwarp();
    next_ += taken;
    return {.bytes = bytes,
            .matches = __shfl_sync(every_lane, std::uint32_t{after.matches}, last) - first_match,
            .bit = base_ + __shfl_sync(every_lane, std::uint32_t{after.place}, last),
            .is_wrong = false,
            .is_too_large = false};
  }

private:
  // All lanes: the words of the region. The place of its first bit in them.
  __device__ std::uint32_t load(const SeekableBits& input) {
    const std::uint8_t* const address = input.words().begin() + input.bit() / 8;
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 16);
    base_ = input.bit() / 8 * 8 - std::uint64_t{skew} * 8;
    for (std::uint32_t i = lane_number(); i < Memory::word_count / 4; i += lanes_of_warp) {
      memory_.words[i] = input.words().four_words(address - skew + std::uint64_t{i} * 16);
    }
    __syncwarp();
    return skew * 8 + static_cast<std::uint32_t>(input.bit() % 8);
  }

  // Where the first element of a lane's range begins, as far as one can know: where decoding leaves the range
  // before if it begins at its middle.
  __device__ std::uint32_t guess_starts(std::uint32_t begin) const {
    BitWindow window = memory_.window(begin + segments_of_lane / 2 * SegmentBits);
    const std::uint32_t end = begin + Memory::lane_bits;
    bool is_stopped = false;
    while (window.place() < end && !is_stopped) {
      const LaneElement element = element_at(window, tables_);
      is_stopped = element.bits == 0;
      window.advance(element.bits);
    }
    const std::uint32_t guess = __shfl_up_sync(every_lane, is_stopped ? end : window.place(), 1);
    return lane_number() == 0 ? begin : guess;
  }

  // Decodes from `start` to the end of the range that begins at `begin`, and notes the begins of segments.
  __device__ LaneRange count_range(std::uint32_t start, std::uint32_t begin) {
    SegmentStart* segment = memory_.segments + lane_number() * segments_of_lane;
    SegmentStart* const segments_end = segment + segments_of_lane;
    const std::uint32_t end = begin + Memory::lane_bits;
    BitWindow window = memory_.window(start);
    LaneRange range = {.end = 0, .bytes = 0, .matches = 0, .is_stopped = false};
    std::uint32_t border = begin;
    while (window.place() < end && !range.is_stopped) {
      if (window.place() >= border) {
        *segment++ = note_of(window.place(), range);
        border += SegmentBits;
      }
      const LaneElement element = element_at(window, tables_);
      range.is_stopped = element.bits == 0;
      range.bytes += element.bytes;
      range.matches += element.distance == 0 ? 0 : 1;
      window.advance(element.bits);
    }
    while (segment < segments_end) *segment++ = note_of(window.place(), range);
    range.end = window.place();
    return range;
  }

  __device__ static SegmentStart note_of(std::uint32_t place, const LaneRange& range) {
    return {.bytes = range.bytes,
            .place = static_cast<std::uint16_t>(place),
            .matches = static_cast<std::uint16_t>(range.matches)};
  }

  // All lanes: what precedes each segment in the region. Segments that are not of `right_lanes` become empty.
  // The bytes of all.
  __device__ std::uint32_t sum_up(const LaneRange& range, std::uint32_t right_lanes, std::uint32_t end) {
    const std::uint32_t lane = lane_number();
    const bool is_right = lane < right_lanes;
    std::uint32_t bytes = is_right ? range.bytes : 0;
    std::uint32_t matches = is_right ? range.matches : 0;
    for (std::uint32_t step = 1; step < lanes_of_warp; step *= 2) {
      const std::uint32_t bytes_before = __shfl_up_sync(every_lane, bytes, step);
      const std::uint32_t matches_before = __shfl_up_sync(every_lane, matches, step);
      if (lane >= step) {
        bytes += bytes_before;
        matches += matches_before;
      }
    }
    const LaneRange all = {.end = end,
                           .bytes = __shfl_sync(every_lane, bytes, lanes_of_warp - 1),
                           .matches = __shfl_sync(every_lane, matches, lanes_of_warp - 1),
                           .is_stopped = false};
    const SegmentStart behind = note_of(end, all);
    SegmentStart* const own = memory_.segments + lane * segments_of_lane;
    for (std::uint32_t i = 0; i < segments_of_lane; ++i) {
      if (is_right) {
        own[i].bytes += bytes - range.bytes;
        own[i].matches = static_cast<std::uint16_t>(own[i].matches + matches - range.matches);
      } else {
        own[i] = behind;
      }
    }
    if (lane == 0) memory_.segments[segments_of_region] = behind;
    __syncwarp();
    return all.bytes;
  }

  // Puts the elements from `begin` to `end` to `place` of what is staged, and their matches from number
  // `match` on. False for a match that begins before the output.
  __device__ bool stage_segment(std::uint32_t begin, std::uint32_t end, std::uint32_t place,
                                std::uint32_t match, const StagedPlace& piece, StagedOutput& staged) const {
    std::uint8_t* const bytes = staged.bytes();
    const auto written = static_cast<std::uint32_t>(piece.origin + piece.begin - piece.output);
    BitWindow window = memory_.window(begin);
    while (window.place() < end) {
      const LaneElement element = element_at(window, tables_);
      if (element.distance == 0) {
        bytes[place] = static_cast<std::uint8_t>(element.literal);
      } else {
        if (element.distance > written + place - piece.begin) return false;
        staged.queue(match, place, element.distance, element.bytes);
        ++match;
        if (element.distance > place - piece.begin) prefetch(piece.origin + place - element.distance);
      }
      place += element.bytes;
      window.advance(element.bits);
    }
    return true;
  }

  __device__ static void prefetch([[maybe_unused]] const std::uint8_t* address) {
#if defined(__CUDACC__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
  }

  Memory& memory_;
  const DeflateTables& tables_;
  // The bit of the payload that is the first of the words; before the payload, modulo 2^64.
  std::uint64_t base_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t count_ = 0;
  bool is_stopped_ = false;
};

}  // namespace
}  // namespace gsst::codag
