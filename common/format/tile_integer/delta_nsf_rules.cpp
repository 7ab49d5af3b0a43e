#include "common/format/tile_integer/delta_nsf_rules.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/tile_integer/payload_checks.hpp"

namespace gsst::format::tile_integer {
namespace {

// A field of the header that is a power of two and at most `most`.
std::uint32_t checked_bytes(std::span<const std::uint8_t> payload, std::size_t offset, std::uint32_t most,
                            const char* field, std::uint64_t block) {
  const std::uint32_t found = payload[offset];
  if (std::has_single_bit(found) && found <= most) return found;
  throw FormatError(
      block, field,
      "are " + std::to_string(found) + ", expected a power of two of at most " + std::to_string(most));
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class DeltaNsfPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const std::uint32_t value_bytes = check_delta_nsf_payload(payload, expected.uncompressed_bytes, block);
    // Of the type only the size counts.
    constexpr std::array<Type, 4> by_size = {Type::i8, Type::i16, Type::i32, Type::i64};
    return {.traits = trait_of(by_size.at(static_cast<std::size_t>(std::countr_zero(value_bytes)))),
            .holder = block,
            .part = nullptr};
  }
};

}  // namespace

std::uint32_t check_delta_nsf_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                                      std::uint64_t block) {
  if (payload.size() < delta_nsf_header_bytes) throw_cut(payload, "the header", block);
  const std::uint32_t value_bytes =
      checked_bytes(payload, delta_nsf_value_bytes_offset, largest_value_bytes, "bytes of a value", block);
  const std::uint32_t number_bytes =
      checked_bytes(payload, delta_nsf_number_bytes_offset, value_bytes, "bytes of a number", block);
  check_zero(payload.subspan(delta_nsf_first_reserved_offset,
                             delta_nsf_value_count_offset - delta_nsf_first_reserved_offset),
             "reserved", block);
  const std::uint32_t values = uncompressed_bytes / value_bytes;
  check_equal(load_little_endian<4>(payload.data() + delta_nsf_value_count_offset), values,
              "number of values", "the block's record", block);
  check_zero(payload.subspan(delta_nsf_second_reserved_offset,
                             delta_nsf_base_offset - delta_nsf_second_reserved_offset),
             "reserved", block);
  const std::size_t base_end = delta_nsf_base_offset + value_bytes;
  check_zero(payload.subspan(base_end, delta_nsf_header_bytes - base_end), "base", block);
  const std::uint64_t end =
      delta_nsf_header_bytes + std::uint64_t{number_bytes} * values + uncompressed_bytes % value_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  check_zero(payload.subspan(end), "padding", block);
  return value_bytes;
}

std::uint64_t DeltaNsfRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                               std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(delta_nsf_header_bytes + uncompressed_bytes, payload_alignment);
}

std::uint64_t DeltaNsfRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                                 std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> DeltaNsfRules::start_pass() const {
  return std::make_unique<DeltaNsfPass>();
}

StatusText DeltaNsfRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
