#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Format `for` (FORMAT.md, section 12.1).
namespace gsst::format::tile_integer {

/// What a payload of format `for` says of itself, checked.
struct ForPayload {
  Type type;
  BlockShape shape;
};

/// Checks all fields of a payload, which then holds values for all that its packed blocks say: decoding needs
/// to check nothing. Throws FormatError naming `block`.
ForPayload check_for_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                             std::uint64_t block);

/// Bytes of the largest payload of `uncompressed_bytes` bytes that hold values of `type`, with its padding.
std::uint64_t max_for_payload_bytes(Type type, std::uint32_t uncompressed_bytes);

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class ForRules final : public PayloadRules {
public:
  constexpr ForRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = payload_alignment,
                      .max_bytes_per_code_byte = most_bytes_of_byte,
                      .all_traits = tile_integer::all_traits}) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {packed_layout};
  // 128 equal values of 8 bytes are a start, a reference of two words and a word of widths.
  static constexpr std::uint32_t most_bytes_of_byte = 64;
};

inline constexpr ForRules for_rules;

}  // namespace gsst::format::tile_integer
