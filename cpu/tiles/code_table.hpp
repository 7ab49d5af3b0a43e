#pragma once

#include <cstddef>
#include <cstdint>

/// What the decoders of all instruction sets read of a block's table. A plain struct: the files that are
/// compiled for some processors only include this, and no function with a body that other files share.
namespace gsst::cpu::tiles {

/// Codes of the widest table.
inline constexpr std::size_t most_codes = 4096;
/// Where the literal bytes start in the symbols of a table with halves: entry literal_bytes + b is byte b.
inline constexpr std::size_t literal_bytes = 256;

/// What codes are, and how a decoder has to unpack them.
enum class CodeKind : std::uint8_t {
  bits_8,
  /// 8 bits, and codes 0 to 31 are halves of literal bytes.
  bits_8_with_halves,
  bits_10,
  bits_12,
};

/// The symbols and lengths of a table of format tiles (FORMAT.md, section 9). Host memory, aligned: a vector
/// load takes each array from its start.
struct CodeTable {
  /// By code: the first byte in the lowest 8 bits, zero above the symbol's length. With halves, 256 literal
  /// bytes follow the 256 codes. Nothing reads entries that the kind does not have.
  alignas(64) std::uint64_t symbols[most_codes];
  /// Bytes of each of these symbols, for decoders that look up one code at a time.
  alignas(64) std::uint8_t lengths[most_codes];
  /// Bytes of the symbols of each class.
  alignas(16) std::uint8_t class_lengths[16];
  /// As many bits set from the lowest, at most 8: the bytes of a symbol that count.
  alignas(16) std::uint8_t class_masks[16];
  CodeKind kind;
  /// For 12 bits: the symbols by code without gaps, which fill less of a first-level cache. What follows the
  /// last is there to be loaded with it.
  alignas(64) std::uint8_t packed_symbols[sizeof(symbols) + sizeof(std::uint64_t)];
  /// Where in packed_symbols the symbols of each class start, over the number of codes in a class: the sum of
  /// the lengths before.
  alignas(16) std::uint8_t class_starts[16];
};

}  // namespace gsst::cpu::tiles
