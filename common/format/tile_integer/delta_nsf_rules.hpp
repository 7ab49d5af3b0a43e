#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/delta_nsf.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Format `delta_nsf` (FORMAT.md, section 12.12).
namespace gsst::format::tile_integer {

/// Checks all fields of a payload: decoding needs to check nothing. Returns the bytes of a value. Throws
/// FormatError naming `block`.
std::uint32_t check_delta_nsf_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                                      std::uint64_t block);

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class DeltaNsfRules final : public PayloadRules {
public:
  constexpr DeltaNsfRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = payload_alignment,
                      .max_bytes_per_code_byte = largest_value_bytes,
                      .all_traits = tile_integer::all_traits}) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {packed_layout};
};

inline constexpr DeltaNsfRules delta_nsf_rules;

}  // namespace gsst::format::tile_integer
