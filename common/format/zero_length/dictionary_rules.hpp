#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "common/format/payload_rules.hpp"
#include "common/format/zero_length/zero_length.hpp"

namespace gsst::format::zero_length {

/// The rules of payloads that are a dictionary and indexes (FORMAT.md, section 11.5).
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class DictionaryRules final : public PayloadRules {
public:
  constexpr DictionaryRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = 1,
                      .max_bytes_per_code_byte = most_bytes_per_payload_byte,
                      .all_traits = 0}) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {elements_layout};
  // A block of one value repeated is 8 bytes, whatever its size.
  static constexpr std::uint32_t most_bytes_per_payload_byte = max_block_bytes / 8;
};

/// Constant, so that the list of formats is: the library has no variables.
inline constexpr DictionaryRules rules_with_dictionary;

}  // namespace gsst::format::zero_length
