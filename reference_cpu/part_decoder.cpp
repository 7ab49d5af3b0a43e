#include "reference_cpu/part_decoder.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/tile_codec.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;
using format::FormatError;

[[noreturn]] void throw_codes_error(DecodeProblem problem, std::optional<std::uint64_t> block,
                                    std::optional<std::uint32_t> split) {
  throw FormatError(block, split ? "codes of split " + std::to_string(*split) : "codes", describe(problem));
}

void decode_whole(const format::BlockView& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number) {
  const DecodeProblem problem = decode_fast(block.table, block.codes, output);
  if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, std::nullopt);
}

void decode_split(const format::BlockView& block, std::uint32_t index, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number) {
  const format::Split split = block.split(index);
  const DecodeProblem problem =
      decode_fast(block.table, block.codes.subspan(split.first_code, split.code_bytes), output);
  if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, index);
}

void decode_coalesced_split(const format::BlockView& block, std::uint32_t index,
                            std::span<std::uint8_t> output, std::optional<std::uint64_t> block_number) {
  const format::Split split = block.split(index);
  std::vector<std::uint8_t> gathered(split.code_bytes);
  for (std::uint32_t code = 0; code < split.code_bytes; ++code) {
    gathered[code] = block.codes[format::coalesced_code_location(block.split_count, index, code)];
  }
  std::span<const std::uint8_t> codes = gathered;
  if (split.starts_escaped) {
    if (output.empty()) throw_codes_error(DecodeProblem::output_too_long, block_number, index);
    output[0] = codes[0];
    codes = codes.subspan(1);
    output = output.subspan(1);
  }
  const bool escapes_next = index + 1 < block.split_count && block.split(index + 1).starts_escaped;
  if (escapes_next) {
    if (codes.empty() || codes.back() != format::escape_code) {
      throw FormatError(block_number, "split location " + std::to_string(index + 1),
                        "says that the split starts with an escaped byte, but split " +
                            std::to_string(index) + " does not end with an escape");
    }
    codes = codes.first(codes.size() - 1);
  }
  const DecodeProblem problem = decode_fast(block.table, codes, output);
  if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, index);
}

}  // namespace

PartDecoder::PartDecoder(const format::BlockView& block, std::optional<std::uint64_t> block_number,
                         std::span<const std::uint8_t> table_block)
    : block_(block), block_number_(block_number) {
  if (!has_strips()) return;
  const format::TilesHeader header(block.header.data());
  if (table_block.empty() && header.dictionary_id() != 0) {
    throw std::invalid_argument("the block's table is in another block");
  }
  tile_table_ = format::read_tile_table(
      format::TilesHeader(table_block.empty() ? block.header.data() : table_block.data()));
}

bool PartDecoder::has_strips() const {
  return block_.format == BlockFormat::tiles && block_.layout != format::BlockLayout::raw;
}

std::uint32_t PartDecoder::part_count() const {
  return has_strips() ? format::TilesHeader(block_.header.data()).strip_count() : block_.split_count;
}

BlockPart PartDecoder::part(std::uint32_t part) const {
  if (has_strips()) {
    const format::TilesHeader header(block_.header.data());
    const std::uint32_t begin = header.strip_output(part);
    return {.output_offset = begin, .output_bytes = header.strip_output(part + 1) - begin};
  }
  const format::Split split = block_.split(part);
  return {.output_offset = split.output_offset, .output_bytes = split.output_bytes};
}

std::uint32_t PartDecoder::part_of(std::uint32_t output_offset) const {
  // The last part that starts here or before: empty ones before it may start at the same byte.
  std::uint32_t found = 0;
  std::uint32_t end = part_count();
  while (end - found > 1) {
    const std::uint32_t middle = found + (end - found) / 2;
    (part(middle).output_offset <= output_offset ? found : end) = middle;
  }
  return found;
}

void PartDecoder::decode(std::uint32_t part, std::span<std::uint8_t> output) const {
  if (block_.layout == format::BlockLayout::raw) {
    std::copy(block_.codes.begin(), block_.codes.end(), output.begin());
    return;
  }
  switch (block_.format) {
    case BlockFormat::blocks:
      return decode_whole(block_, output, block_number_);
    case BlockFormat::splits:
      return decode_split(block_, part, output, block_number_);
    case BlockFormat::coalesced:
      return decode_coalesced_split(block_, part, output, block_number_);
    case BlockFormat::tiles:
      return decode_strip(format::TilesHeader(block_.header.data()), *tile_table_, part, output,
                          block_number_);
    case BlockFormat::fsst:
      throw std::invalid_argument("a block of an fsst file does not say how long its output is");
  }
}

void PartDecoder::decode_all(std::span<std::uint8_t> output, unsigned threads) const {
  parallel_for(part_count(), threads, [&](std::size_t index) {
    const auto number = static_cast<std::uint32_t>(index);
    const BlockPart place = part(number);
    decode(number, output.subspan(place.output_offset, place.output_bytes));
  });
}

}  // namespace gsst::reference
