#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/segment_parsers.hpp"

/// The greedy parse around what an instruction set has.
///
/// Where a step starts depends on the step before, and each takes as long as a few loads that wait for each
/// other. So the parser alternates between several segments.
///
/// `Instructions` is a type of an unnamed namespace: the linker must not take for one processor what is
/// compiled for another.
namespace gsst::cpu::tiles {

static_assert(std::endian::native == std::endian::little, "symbols are compared as words");

/// Segments that are parsed alternately: enough to hide that each waits.
inline constexpr std::size_t streams_at_once = 8;
/// Bytes that a step reads, and the most that it advances.
inline constexpr std::size_t step_bytes = 8;
/// A stream with fewer bytes left is finished by itself.
inline constexpr std::size_t least_bytes_left = 64;

template <typename Instructions, unsigned Ways>
class SegmentParser {
public:
  SegmentParser(const MatchIndex& index, const SegmentedInput& input, const SegmentedCodes& output)
      : index_(index), input_(input), output_(output) {}

  void parse() {
    Stream streams[streams_at_once] = {};
    std::size_t live = 0;
    while (live < streams_at_once && begin_segment(streams[live])) ++live;
    while (live == streams_at_once && refill(streams)) parse_alternately(streams);
    for (std::size_t i = 0; i < live; ++i) finish(streams[i]);
  }

private:
  struct Stream {
    const std::uint8_t* at;
    const std::uint8_t* end;
    std::uint8_t* codes;
    std::size_t segment;

    std::size_t left() const { return static_cast<std::size_t>(end - at); }
  };

  bool begin_segment(Stream& stream) {
    const std::size_t begin = next_segment_ * input_.segment_bytes;
    if (begin >= input_.size) return false;
    const std::size_t left = input_.size - begin;
    stream.segment = next_segment_++;
    stream.at = input_.bytes + begin;
    stream.end = stream.at + (left < input_.segment_bytes ? left : input_.segment_bytes);
    stream.codes = output_.codes + stream.segment * output_.room;
    return true;
  }

  // Finishes each stream that is nearly at its end and gives it the next segment. Returns false if there is
  // none.
  bool refill(Stream (&streams)[streams_at_once]) {
    for (Stream& stream : streams) {
      while (stream.left() < least_bytes_left) {
        finish(stream);
        if (!begin_segment(stream)) return false;
      }
    }
    return true;
  }

  // As many steps as keep every stream inside its segment.
  void parse_alternately(Stream (&streams)[streams_at_once]) {
    std::size_t least = streams[0].left();
    for (const Stream& stream : streams) {
      if (stream.left() < least) least = stream.left();
    }
    const std::uint8_t* at[streams_at_once];
    std::uint8_t* codes[streams_at_once];
    for (std::size_t i = 0; i < streams_at_once; ++i) {
      at[i] = streams[i].at;
      codes[i] = streams[i].codes;
    }
    for (std::size_t steps = least / step_bytes; steps != 0; --steps) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < streams_at_once; ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, at[i], sizeof word);
        take(find(word), at[i], codes[i]);
      }
    }
    for (std::size_t i = 0; i < streams_at_once; ++i) {
      streams[i].at = at[i];
      streams[i].codes = codes[i];
    }
  }

  void finish(Stream& stream) {
    while (stream.left() >= step_bytes) {
      std::uint64_t word = 0;
      std::memcpy(&word, stream.at, sizeof word);
      take(find(word), stream.at, stream.codes);
    }
    while (stream.left() != 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, stream.at, stream.left());
      take(find_within(word, stream.left()), stream.at, stream.codes);
    }
    output_.sizes[stream.segment] =
        static_cast<std::uint32_t>(stream.codes - (output_.codes + stream.segment * output_.room));
  }

  [[gnu::always_inline]] static void take(Step step, const std::uint8_t*& at, std::uint8_t*& codes) {
    const auto both = static_cast<std::uint16_t>(step);
    std::memcpy(codes, &both, sizeof both);
    codes += step >> 24;
    at += step >> 16 & 0xff;
  }

  // The longest symbol that matches at the start of `word`.
  [[gnu::always_inline]] Step find(std::uint64_t word) const {
    Step step = index_.pairs[word & 0xffff];
    const MatchCandidate* const candidates = candidates_of(word);
#pragma GCC unroll 4
    for (unsigned way = 0; way < Ways; ++way) {
      const std::uint64_t different = (word ^ candidates[way].symbol) << candidates[way].shift;
      step = choose_if_zero(different, candidates[way].step, step);
    }
    return step;
  }

  // The same where the input ends after `left` bytes, fewer than a word has.
  Step find_within(std::uint64_t word, std::size_t left) const {
    Step step = index_.pairs[word & 0xffff];
    if ((step >> 16 & 0xff) > left) step = index_.bytes[word & 0xff];
    const MatchCandidate* const candidates = candidates_of(word);
    for (unsigned way = 0; way < Ways; ++way) {
      const MatchCandidate& candidate = candidates[way];
      const bool matches = (word ^ candidate.symbol) << candidate.shift == 0;
      if (matches && (candidate.step >> 16 & 0xff) <= left) step = candidate.step;
    }
    return step;
  }

  const MatchCandidate* candidates_of(std::uint64_t word) const {
    const std::uint32_t slot =
        (static_cast<std::uint32_t>(word) << 8) * std::uint32_t{0x9e3779b1} >> (32 - match_slot_bits);
    return index_.candidates + std::size_t{slot} * Ways;
  }

  // Without a branch: what comes next in a text is not predicted well. GCC makes a branch of a choice.
  [[gnu::always_inline]] static Step choose_if_zero(std::uint64_t value, Step if_zero, Step otherwise) {
#if defined(__x86_64__)
    asm("test %1, %1\n\tcmovz %2, %0" : "+r"(otherwise) : "r"(value), "rm"(if_zero) : "cc");
    return otherwise;
#else
    return value == 0 ? if_zero : otherwise;
#endif
  }

  const MatchIndex& index_;
  SegmentedInput input_;
  SegmentedCodes output_;
  std::size_t next_segment_ = 0;
};

template <typename Instructions>
void parse_segments_with(const MatchIndex& index, const SegmentedInput& input, const SegmentedCodes& output) {
  if (index.ways == 1) {
    SegmentParser<Instructions, 1>(index, input, output).parse();
  } else {
    SegmentParser<Instructions, most_match_ways>(index, input, output).parse();
  }
}

}  // namespace gsst::cpu::tiles
