#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "common/format/block_format.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/run_lengths.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Formats `rle` and `rle_nsf` (FORMAT.md, section 12.9).
namespace gsst::format::tile_integer {

/// Checks all fields of a payload, of `rle_nsf` where `has_short_numbers`: its lengths add up to the block's
/// values, so that decoding needs to check nothing. Throws FormatError naming `block`.
RleShape check_rle_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                           bool has_short_numbers, std::uint64_t block);

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class RleRules final : public PayloadRules {
public:
  constexpr explicit RleRules(bool has_short_numbers)
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = payload_alignment,
                      .max_bytes_per_code_byte = most_bytes_of_byte,
                      .all_traits = tile_integer::all_traits}),
        has_short_numbers_(has_short_numbers) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {packed_layout};
  // A block of one run is hardly more than a header.
  static constexpr std::uint32_t most_bytes_of_byte =
      static_cast<std::uint32_t>(max_block_bytes / rle_header_bytes);

  bool has_short_numbers_;
};

inline constexpr RleRules rle_rules(false);
inline constexpr RleRules rle_nsf_rules(true);

}  // namespace gsst::format::tile_integer
