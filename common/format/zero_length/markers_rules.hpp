#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "common/format/payload_rules.hpp"
#include "common/format/zero_length/zero_length.hpp"

namespace gsst::format::zero_length {

/// The rules of payloads that say their markers (FORMAT.md, section 11.4).
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class MarkersRules final : public PayloadRules {
public:
  constexpr MarkersRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = 1,
                      .max_bytes_per_code_byte = longest_run / marked_element_bytes,
                      .all_traits = 0}) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {elements_layout};
};

/// Constant, so that the list of formats is: the library has no variables.
inline constexpr MarkersRules rules_with_markers;

}  // namespace gsst::format::zero_length
