#include "common/format/tile_integer/for_rules.hpp"

#include <algorithm>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/payload_checks.hpp"
#include "common/format/tile_integer/run_block_check.hpp"

namespace gsst::format::tile_integer {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

Type checked_type(ByteSpan payload, std::uint64_t block) {
  const std::uint8_t type = payload[type_offset];
  if (type < type_count) return static_cast<Type>(type);
  throw FormatError(block, "type",
                    "is " + std::to_string(type) + ", expected 0 to " + std::to_string(type_count - 1));
}

void check_header(ByteSpan payload, const BlockShape& shape, std::uint64_t block) {
  check_zero(payload.subspan(first_reserved_offset, largest_offset - first_reserved_offset), "reserved",
             block);
  check_equal(load_little_endian<4>(payload.data() + value_count_offset), shape.values, "number of values",
              "the block's record", block);
  check_zero(payload.subspan(second_reserved_offset, header_bytes - second_reserved_offset), "reserved",
             block);
}

void check_start(ByteSpan payload, std::uint32_t unit, std::uint64_t expected, std::uint64_t block) {
  const std::uint32_t found = word_at(payload, header_bytes / word_bytes + unit);
  if (found == expected) return;
  throw FormatError(block, "starts",
                    "say word " + std::to_string(found) + " for number " + std::to_string(unit) +
                        ", expected " + std::to_string(expected));
}

// Checks the packed block at word `start`; returns the word after it.
std::uint64_t checked_packed_block_end(ByteSpan payload, std::uint64_t start, std::uint32_t packed_block,
                                       Packing packing, const TypeShape& type, std::uint64_t block) {
  const Place place = {.what = "packed block", .number = packed_block};
  const std::uint64_t first_miniblock =
      start + base_words(packing, type, packed_block) + type.words_besides_miniblocks();
  if (first_miniblock * word_bytes > payload.size()) {
    throw_cut(payload, "the reference and the widths" + place.text(), block);
  }
  const ByteSpan widths = payload.subspan((first_miniblock - 1) * word_bytes, miniblocks_of_packed_block);
  const std::uint64_t words = checked_miniblock_words(widths, type.max_width(), place, block);
  if (packing == Packing::one_width) {
    for (const std::uint8_t width : widths) {
      if (width == widths[0]) continue;
      throw FormatError(block, "widths",
                        "are " + std::to_string(widths[0]) + " and " + std::to_string(width) + place.text() +
                            ", expected one");
    }
  }
  return first_miniblock + words;
}

// The end of the interleaved block or vertical block at word `start`, which the next start says: it has a
// word of each of `lanes` lanes for each bit of the values' width.
std::uint64_t checked_lanes_end(ByteSpan payload, std::uint64_t start, std::uint32_t unit,
                                std::uint32_t lanes, const TypeShape& type, std::uint64_t block) {
  const std::uint64_t end = word_at(payload, header_bytes / word_bytes + unit + 1);
  const std::uint64_t first = start + type.reference_words;
  if (end >= first && (end - first) % lanes == 0 && (end - first) / lanes <= type.max_width()) {
    return end;
  }
  throw FormatError(block, "starts",
                    "say word " + std::to_string(end) + " for number " + std::to_string(unit + 1) +
                        ", expected " + std::to_string(first) + " and up to " +
                        std::to_string(type.max_width()) + " times " + std::to_string(lanes));
}

// Checks where a packed block of bits ends, which starts at word `start`; returns the word after it.
std::uint64_t checked_bits_end(ByteSpan payload, std::uint64_t start, std::uint32_t packed_block,
                               const TypeShape& type, std::uint64_t block) {
  const std::uint64_t end = word_at(payload, header_bytes / word_bytes + packed_block + 1);
  const std::uint64_t most = start + std::uint64_t{words_of_a_bit} * type.max_width();
  if (start <= end && end <= most && (end - start) % words_of_a_bit == 0) return end;
  throw FormatError(block, "starts",
                    "say word " + std::to_string(end) + " for number " + std::to_string(packed_block + 1) +
                        ", expected " + std::to_string(start) + " to " + std::to_string(most) +
                        " in steps of " + std::to_string(words_of_a_bit));
}

// The same for the unit of any format. `values_left`: of this unit and of all after it.
std::uint64_t checked_unit_end(ByteSpan payload, std::uint64_t start, std::uint32_t unit,
                               std::uint32_t values_left, Packing packing, const TypeShape& type,
                               std::uint64_t block) {
  switch (packing) {
    case Packing::runs:
      return checked_run_block_end(
          payload, start, {.number = unit, .values = std::min(values_left, run_block_values)}, type, block);
    case Packing::interleaved:
      return checked_lanes_end(payload, start, unit, interleaved_lanes, type, block);
    case Packing::vertical:
      return checked_lanes_end(payload, start, unit, vertical_lanes, type, block);
    case Packing::bits:
      return checked_bits_end(payload, start, unit, type, block);
    default:
      return checked_packed_block_end(payload, start, unit, packing, type, block);
  }
}

const char* name_of_largest(Packing packing) {
  switch (packing) {
    case Packing::runs:
      return "largest run block";
    case Packing::interleaved:
      return "largest interleaved block";
    case Packing::vertical:
      return "largest vertical block";
    default:
      return "largest packed block";
  }
}

// Of its reference, and of widths where it has some.
std::uint64_t max_words_of_unit(Packing packing, const TypeShape& type) {
  switch (packing) {
    case Packing::runs:
      return max_run_block_words(type);
    case Packing::interleaved:
      return type.reference_words + std::uint64_t{interleaved_lanes} * type.max_width();
    case Packing::vertical:
      return type.reference_words + std::uint64_t{vertical_lanes} * type.max_width();
    case Packing::bits:
      return std::uint64_t{miniblocks_of_packed_block} * type.max_width();
    default:
      return type.words_besides_miniblocks() + std::uint64_t{miniblocks_of_packed_block} * type.max_width();
  }
}

// Goes through the units; returns the words up to the end of the last one.
std::uint64_t check_units(ByteSpan payload, const ForPayload& checked, Packing packing, std::uint64_t block) {
  const TypeShape& type = shape_of(checked.type);
  std::uint64_t start = checked.shape.first_start();
  std::uint64_t largest = 0;
  for (std::uint32_t unit = 0; unit < checked.shape.units; ++unit) {
    check_start(payload, unit, start, block);
    const std::uint32_t values_left = checked.shape.values - unit * values_of_unit(packing);
    const std::uint64_t end = checked_unit_end(payload, start, unit, values_left, packing, type, block);
    largest = std::max(largest, end - start);
    start = end;
  }
  check_start(payload, checked.shape.units, start, block);
  check_equal(checked.largest, largest, name_of_largest(packing), "the widths", block);
  return start;
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class ForPass final : public PayloadPass {
public:
  explicit ForPass(Packing packing) : packing_(packing) {}

  CheckedPayload check(ByteSpan payload, const BlockExpectation& expected, std::uint64_t block) override {
    const ForPayload checked = check_for_payload(payload, expected.uncompressed_bytes, block, packing_);
    std::uint32_t traits = trait_of(checked.type);
    if (packing_ == Packing::runs) traits |= trait_of_largest_run_block(checked.largest);
    return {.traits = traits, .holder = block, .part = nullptr};
  }

private:
  Packing packing_;
};

}  // namespace

ForPayload check_for_payload(ByteSpan payload, std::uint32_t uncompressed_bytes, std::uint64_t block,
                             Packing packing) {
  if (payload.size() < header_bytes) throw_cut(payload, "the header", block);
  const Type type = checked_type(payload, block);
  const ForPayload checked = {
      .type = type,
      .shape = block_shape(type, uncompressed_bytes, values_of_unit(packing)),
      .largest = static_cast<std::uint32_t>(load_little_endian<4>(payload.data() + largest_offset))};
  check_header(payload, checked.shape, block);
  if (std::uint64_t{checked.shape.first_start()} * word_bytes > payload.size()) {
    throw_cut(payload, "the starts", block);
  }
  const std::uint64_t end =
      check_units(payload, checked, packing, block) * word_bytes + checked.shape.rest_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  check_zero(payload.subspan(end), "padding", block);
  return checked;
}

std::uint64_t max_for_payload_bytes(Type type, std::uint32_t uncompressed_bytes, Packing packing) {
  const TypeShape& of_type = shape_of(type);
  const BlockShape shape = block_shape(type, uncompressed_bytes, values_of_unit(packing));
  const std::uint64_t words_of_unit = max_words_of_unit(packing, of_type);
  const std::uint64_t words_of_bases =
      part_size(shape.units, packed_blocks_of_chain) * base_words(packing, of_type, 0);
  const std::uint64_t words = shape.first_start() + words_of_bases + shape.units * words_of_unit;
  return padded_payload_bytes(words * word_bytes + shape.rest_bytes, payload_alignment);
}

std::uint64_t ForRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                          std::uint64_t uncompressed_bytes) const {
  std::uint64_t most = 0;
  for (std::size_t type = 0; type < type_count; ++type) {
    most = std::max(most, max_for_payload_bytes(static_cast<Type>(type),
                                                static_cast<std::uint32_t>(uncompressed_bytes), packing_));
  }
  return most;
}

std::uint64_t ForRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                            std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> ForRules::start_pass() const {
  return std::make_unique<ForPass>(packing_);
}

StatusText ForRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
