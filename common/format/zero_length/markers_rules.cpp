#include "common/format/zero_length/markers_rules.hpp"

#include <array>
#include <memory>
#include <string>

#include "common/format/error.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"

namespace gsst::format::zero_length {
namespace {

// No block needs anything of an earlier one, so a pass keeps nothing.
class MarkersPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const std::uint64_t least = markers_bytes + min_elements_bytes(expected.uncompressed_bytes);
    const std::uint64_t most = max_encoded_bytes(markers_format, expected.uncompressed_bytes);
    if (payload.size() < least || payload.size() > most) {
      throw FormatError(block, "elements",
                        "take " + std::to_string(payload.size()) + " bytes with their markers, those of " +
                            std::to_string(expected.uncompressed_bytes) + " bytes take " +
                            std::to_string(least) + " to " + std::to_string(most));
    }
    const Markers markers = {.marker = payload[0], .four_zeros = payload[1]};
    if (markers.marker == 0) throw FormatError(block, "marker", "is 0, expected 1 to 255");
    if (markers.four_zeros == markers.marker) {
      throw FormatError(block, "code of four zeros",
                        "is " + std::to_string(markers.four_zeros) + ", which is the marker");
    }
    return {};
  }
};

}  // namespace

std::uint64_t MarkersRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                              std::uint64_t uncompressed_bytes) const {
  return max_encoded_bytes(markers_format, uncompressed_bytes);
}

std::uint64_t MarkersRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                                std::uint64_t uncompressed_bytes) const {
  return uncompressed_bytes;
}

std::unique_ptr<PayloadPass> MarkersRules::start_pass() const {
  return std::make_unique<MarkersPass>();
}

StatusText MarkersRules::describe(std::uint32_t status) const {
  if (status == static_cast<std::uint32_t>(BlockStatus::wrong_checksum)) return describe_status(status);
  return {.field = "elements", .problem = problem_with_markers(static_cast<Status>(status))};
}

const char* problem_with_markers(Status status) {
  return status == Status::unused_length ? "have a byte after a marker that means nothing"
                                         : problem_of(status);
}

}  // namespace gsst::format::zero_length
