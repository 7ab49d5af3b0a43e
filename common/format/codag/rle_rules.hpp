#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/orc_rle_v2.hpp"
#include "common/format/payload_rules.hpp"

/// The rules of the formats of run lengths (FORMAT.md, section 13). They look at the type alone: a stream is
/// checked by who decodes it.
namespace gsst::format::codag {

/// Formats of integers: the type of a payload, which has room for it and for the block's last bytes. Throws
/// FormatError naming `block`.
Type checked_type(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                  std::uint64_t block);

/// Formats `orc_rle_v1` and `orc_rle_v2`.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class IntegerRleRules final : public PayloadRules {
public:
  /// The run that has the most bytes of output for its own bytes, and the one that has the least: of how many
  /// values, and in how many bytes.
  struct Runs {
    std::uint32_t most_values;
    std::uint32_t most_values_bytes;
    std::uint32_t least_values_bytes;
  };

  constexpr explicit IntegerRleRules(const Runs& runs)
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = payload_alignment,
                      .max_bytes_per_code_byte =
                          (runs.most_values * 8 + runs.most_values_bytes - 1) / runs.most_values_bytes,
                      .all_traits = tile_integer::all_traits}),
        runs_(runs) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {coded_layout};

  Runs runs_;
};

/// Format `byte_rle`: a payload is the stream alone.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class ByteRleRules final : public PayloadRules {
public:
  constexpr ByteRleRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = payload_alignment,
                      .max_bytes_per_code_byte = longest_run / bytes_of_byte_run,
                      .all_traits = 0}) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {coded_layout};
};

inline constexpr ByteRleRules byte_rle_rules;

/// A run of 130 values is a byte, a difference and a varint; a list of one is a byte and a varint.
inline constexpr IntegerRleRules orc_rle_v1_rules(IntegerRleRules::Runs{
    .most_values = longest_run, .most_values_bytes = 3, .least_values_bytes = 1 + max_varint_bytes});

/// A delta run of 512 values without differences is a header and two varints; a patched base of one value of
/// 56 bits has 31 patches of 64 bits.
inline constexpr IntegerRleRules orc_rle_v2_rules(IntegerRleRules::Runs{
    .most_values = longest_wide_run,
    .most_values_bytes = delta_header_bytes + 2,
    .least_values_bytes = patched_header_bytes + max_base_bytes + 7 + most_patches * widest / 8});

}  // namespace gsst::format::codag
