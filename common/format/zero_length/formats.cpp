#include "common/format/formats.hpp"

#include <array>
#include <memory>
#include <string>

#include "common/format/error.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/dictionary_rules.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/markers_rules.hpp"
#include "common/format/zero_length/zero_length.hpp"

namespace gsst::format {
namespace zero_length {

const char* problem_of(Status status) {
  switch (status) {
    case Status::decoded:
      return "";
    case Status::output_too_short:
      return "decode to fewer bytes than stated";
    case Status::output_too_long:
      return "decode to more bytes than stated";
    case Status::marker_at_end:
      return "end with a marker that no byte follows";
    case Status::unused_length:
      return "have a run of more than 252 zeros after a marker";
  }
  return "have an unknown status";
}

namespace {

// No block needs anything of an earlier one, so a pass keeps nothing.
class ElementsPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    // Each element decodes to at least half as many bytes as it has, and to at most 126 times as many.
    const std::uint64_t most = max_elements_bytes(expected.uncompressed_bytes);
    const std::uint64_t least = min_elements_bytes(expected.uncompressed_bytes);
    if (payload.size() < least || payload.size() > most) {
      throw FormatError(block, "elements",
                        "take " + std::to_string(payload.size()) + " bytes, those of " +
                            std::to_string(expected.uncompressed_bytes) + " bytes take " +
                            std::to_string(least) + " to " + std::to_string(most));
    }
    return {};
  }
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class ElementsRules final : public PayloadRules {
public:
  constexpr ElementsRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = 1,
                      .max_bytes_per_code_byte = longest_run / marked_element_bytes,
                      .all_traits = 0}) {}

  std::uint64_t max_payload_bytes(std::uint32_t /*split_count*/,
                                  std::uint64_t uncompressed_bytes) const override {
    return max_elements_bytes(uncompressed_bytes);
  }

  std::uint64_t usual_payload_bytes(std::uint32_t /*split_count*/,
                                    std::uint64_t uncompressed_bytes) const override {
    return uncompressed_bytes;
  }

  std::unique_ptr<PayloadPass> start_pass() const override { return std::make_unique<ElementsPass>(); }

  StatusText describe(std::uint32_t status) const override {
    if (status == static_cast<std::uint32_t>(BlockStatus::wrong_checksum)) return describe_status(status);
    return {.field = "elements", .problem = problem_of(static_cast<Status>(status))};
  }

private:
  static constexpr std::array<BlockLayout, 1> layouts = {elements_layout};
};

constexpr ElementsRules rules;
constexpr std::array<Format, 4> formats = {{
    {.id = bare_format, .name = "zle_bare", .rules = nullptr},
    {.id = frame_format, .name = "zle", .rules = &rules},
    {.id = markers_format, .name = "zle_markers", .rules = &rules_with_markers},
    {.id = dictionary_format, .name = "zle_dictionary", .rules = &rules_with_dictionary},
}};

}  // namespace
}  // namespace zero_length

std::span<const Format> formats_of_zero_length() {
  return zero_length::formats;
}

}  // namespace gsst::format
