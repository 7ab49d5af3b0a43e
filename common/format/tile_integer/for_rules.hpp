#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Formats `for`, `dfor`, `rfor` and `ifor` (FORMAT.md, sections 12.1 to 12.4). The first two differ in the
/// bases of chains alone, the third has run blocks in place of packed blocks, the fourth interleaved blocks.
/// Format `bp` (section 12.6) has the same header and starts, and packed blocks of bits alone, `vfor`
/// (section 12.7) has vertical blocks, and `ofor` (section 12.8) is `for` with fewer widths.
namespace gsst::format::tile_integer {

/// What is packed.
enum class Packing {
  /// Values: format `for`.
  values,
  /// Differences of neighbours, in chains that have a base each: format `dfor`.
  chains,
  /// Values and lengths of runs: format `rfor`.
  runs,
  /// Values of one width, interleaved: format `ifor`.
  interleaved,
  /// The bits of values, with one width a packed block, which its starts say: format `bp`.
  bits,
  /// Values of one width in the words of 128 lanes: format `vfor`.
  vertical,
  /// Values with one width a packed block: format `ofor`.
  one_width
};

/// Values of a packed block, a run block, an interleaved or a vertical block: what a start is stored for.
constexpr std::uint32_t values_of_unit(Packing packing) {
  if (packing == Packing::vertical) return vertical_block_values;
  if (packing == Packing::interleaved) return interleaved_block_values;
  return packing == Packing::runs ? run_block_values : packed_block_values;
}

/// Words of the base that precedes the reference of a packed block; 0 where there is none.
constexpr std::uint32_t base_words(Packing packing, const TypeShape& type, std::uint64_t packed_block) {
  return packing == Packing::chains && packed_block % packed_blocks_of_chain == 0 ? type.reference_words : 0;
}

/// What a payload says of itself, checked.
struct ForPayload {
  Type type;
  BlockShape shape;
  /// Words of the largest packed block or run block; 0 without one.
  std::uint32_t largest;
};

/// Checks all fields of a payload, which then holds values for all that its units say, and for its run blocks
/// runs that add up: decoding needs to check nothing. Throws FormatError naming `block`.
ForPayload check_for_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                             std::uint64_t block, Packing packing = Packing::values);

/// Bytes of the largest payload of `uncompressed_bytes` bytes that hold values of `type`, with its padding.
std::uint64_t max_for_payload_bytes(Type type, std::uint32_t uncompressed_bytes,
                                    Packing packing = Packing::values);

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class ForRules final : public PayloadRules {
public:
  constexpr explicit ForRules(Packing packing)
      : PayloadRules(
            {.max_split_count = 1,
             .layouts = layouts,
             .payload_alignment = payload_alignment,
             .max_bytes_per_code_byte = most_bytes_of_byte_of(packing),
             .all_traits = packing == Packing::runs ? all_traits_of_runs : tile_integer::all_traits}),
        packing_(packing) {}

  std::uint64_t max_payload_bytes(std::uint32_t split_count, std::uint64_t uncompressed_bytes) const override;
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override;
  std::unique_ptr<PayloadPass> start_pass() const override;
  StatusText describe(std::uint32_t status) const override;

private:
  static constexpr std::array<BlockLayout, 1> layouts = {packed_layout};
  // 128 equal values of 8 bytes are a start, a reference of two words and a word of widths. In a chain they
  // are no less.
  static constexpr std::uint32_t most_bytes_of_byte = 64;
  // 512 equal values of 8 bytes are a start, a number of runs, two references of three words together, and
  // two words of widths: 28 bytes.
  static constexpr std::uint32_t most_bytes_of_byte_of_runs = 147;
  // 128 values of 8 bytes that are 0 are a start.
  static constexpr std::uint32_t most_bytes_of_byte_of_bits = 256;
  // 1024 equal values of 8 bytes are a start and a reference of two words: 12 bytes.
  static constexpr std::uint32_t most_bytes_of_byte_of_interleaved = 683;
  // The same 12 bytes are those of 4096 values.
  static constexpr std::uint32_t most_bytes_of_byte_of_vertical = 2731;

  static constexpr std::uint32_t most_bytes_of_byte_of(Packing packing) {
    if (packing == Packing::vertical) return most_bytes_of_byte_of_vertical;
    if (packing == Packing::interleaved) return most_bytes_of_byte_of_interleaved;
    if (packing == Packing::bits) return most_bytes_of_byte_of_bits;
    return packing == Packing::runs ? most_bytes_of_byte_of_runs : most_bytes_of_byte;
  }

  Packing packing_;
};

inline constexpr ForRules for_rules(Packing::values);
inline constexpr ForRules dfor_rules(Packing::chains);
inline constexpr ForRules rfor_rules(Packing::runs);
inline constexpr ForRules ifor_rules(Packing::interleaved);
inline constexpr ForRules bp_rules(Packing::bits);
inline constexpr ForRules vfor_rules(Packing::vertical);
inline constexpr ForRules ofor_rules(Packing::one_width);

}  // namespace gsst::format::tile_integer
