#include "common/format/tile_integer/nsf_rules.hpp"

#include <bit>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/tile_integer/payload_checks.hpp"

namespace gsst::format::tile_integer {
namespace {

// A field of the header that is a power of two and at most `most`.
std::uint32_t checked_byte_count(std::span<const std::uint8_t> payload, std::size_t offset,
                                 std::uint32_t most, const char* field, std::uint64_t block) {
  const std::uint32_t found = payload[offset];
  if (std::has_single_bit(found) && found <= most) return found;
  throw FormatError(
      block, field,
      "are " + std::to_string(found) + ", expected a power of two of at most " + std::to_string(most));
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class NsfPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    check_nsf_payload(payload, expected.uncompressed_bytes, block);
    return {.traits = 0, .holder = block, .part = nullptr};
  }
};

}  // namespace

NsfShape check_nsf_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                           std::uint64_t block) {
  if (payload.size() < nsf_header_bytes) throw_cut(payload, "the header", block);
  const std::uint32_t value_bytes =
      checked_byte_count(payload, nsf_value_bytes_offset, largest_value_bytes, "bytes of a value", block);
  const std::uint32_t number_bytes =
      checked_byte_count(payload, nsf_number_bytes_offset, value_bytes, "bytes of a number", block);
  const NsfShape shape = nsf_shape(value_bytes, number_bytes, uncompressed_bytes);
  check_zero(payload.subspan(nsf_first_reserved_offset, nsf_value_count_offset - nsf_first_reserved_offset),
             "reserved", block);
  check_equal(load_little_endian<4>(payload.data() + nsf_value_count_offset), shape.values,
              "number of values", "the block's record", block);
  check_zero(payload.subspan(nsf_second_reserved_offset, nsf_header_bytes - nsf_second_reserved_offset),
             "reserved", block);
  const std::uint64_t end = shape.rest_offset() + shape.rest_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  check_zero(payload.subspan(end), "padding", block);
  return shape;
}

std::uint64_t NsfRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                          std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(nsf_header_bytes + uncompressed_bytes, payload_alignment);
}

std::uint64_t NsfRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                            std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> NsfRules::start_pass() const {
  return std::make_unique<NsfPass>();
}

StatusText NsfRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
