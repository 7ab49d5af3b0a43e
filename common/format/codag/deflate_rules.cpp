#include "common/format/codag/deflate_rules.hpp"

#include <string>

#include "common/format/error.hpp"

namespace gsst::format::codag {
namespace {

// No block needs anything of an earlier one, so a pass keeps nothing.
class DeflatePass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const std::uint64_t least = min_deflate_bytes(expected.uncompressed_bytes);
    const std::uint64_t most = max_deflate_bytes(expected.uncompressed_bytes);
    if (payload.size() < least || payload.size() > most) {
      throw FormatError(block, "payload bytes",
                        "are " + std::to_string(payload.size()) + ", a stream of " +
                            std::to_string(expected.uncompressed_bytes) + " bytes has " +
                            std::to_string(least) + " to " + std::to_string(most));
    }
    return {};
  }
};

// Field and problem, without the place.
StatusText text_of_deflate(DeflateStatus status) {
  switch (status) {
    case DeflateStatus::decoded:
      return {.field = "stream", .problem = "is decoded"};
    case DeflateStatus::output_too_short:
      return {.field = "stream", .problem = "decodes to fewer bytes than stated"};
    case DeflateStatus::output_too_long:
      return {.field = "stream", .problem = "decodes to more bytes than stated"};
    case DeflateStatus::input_ends_early:
      return {.field = "stream", .problem = "is cut short"};
    case DeflateStatus::bytes_after_end:
      return {.field = "stream", .problem = "ends before the payload"};
    case DeflateStatus::reserved_block_type:
      return {.field = "block type", .problem = "is 3, which is reserved"};
    case DeflateStatus::wrong_stored_length:
      return {.field = "stored length", .problem = "is not the complement of the number after it"};
    case DeflateStatus::too_many_codes:
      return {.field = "number of codes", .problem = "is above 286 for literals or 30 for distances"};
    case DeflateStatus::over_subscribed_code_lengths:
      return {.field = "code of code lengths", .problem = "has more codes than fit its lengths"};
    case DeflateStatus::incomplete_code_lengths:
      return {.field = "code of code lengths", .problem = "leaves bits without a meaning"};
    case DeflateStatus::repeat_without_length:
      return {.field = "code lengths", .problem = "begin with a repeat"};
    case DeflateStatus::repeat_past_end:
      return {.field = "code lengths", .problem = "are more than there are codes"};
    case DeflateStatus::over_subscribed_literals:
      return {.field = "code of literals", .problem = "has more codes than fit its lengths"};
    case DeflateStatus::incomplete_literals:
      return {.field = "code of literals", .problem = "leaves bits without a meaning"};
    case DeflateStatus::no_end_of_block:
      return {.field = "code of literals", .problem = "has no code for the end of the block"};
    case DeflateStatus::over_subscribed_distances:
      return {.field = "code of distances", .problem = "has more codes than fit its lengths"};
    case DeflateStatus::incomplete_distances:
      return {.field = "code of distances", .problem = "leaves bits without a meaning"};
    case DeflateStatus::unused_length:
      return {.field = "literal or length", .problem = "has no meaning"};
    case DeflateStatus::unused_distance:
      return {.field = "distance", .problem = "has no meaning"};
    case DeflateStatus::distance_before_block:
      return {.field = "distance", .problem = "points before the block"};
  }
  return {.field = "stream", .problem = "has an unknown status"};
}

}  // namespace

std::uint64_t DeflateRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                              std::uint64_t uncompressed_bytes) const {
  return max_deflate_bytes(uncompressed_bytes);
}

std::uint64_t DeflateRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                                std::uint64_t uncompressed_bytes) const {
  return uncompressed_bytes;
}

std::unique_ptr<PayloadPass> DeflateRules::start_pass() const {
  return std::make_unique<DeflatePass>();
}

StatusText DeflateRules::describe(std::uint32_t status) const {
  if (status == static_cast<std::uint32_t>(BlockStatus::wrong_checksum)) return describe_status(status);
  return describe_deflate(deflate_status_of(status), byte_of(status));
}

StatusText describe_deflate(DeflateStatus status, std::uint64_t byte) {
  StatusText text = text_of_deflate(status);
  text.problem += ", at byte " + std::to_string(byte) + " of the payload";
  return text;
}

}  // namespace gsst::format::codag
