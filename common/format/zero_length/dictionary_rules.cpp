#include "common/format/zero_length/dictionary_rules.hpp"

#include <memory>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/zero_length.hpp"

namespace gsst::format::zero_length {
namespace {

std::string at_byte_of_payload(std::uint64_t position) {
  return ", at byte " + std::to_string(position) + " of the payload";
}

// The number of values, which some block of the size has.
std::uint32_t checked_count(std::span<const std::uint8_t> payload, std::uint64_t uncompressed_bytes,
                            std::uint64_t block) {
  const auto values = static_cast<std::uint32_t>(load_little_endian<dictionary_count_bytes>(payload.data()));
  const std::uint32_t most = most_paying_values(uncompressed_bytes);
  if (values >= 1 && values <= most) return values;
  throw FormatError(block, "number of values",
                    "is " + std::to_string(values) + at_byte_of_payload(0) + ", a block of " +
                        std::to_string(uncompressed_bytes) + " bytes has " +
                        (most == 0 ? "no dictionary" : "1 to " + std::to_string(most)));
}

void check_index_bits(std::span<const std::uint8_t> payload, std::uint32_t values, std::uint64_t block) {
  const std::uint32_t expected = index_bits(values);
  if (payload[dictionary_count_bytes] == expected) return;
  throw FormatError(block, "bits of an index",
                    "is " + std::to_string(payload[dictionary_count_bytes]) +
                        at_byte_of_payload(dictionary_count_bytes) + ", " + std::to_string(values) +
                        " values take " + std::to_string(expected));
}

// Each value is larger than the one before.
void check_values(std::span<const std::uint8_t> payload, std::uint32_t values, std::uint64_t block) {
  const std::uint8_t* const first = payload.data() + dictionary_header_bytes;
  std::uint64_t before = load_little_endian<float_bytes>(first);
  for (std::uint32_t i = 1; i < values; ++i) {
    const std::uint64_t value = load_little_endian<float_bytes>(first + i * float_bytes);
    if (value <= before) {
      throw FormatError(block, "values",
                        std::to_string(value) + " follows " + std::to_string(before) +
                            at_byte_of_payload(dictionary_header_bytes + i * float_bytes));
    }
    before = value;
  }
}

// The bits after the last index, up to the next whole byte.
void check_spare_bits(std::span<const std::uint8_t> payload, const DictionaryPlaces& places,
                      std::uint64_t used_bits, std::uint64_t block) {
  if (used_bits % 8 == 0) return;
  const std::uint32_t spare = std::uint32_t{payload[places.rest - 1]} >> used_bits % 8;
  if (spare == 0) return;
  throw FormatError(block, "spare bits",
                    "are " + std::to_string(spare) + at_byte_of_payload(places.rest - 1) + ", expected 0");
}

// No block needs anything of an earlier one, so a pass keeps nothing.
class DictionaryPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    if (payload.size() < dictionary_header_bytes) {
      throw FormatError(block, "number of values", "is cut short" + at_byte_of_payload(payload.size()));
    }
    const std::uint32_t values = checked_count(payload, expected.uncompressed_bytes, block);
    check_index_bits(payload, values, block);
    const DictionaryPlaces places = dictionary_places(values, expected.uncompressed_bytes);
    if (payload.size() != places.end) {
      throw FormatError(block, "payload bytes",
                        "are " + std::to_string(payload.size()) + ", " + std::to_string(values) +
                            " values and the indexes of " + std::to_string(expected.uncompressed_bytes) +
                            " bytes take " + std::to_string(places.end));
    }
    check_values(payload, values, block);
    check_spare_bits(payload, places, expected.uncompressed_bytes / float_bytes * index_bits(values), block);
    return {};
  }
};

}  // namespace

std::uint64_t DictionaryRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                                 std::uint64_t uncompressed_bytes) const {
  return uncompressed_bytes;
}

std::uint64_t DictionaryRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                                   std::uint64_t uncompressed_bytes) const {
  return uncompressed_bytes;
}

std::unique_ptr<PayloadPass> DictionaryRules::start_pass() const {
  return std::make_unique<DictionaryPass>();
}

StatusText DictionaryRules::describe(std::uint32_t status) const {
  if (status == static_cast<std::uint32_t>(BlockStatus::wrong_checksum)) return describe_status(status);
  return {.field = "indexes", .problem = problem_with_indexes(static_cast<Status>(status))};
}

const char* problem_with_indexes(Status status) {
  return status == index_past_values ? "have one past the last value" : problem_of(status);
}

}  // namespace gsst::format::zero_length
