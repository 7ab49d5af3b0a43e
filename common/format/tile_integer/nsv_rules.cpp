#include "common/format/tile_integer/nsv_rules.hpp"

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

// Bytes of the numbers that the codes of `values` values say. A value has no more bytes than its type.
std::uint64_t checked_number_bytes(std::span<const std::uint8_t> payload, std::uint32_t value_bytes,
                                   std::uint32_t values, std::uint64_t block) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < values; ++i) {
    const std::uint32_t code =
        payload[nsv_header_bytes + i / nsv_codes_of_byte] >> i % nsv_codes_of_byte * bits_of_nsv_code &
        nsv_code_mask;
    const std::uint32_t bytes = (code + 1) * nsv_step(value_bytes);
    if (bytes > value_bytes) {
      throw FormatError(block, "codes",
                        "say that value " + std::to_string(i) + " has " + std::to_string(bytes) +
                            " bytes, of at most " + std::to_string(value_bytes));
    }
    sum += bytes;
  }
  if (values % nsv_codes_of_byte != 0) {
    const std::uint32_t unused = payload[nsv_header_bytes + values / nsv_codes_of_byte] >>
                                 values % nsv_codes_of_byte * bits_of_nsv_code;
    check_equal(unused, 0, "codes", "the number of values", block);
  }
  return sum;
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class NsvPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const std::uint32_t value_bytes = check_nsv_payload(payload, expected.uncompressed_bytes, block);
    // Of the type only the size counts.
    constexpr std::array<Type, 4> by_size = {Type::i8, Type::i16, Type::i32, Type::i64};
    return {.traits = trait_of(by_size.at(static_cast<std::size_t>(std::countr_zero(value_bytes)))),
            .holder = block,
            .part = nullptr};
  }
};

}  // namespace

std::uint32_t check_nsv_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                                std::uint64_t block) {
  if (payload.size() < nsv_header_bytes) throw_cut(payload, "the header", block);
  const std::uint32_t value_bytes = payload[nsv_value_bytes_offset];
  if (!std::has_single_bit(value_bytes) || value_bytes > largest_value_bytes) {
    throw FormatError(block, "bytes of a value",
                      "are " + std::to_string(value_bytes) + ", expected a power of two of at most " +
                          std::to_string(largest_value_bytes));
  }
  check_zero(payload.subspan(nsv_first_reserved_offset, nsv_value_count_offset - nsv_first_reserved_offset),
             "reserved", block);
  const std::uint32_t values = uncompressed_bytes / value_bytes;
  check_equal(load_little_endian<4>(payload.data() + nsv_value_count_offset), values, "number of values",
              "the block's record", block);
  check_zero(payload.subspan(nsv_second_reserved_offset, nsv_header_bytes - nsv_second_reserved_offset),
             "reserved", block);
  const std::uint64_t numbers = nsv_numbers_offset(values);
  if (payload.size() < numbers) throw_cut(payload, "the codes", block);
  const std::uint64_t end =
      numbers + checked_number_bytes(payload, value_bytes, values, block) + uncompressed_bytes % value_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  check_zero(payload.subspan(end), "padding", block);
  return value_bytes;
}

std::uint64_t NsvRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                          std::uint64_t uncompressed_bytes) const {
  // The most codes are those of bytes.
  return padded_payload_bytes(nsv_header_bytes + uncompressed_bytes +
                                  (uncompressed_bytes + nsv_codes_of_byte - 1) / nsv_codes_of_byte,
                              payload_alignment);
}

std::uint64_t NsvRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                            std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> NsvRules::start_pass() const {
  return std::make_unique<NsvPass>();
}

StatusText NsvRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
