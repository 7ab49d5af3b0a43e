#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "common/format/codag/deflate.hpp"
#include "common/format/payload_rules.hpp"

namespace gsst::format::codag {

/// The rules of payloads that are a raw Deflate stream (FORMAT.md, section 13.6): all that is checked before
/// the bits are read is how many bytes there are.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class DeflateRules final : public PayloadRules {
public:
  constexpr DeflateRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = payload_alignment,
                      .max_bytes_per_code_byte = deflate_bytes_per_payload_byte,
                      .all_traits = 0}) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {coded_layout};
};

/// Constant, so that the list of formats is: the library has no variables.
inline constexpr DeflateRules rules_of_deflate;

/// What is wrong with a stream, in words: field and problem of a FormatError. `byte` is where the element
/// begins in which it was found, of the payload.
StatusText describe_deflate(DeflateStatus status, std::uint64_t byte);

}  // namespace gsst::format::codag
