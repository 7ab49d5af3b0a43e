#include "cpu/tiles/parsed_codes.hpp"

#include <algorithm>
#include <numeric>

#include "common/format/part_size.hpp"

namespace gsst::cpu::tiles {
namespace {

// Each segment costs half a code where a symbol would cross its border, and some steps that the parser does
// not alternate with others.
constexpr std::size_t most_segment_bytes = std::size_t{16} << 10;
constexpr std::size_t least_segment_bytes = 1024;
// Parsers alternate between this many segments: with a multiple of it all end at nearly the same time.
constexpr std::size_t segments_at_once = 8;

std::size_t segment_bytes(std::size_t input_bytes) {
  const std::size_t rounds = format::part_size(input_bytes, segments_at_once * most_segment_bytes);
  return std::max<std::size_t>(format::part_size(input_bytes, segments_at_once * rounds),
                               least_segment_bytes);
}

}  // namespace

void ParsedCodes::parse(const MatchIndex& index, std::span<const std::uint8_t> input,
                        ParseSegments& parse_segments) {
  const SegmentedInput segmented{
      .bytes = input.data(), .size = input.size(), .segment_bytes = segment_bytes(input.size())};
  sizes_.resize(format::part_size(input.size(), segmented.segment_bytes));
  room_ = segment_room(segmented.segment_bytes);
  if (sizes_.size() * room_ > capacity_) {
    capacity_ = sizes_.size() * room_;
    codes_.reset();
    codes_ = std::make_unique_for_overwrite<std::uint8_t[]>(capacity_);
  }
  parse_segments(index, segmented, {.codes = codes_.get(), .room = room_, .sizes = sizes_.data()});
}

std::size_t ParsedCodes::bytes() const {
  return std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0});
}

}  // namespace gsst::cpu::tiles
