#include "common/format/gsst/block.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/gsst/block_header_writer.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles.hpp"

namespace gsst::format {
namespace {

std::string split_field(std::uint32_t split) {
  return "split location " + std::to_string(split);
}

void check_present(std::size_t available, std::size_t needed, const char* field,
                   std::optional<std::uint64_t> block) {
  if (available >= needed) return;
  throw FormatError(block, field,
                    "truncated: the block has " + std::to_string(available) + " bytes, needs at least " +
                        std::to_string(needed));
}

// One code gives 1 to 8 bytes, an escape and its byte give one: outside these bounds a header is lying.
void check_possible(std::uint64_t code_bytes, std::uint64_t output_bytes, const std::string& field,
                    std::optional<std::uint64_t> block) {
  if (output_bytes > code_bytes * max_symbol_length || code_bytes > output_bytes * 2) {
    throw FormatError(block, field,
                      std::to_string(code_bytes) + " code bytes cannot decode to " +
                          std::to_string(output_bytes) + " bytes");
  }
}

void check_split_locations(const BlockHeader& header, std::uint32_t split_count, std::uint64_t limit,
                           const char* limit_name, std::optional<std::uint64_t> block) {
  if (header.split_location(0) != 0) {
    throw FormatError(block, split_field(0),
                      "is " + std::to_string(header.split_location(0)) + ", expected 0");
  }
  for (std::uint32_t split = 1; split < split_count; ++split) {
    const std::uint32_t previous = header.split_location(split - 1);
    const std::uint32_t location = header.split_location(split);
    if (location < previous) {
      throw FormatError(block, split_field(split),
                        "is " + std::to_string(location) + ", before the one of split " +
                            std::to_string(split - 1) + " at " + std::to_string(previous));
    }
    if (location > limit) {
      throw FormatError(
          block, split_field(split),
          "is " + std::to_string(location) + ", the block has " + std::to_string(limit) + " " + limit_name);
    }
  }
}

void check_splits(const BlockView& view, std::optional<std::uint64_t> block) {
  const BlockHeader header(view.header.data(), view.format, view.layout);
  const bool coalesced = view.format == BlockFormat::coalesced;
  check_split_locations(header, view.split_count, coalesced ? view.uncompressed_bytes : view.codes.size(),
                        coalesced ? "uncompressed bytes" : "code bytes", block);
  for (std::uint32_t index = 0; index < view.split_count; ++index) {
    const Split split = view.split(index);
    if (split.starts_escaped && (index == 0 || split.code_bytes == 0)) {
      throw FormatError(block, split_field(index),
                        index == 0 ? "the first split cannot start with an escaped byte"
                                   : "a split without codes cannot start with an escaped byte");
    }
    if (!coalesced) {
      check_possible(split.code_bytes, split.output_bytes, split_field(index), block);
    } else if (split.output_bytes > std::uint64_t{split.code_bytes} * max_symbol_length) {
      throw FormatError(block, split_field(index),
                        std::to_string(split.code_bytes) + " code bytes cannot decode to " +
                            std::to_string(split.output_bytes) + " bytes");
    }
  }
}

bool every_field_fits_narrow(const BlockParts& parts, std::uint64_t block_bytes) {
  if (!fits_narrow(block_bytes, parts.split_locations.size())) return false;
  const std::uint32_t escape_bit = BlockHeader(nullptr, parts.format, BlockLayout::narrow).escape_bit();
  const std::uint32_t largest_location =
      parts.format == BlockFormat::coalesced ? escape_bit - 1 : max_narrow_field;
  return parts.split_locations.empty() || parts.split_locations.back() <= largest_location;
}

}  // namespace

Split BlockView::split(std::uint32_t split) const {
  const auto code_count = static_cast<std::uint32_t>(codes.size());
  if (layout == BlockLayout::raw || !has_splits(format)) {
    return {.first_code = 0,
            .code_bytes = code_count,
            .output_offset = 0,
            .output_bytes = uncompressed_bytes,
            .starts_escaped = false};
  }
  const BlockHeader fields(header.data(), format, layout);
  const bool last = split + 1 == split_count;
  const std::uint32_t start = fields.split_location(split);
  if (format == BlockFormat::coalesced) {
    const std::uint32_t end = last ? uncompressed_bytes : fields.split_location(split + 1);
    return {.first_code = split,
            .code_bytes = coalesced_split_codes(code_count, split_count, split),
            .output_offset = start,
            .output_bytes = end - start,
            .starts_escaped = fields.starts_escaped(split)};
  }
  const std::uint32_t end = last ? code_count : fields.split_location(split + 1);
  const std::uint64_t split_size = part_size(uncompressed_bytes, split_count);
  const std::uint64_t output_start = std::min<std::uint64_t>(split * split_size, uncompressed_bytes);
  const std::uint64_t output_end = std::min<std::uint64_t>(output_start + split_size, uncompressed_bytes);
  return {.first_code = start,
          .code_bytes = end - start,
          .output_offset = static_cast<std::uint32_t>(output_start),
          .output_bytes = static_cast<std::uint32_t>(output_end - output_start),
          .starts_escaped = false};
}

BlockView parse_block(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                      std::optional<std::uint64_t> block) {
  BlockView view{.format = expected.format,
                 .layout = expected.layout,
                 .uncompressed_bytes = expected.uncompressed_bytes,
                 .split_count = expected.split_count,
                 .table = {},
                 .codes = {},
                 .header = {}};
  if (expected.layout == BlockLayout::raw) {
    check_raw_payload(payload, expected, block);
    view.split_count = 1;
    view.codes = payload.first(expected.uncompressed_bytes);
    return view;
  }
  if (expected.format == BlockFormat::tiles) {
    check_tiles_block(payload, expected.uncompressed_bytes, block);
    view.header = payload;
    return view;
  }

  const BlockHeader header(payload.data(), expected.format, expected.layout);
  check_present(payload.size(), header.fixed_header_bytes(), "block header", block);
  check_equal(header.block_bytes(), payload.size(), "block size", "its record", block);
  check_equal(header.uncompressed_bytes(), expected.uncompressed_bytes, "uncompressed size", "its record",
              block);
  if (has_splits(expected.format)) {
    check_equal(header.split_count(), expected.split_count, "number of splits", "the frame", block);
    check_present(payload.size(), header.header_bytes(), "split locations", block);
  }
  view.header = payload.first(header.header_bytes());
  const ParsedSymbolTable parsed = parse_symbol_table(payload.subspan(view.header.size()), block);
  view.table = parsed.table;
  view.codes = payload.subspan(view.header.size() + parsed.stored_bytes);
  check_possible(view.codes.size(), view.uncompressed_bytes, "uncompressed size", block);
  if (has_splits(view.format)) check_splits(view, block);
  return view;
}

BlockView parse_block(const FrameView& frame, std::size_t block) {
  const BlockRecord& record = frame.index.entries.at(block).record;
  const BlockView view = parse_block(frame.payload(block), expectation_of(frame.header, record), block);
  if (view.format == BlockFormat::tiles && view.layout != BlockLayout::raw) find_table(frame, block);
  return view;
}

BuiltBlock build_block(const BlockParts& parts) {
  const std::size_t table_bytes = stored_symbol_table_bytes(parts.table);
  const auto split_count = static_cast<std::uint32_t>(parts.split_locations.size());
  const std::size_t narrow_header = block_header_bytes(parts.format, BlockLayout::narrow, split_count);
  const bool narrow = every_field_fits_narrow(parts, narrow_header + table_bytes + parts.codes.size());

  BuiltBlock built{.layout = narrow ? BlockLayout::narrow : BlockLayout::wide, .bytes = {}};
  const std::size_t header_bytes = block_header_bytes(parts.format, built.layout, split_count);
  built.bytes.resize(header_bytes + table_bytes + parts.codes.size());
  std::uint8_t* out = built.bytes.data();
  const std::uint32_t escape_bit = BlockHeader(out, parts.format, built.layout).escape_bit();
  const BlockHeaderWriter header(out, parts.format, built.layout);
  header.write_fixed_fields(static_cast<std::uint32_t>(built.bytes.size()), parts.uncompressed_bytes,
                            split_count);
  for (std::uint32_t split = 0; split < split_count; ++split) {
    const bool escaped = !parts.split_starts_escaped.empty() && parts.split_starts_escaped[split] != 0;
    header.write_split_location(split, parts.split_locations[split] | (escaped ? escape_bit : 0));
  }
  write_symbol_table(parts.table, std::span(built.bytes).subspan(header_bytes));
  std::copy(parts.codes.begin(), parts.codes.end(),
            built.bytes.begin() + static_cast<std::ptrdiff_t>(header_bytes + table_bytes));
  return built;
}

std::uint64_t max_block_header_bytes(BlockFormat format, std::uint32_t split_count) {
  return block_header_bytes(format, BlockLayout::wide, split_count);
}

}  // namespace gsst::format
