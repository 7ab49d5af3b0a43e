#include "common/format/tile_integer/rle_rules.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/payload_checks.hpp"

namespace gsst::format::tile_integer {
namespace {

// A field of the header that is a power of two from `least` to `most`.
std::uint32_t checked_size(std::span<const std::uint8_t> payload, std::size_t offset, std::uint32_t least,
                           std::uint32_t most, const char* field, std::uint64_t block) {
  const std::uint32_t found = payload[offset];
  if (std::has_single_bit(found) && found >= least && found <= most) return found;
  throw FormatError(block, field,
                    "are " + std::to_string(found) + ", expected a power of two from " +
                        std::to_string(least) + " to " + std::to_string(most));
}

std::uint32_t length_at(const std::uint8_t* lengths, std::uint32_t length_bytes) {
  if (length_bytes == 1) return *lengths;
  return static_cast<std::uint32_t>(length_bytes == 2 ? load_little_endian<2>(lengths)
                                                      : load_little_endian<4>(lengths));
}

// Throws unless there are no empty runs and the lengths add up to the values.
void check_run_lengths(std::span<const std::uint8_t> payload, const RleShape& shape, std::uint64_t block) {
  const std::uint8_t* const lengths = payload.data() + shape.lengths_offset();
  std::uint64_t sum = 0;
  for (std::uint32_t run = 0; run < shape.runs; ++run) {
    const std::uint32_t length =
        length_at(lengths + std::uint64_t{run} * shape.length_bytes, shape.length_bytes);
    if (length == 0) throw FormatError(block, "lengths of runs", "run " + std::to_string(run) + " is empty");
    sum += length;
  }
  check_equal(sum, shape.values, "lengths of runs", "the number of values", block);
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class RlePass final : public PayloadPass {
public:
  explicit RlePass(bool has_short_numbers) : has_short_numbers_(has_short_numbers) {}

  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const RleShape shape = check_rle_payload(payload, expected.uncompressed_bytes, has_short_numbers_, block);
    // Of the type only the size counts.
    constexpr std::array<Type, 4> by_size = {Type::i8, Type::i16, Type::i32, Type::i64};
    return {.traits = trait_of(by_size.at(static_cast<std::size_t>(std::countr_zero(shape.value_bytes)))),
            .holder = block,
            .part = nullptr};
  }

private:
  bool has_short_numbers_;
};

}  // namespace

RleShape check_rle_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                           bool has_short_numbers, std::uint64_t block) {
  if (payload.size() < rle_header_bytes) throw_cut(payload, "the header", block);
  RleShape shape{};
  shape.value_bytes =
      checked_size(payload, rle_value_bytes_offset, 1, largest_value_bytes, "bytes of a value", block);
  shape.number_bytes =
      checked_size(payload, rle_number_bytes_offset, has_short_numbers ? 1 : shape.value_bytes,
                   shape.value_bytes, "bytes of a number", block);
  shape.length_bytes =
      checked_size(payload, rle_length_bytes_offset, has_short_numbers ? 1 : largest_length_bytes,
                   largest_length_bytes, "bytes of a length", block);
  check_zero(payload.subspan(rle_reserved_offset, rle_value_count_offset - rle_reserved_offset), "reserved",
             block);
  shape.values = uncompressed_bytes / shape.value_bytes;
  shape.rest_bytes = uncompressed_bytes % shape.value_bytes;
  check_equal(load_little_endian<4>(payload.data() + rle_value_count_offset), shape.values,
              "number of values", "the block's record", block);
  shape.runs = static_cast<std::uint32_t>(load_little_endian<4>(payload.data() + rle_run_count_offset));
  if (shape.runs > shape.values) {
    throw FormatError(
        block, "number of runs",
        "is " + std::to_string(shape.runs) + ", more than " + std::to_string(shape.values) + " values");
  }
  const std::uint64_t end = shape.rest_offset() + shape.rest_bytes;
  check_equal(payload.size(), padded_payload_bytes(end, payload_alignment), "payload bytes", "what it holds",
              block);
  check_run_lengths(payload, shape, block);
  check_zero(payload.subspan(end), "padding", block);
  return shape;
}

std::uint64_t RleRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                          std::uint64_t uncompressed_bytes) const {
  // As many runs as values, which are bytes.
  return padded_payload_bytes(rle_header_bytes + (1 + largest_length_bytes) * uncompressed_bytes,
                              payload_alignment);
}

std::uint64_t RleRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                            std::uint64_t uncompressed_bytes) const {
  return padded_payload_bytes(uncompressed_bytes, payload_alignment);
}

std::unique_ptr<PayloadPass> RleRules::start_pass() const {
  return std::make_unique<RlePass>(has_short_numbers_);
}

StatusText RleRules::describe(std::uint32_t status) const {
  return describe_status(status);
}

}  // namespace gsst::format::tile_integer
