#include "common/format/tile_integer/dict_rules.hpp"

#include <bit>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/tile_integer/payload_checks.hpp"

namespace gsst::format::tile_integer {
namespace {

// A field of the header that is a power of two and at most `most`.
std::uint32_t checked_power(std::span<const std::uint8_t> payload, std::size_t offset, std::uint32_t most,
                            const char* field, std::uint64_t block) {
  const std::uint32_t found = payload[offset];
  if (std::has_single_bit(found) && found <= most) return found;
  throw FormatError(
      block, field,
      "are " + std::to_string(found) + ", expected a power of two of at most " + std::to_string(most));
}

std::uint64_t code_at(const std::uint8_t* code, std::uint32_t code_bytes) {
  if (code_bytes == 1) return *code;
  return code_bytes == 2 ? load_little_endian<2>(code) : load_little_endian<4>(code);
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class DictPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    check_dict_payload(payload, expected.uncompressed_bytes, block);
    return {.traits = 0, .holder = block, .part = nullptr};
  }
};

}  // namespace

DictShape check_dict_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                             std::uint64_t block) {
  if (payload.size() < dict_header_bytes) throw_cut(payload, "the header", block);
  DictShape shape{};
  shape.value_bytes =
      checked_power(payload, dict_value_bytes_offset, largest_value_bytes, "bytes of a value", block);
  shape.code_bytes =
      checked_power(payload, dict_code_bytes_offset, largest_code_bytes, "bytes of a code", block);
  check_zero(payload.subspan(dict_reserved_offset, dict_value_count_offset - dict_reserved_offset),
             "reserved", block);
  shape.values = uncompressed_bytes / shape.value_bytes;
  shape.rest_bytes = uncompressed_bytes % shape.value_bytes;
  check_equal(load_little_endian<4>(payload.data() + dict_value_count_offset), shape.values,
              "number of values", "the block's record", block);
  shape.entries = static_cast<std::uint32_t>(load_little_endian<4>(payload.data() + dict_entry_count_offset));
  if (shape.entries > shape.values) {
    throw FormatError(
        block, "number of entries",
        "is " + std::to_string(shape.entries) + ", more than " + std::to_string(shape.values) + " values");
  }
  const std::uint64_t end = shape.rest_offset() + shape.rest_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  for (std::uint32_t i = 0; i < shape.values; ++i) {
    const std::uint64_t code = code_at(
        payload.data() + shape.codes_offset() + std::uint64_t{i} * shape.code_bytes, shape.code_bytes);
    if (code >= shape.entries) {
      throw FormatError(block, "codes",
                        "say that value " + std::to_string(i) + " is entry " + std::to_string(code) + " of " +
                            std::to_string(shape.entries));
    }
  }
  check_zero(payload.subspan(end), "padding", block);
  return shape;
}

std::uint64_t DictRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                           std::uint64_t uncompressed_bytes) const {
  // As many entries as values, which are bytes.
  return padded_payload_bytes(dict_header_bytes + (1 + largest_code_bytes) * uncompressed_bytes,
                              payload_alignment);
}

std::uint64_t DictRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                             std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> DictRules::start_pass() const {
  return std::make_unique<DictPass>();
}

StatusText DictRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
