#include "common/format/tile_integer/for_rules.hpp"

#include <algorithm>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"

namespace gsst::format::tile_integer {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

std::uint32_t word_at(ByteSpan payload, std::uint64_t word) {
  return static_cast<std::uint32_t>(load_little_endian<word_bytes>(payload.data() + word * word_bytes));
}

std::string of_packed_block(std::uint32_t packed_block) {
  return " of packed block " + std::to_string(packed_block);
}

[[noreturn]] void throw_cut(ByteSpan payload, const std::string& what, std::uint64_t block) {
  throw FormatError(block, "payload bytes",
                    "are " + std::to_string(payload.size()) + ", which is too few for " + what);
}

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

// Words of the four miniblocks together.
std::uint32_t checked_miniblock_words(std::uint32_t widths, const TypeShape& type, std::uint32_t packed_block,
                                      std::uint64_t block) {
  std::uint32_t words = 0;
  for (std::uint32_t miniblock = 0; miniblock < miniblocks_of_packed_block; ++miniblock) {
    const std::uint32_t width = widths >> 8 * miniblock & 0xff;
    if (width > type.max_width()) {
      throw FormatError(block, "widths",
                        "of miniblock " + std::to_string(miniblock) + of_packed_block(packed_block) + " is " +
                            std::to_string(width) + ", a value of type " + std::string(type.name) + " has " +
                            std::to_string(type.max_width()) + " bits");
    }
    words += width;
  }
  return words;
}

void check_start(ByteSpan payload, std::uint32_t packed_block, std::uint64_t expected, std::uint64_t block) {
  const std::uint32_t found = word_at(payload, header_bytes / word_bytes + packed_block);
  if (found == expected) return;
  throw FormatError(block, "starts",
                    "say word " + std::to_string(found) + " for number " + std::to_string(packed_block) +
                        ", expected " + std::to_string(expected));
}

// Goes through the packed blocks; returns the words up to the end of the last one.
std::uint64_t check_packed_blocks(ByteSpan payload, const ForPayload& checked, std::uint64_t block) {
  const TypeShape& type = shape_of(checked.type);
  std::uint64_t start = checked.shape.first_start();
  std::uint32_t largest = 0;
  for (std::uint32_t packed_block = 0; packed_block < checked.shape.packed_blocks; ++packed_block) {
    check_start(payload, packed_block, start, block);
    if ((start + type.words_besides_miniblocks()) * word_bytes > payload.size()) {
      throw_cut(payload, "the reference and the widths" + of_packed_block(packed_block), block);
    }
    const std::uint32_t widths = word_at(payload, start + type.reference_words);
    const std::uint32_t words =
        type.words_besides_miniblocks() + checked_miniblock_words(widths, type, packed_block, block);
    largest = std::max(largest, words);
    start += words;
  }
  check_start(payload, checked.shape.packed_blocks, start, block);
  check_equal(load_little_endian<4>(payload.data() + largest_offset), largest, "largest packed block",
              "the widths", block);
  return start;
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class ForPass final : public PayloadPass {
public:
  CheckedPayload check(ByteSpan payload, const BlockExpectation& expected, std::uint64_t block) override {
    const ForPayload checked = check_for_payload(payload, expected.uncompressed_bytes, block);
    return {.traits = trait_of(checked.type), .holder = block, .part = nullptr};
  }
};

}  // namespace

ForPayload check_for_payload(ByteSpan payload, std::uint32_t uncompressed_bytes, std::uint64_t block) {
  if (payload.size() < header_bytes) throw_cut(payload, "the header", block);
  const Type type = checked_type(payload, block);
  const ForPayload checked = {.type = type, .shape = block_shape(type, uncompressed_bytes)};
  check_header(payload, checked.shape, block);
  if (std::uint64_t{checked.shape.first_start()} * word_bytes > payload.size()) {
    throw_cut(payload, "the starts", block);
  }
  const std::uint64_t end =
      check_packed_blocks(payload, checked, block) * word_bytes + checked.shape.rest_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  check_zero(payload.subspan(end), "padding", block);
  return checked;
}

std::uint64_t max_for_payload_bytes(Type type, std::uint32_t uncompressed_bytes) {
  const TypeShape& of_type = shape_of(type);
  const BlockShape shape = block_shape(type, uncompressed_bytes);
  const std::uint64_t words_of_packed_block =
      of_type.words_besides_miniblocks() + miniblocks_of_packed_block * of_type.max_width();
  const std::uint64_t words = shape.first_start() + shape.packed_blocks * words_of_packed_block;
  return padded_payload_bytes(words * word_bytes + shape.rest_bytes, payload_alignment);
}

std::uint64_t ForRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                          std::uint64_t uncompressed_bytes) const {
  std::uint64_t most = 0;
  for (std::size_t type = 0; type < type_count; ++type) {
    most = std::max(
        most, max_for_payload_bytes(static_cast<Type>(type), static_cast<std::uint32_t>(uncompressed_bytes)));
  }
  return most;
}

std::uint64_t ForRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                            std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> ForRules::start_pass() const {
  return std::make_unique<ForPass>();
}

StatusText ForRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
