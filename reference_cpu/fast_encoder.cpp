#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "reference_cpu/encode_step.hpp"
#include "reference_cpu/encoder.hpp"

// One parse waits for itself: where a symbol starts is known only after the one before it has been found,
// some 20 cycles a code. So the input is cut into four segments, each parsed from its start as if a symbol
// began there, in turns. Then the parses are joined: the true parse may enter a segment inside a symbol, and
// goes on until it meets a place where the segment's own parse has a symbol's start. From there on both are
// the same.
namespace gsst::reference {
namespace {

constexpr std::size_t segment_count = 4;
// Below this the joints cost more than the turns save.
constexpr std::size_t smallest_input = 4096;

// One segment's parse: its codes are at the segment's place in the output (twice its place in the input,
// which no encoding of the bytes before can reach).
struct Segment {
  const std::uint8_t* begin;
  const std::uint8_t* end;
  std::uint8_t* codes;
  EncodePosition position;
};

using Segments = std::array<Segment, segment_count>;

Segments cut(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) {
  Segments segments;
  const std::size_t segment_bytes = input.size() / segment_count;
  for (std::size_t i = 0; i < segment_count; ++i) {
    const bool last = i + 1 == segment_count;
    Segment& segment = segments[i];
    segment.begin = input.data() + i * segment_bytes;
    segment.end = last ? input.data() + input.size() : segment.begin + segment_bytes;
    segment.codes = output.data() + 2 * i * segment_bytes;
    segment.position = {.in = segment.begin, .out = segment.codes};
  }
  return segments;
}

void encode_step_within(const SymbolMatcher& matcher, EncodePosition& position,
                        const std::uint8_t* input_end) {
  const auto remaining = static_cast<std::size_t>(input_end - position.in);
  if (remaining >= 8) {
    encode_step(matcher, position);
  } else {
    encode_step_at_end(matcher, position, remaining);
  }
}

void parse_in_turns(const SymbolMatcher& matcher, Segments& segments) {
  // Copies that live in registers; 8 bytes stay before each end so that a word can be read.
  std::array<EncodePosition, segment_count> positions;
  std::array<const std::uint8_t*, segment_count> stops;
  for (std::size_t i = 0; i < segment_count; ++i) {
    positions[i] = segments[i].position;
    stops[i] = segments[i].end - 8;
  }
  while (positions[0].in <= stops[0] && positions[1].in <= stops[1] && positions[2].in <= stops[2] &&
         positions[3].in <= stops[3]) {
    for (EncodePosition& position : positions) encode_step(matcher, position);
  }
  const std::uint8_t* const input_end = segments.back().end;
  for (std::size_t i = 0; i < segment_count; ++i) {
    while (positions[i].in < segments[i].end) encode_step_within(matcher, positions[i], input_end);
    segments[i].position = positions[i];
  }
}

// Where the codes end and which input they stand for so far.
struct Joined {
  const std::uint8_t* in;
  std::uint8_t* out;
};

// Appends `segment` to what is joined so far, which may reach some bytes into it.
void join(const SymbolMatcher& matcher, const Segment& segment, const std::uint8_t* input_end,
          Joined& joined) {
  std::vector<std::uint8_t> bridge;
  std::array<std::uint8_t, 2> step_codes;
  const std::uint8_t* in = joined.in;
  EncodePosition own{.in = segment.begin, .out = segment.codes};
  while (in != own.in && in < segment.end) {
    EncodePosition step{.in = own.in < in ? own.in : in, .out = step_codes.data()};
    encode_step_within(matcher, step, input_end);
    const std::ptrdiff_t code_bytes = step.out - step_codes.data();
    if (own.in < in) {
      own = {.in = step.in, .out = own.out + code_bytes};
    } else {
      bridge.insert(bridge.end(), step_codes.begin(), step_codes.begin() + code_bytes);
      in = step.in;
    }
  }
  const bool met = in == own.in;
  const std::size_t own_bytes = met ? static_cast<std::size_t>(segment.position.out - own.out) : 0;
  std::uint8_t* const destination = joined.out + bridge.size();
  std::memmove(destination, own.out, own_bytes);
  std::copy(bridge.begin(), bridge.end(), joined.out);
  joined = {.in = met ? segment.position.in : in, .out = destination + own_bytes};
}

}  // namespace

std::size_t Encoder::encode_fast(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const {
  if (input.size() < smallest_input || output.size() < max_encoded_bytes(input.size())) {
    return encode(input, output);
  }
  Segments segments = cut(input, output);
  parse_in_turns(matcher_, segments);
  Joined joined{.in = segments[0].position.in, .out = segments[0].position.out};
  for (std::size_t i = 1; i < segment_count; ++i)
    join(matcher_, segments[i], input.data() + input.size(), joined);
  return static_cast<std::size_t>(joined.out - output.data());
}

}  // namespace gsst::reference
