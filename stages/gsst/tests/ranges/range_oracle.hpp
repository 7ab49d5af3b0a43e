#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/ranges.hpp"
#include "reference_cpu/part_decoder.hpp"
#include "stages/suite/range_oracle.hpp"

/// For tests: what the reference codec says about a range of a frame whose codes may be damaged.
namespace gsst::stage {

/// Adds what the reference decodes of bytes `begin` to `end` of a part's output. A part that goes wrong is
/// decoded over two different fillings: what is alike in both was written.
inline void add_part(RangeOracle& oracle, const reference::PartDecoder& parts, std::uint32_t part,
                     std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint8_t filling = 0x5a;
  std::vector<std::uint8_t> output(parts.part(part).output_bytes, filling);
  std::size_t known = output.size();
  try {
    parts.decode(part, output);
  } catch (const format::FormatError&) {
    oracle.is_right = false;
    std::vector<std::uint8_t> again(output.size(), static_cast<std::uint8_t>(~filling));
    try {
      parts.decode(part, again);
    } catch (const format::FormatError&) {
      known = static_cast<std::size_t>(std::ranges::mismatch(output, again).in1 - output.begin());
    }
  }
  for (std::uint32_t i = begin; i < end; ++i) {
    oracle.bytes.push_back(i < known ? std::optional(output[i]) : std::nullopt);
  }
}

/// `range` lies in the output of `frame`, which a plan accepts.
inline RangeOracle ask_range_oracle(const format::FrameView& frame, const ByteRange& range) {
  RangeOracle oracle;
  std::uint64_t position = range.offset;
  while (position < range.offset + range.bytes) {
    const std::uint64_t number = position / frame.header.block_size;
    const format::BlockView block = format::parse_block(frame, number);
    const bool has_table =
        block.format == format::BlockFormat::tiles && block.layout != format::BlockLayout::raw;
    const reference::PartDecoder parts(
        block, number, has_table ? format::find_table(frame, number) : std::span<const std::uint8_t>());
    const std::uint64_t block_begin = number * frame.header.block_size;
    const std::uint32_t part = parts.part_of(static_cast<std::uint32_t>(position - block_begin));
    const std::uint64_t part_begin = block_begin + parts.part(part).output_offset;
    const std::uint64_t end =
        std::min(range.offset + range.bytes, part_begin + parts.part(part).output_bytes);
    add_part(oracle, parts, part, static_cast<std::uint32_t>(position - part_begin),
             static_cast<std::uint32_t>(end - part_begin));
    position = end;
  }
  return oracle;
}

}  // namespace gsst::stage
