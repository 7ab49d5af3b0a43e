#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// A study of symbols that are longer than those of the formats: codes of 12 bits in length classes, as in
/// format tiles, whose symbols have up to 16 bytes. Plain code that no decoder needs to be fast for.
namespace gsst::experiments {

inline constexpr unsigned longest_long_symbol = 16;
/// Codes of a class. One of the 16 classes holds the byte values.
inline constexpr std::size_t long_symbol_class_codes = 256;
inline constexpr std::size_t long_symbol_class_count = 15;

struct LongSymbolTable {
  /// Symbol i is that of code 256 + i; the codes below are byte values.
  std::vector<std::string> symbols;
  /// Entry n: classes of symbols of n + 1 bytes. No length has more symbols than its classes have codes.
  std::array<std::size_t, longest_long_symbol> classes{};
};

/// Trains a table whose symbols have up to `longest` bytes, 2 to longest_long_symbol, and are stored with as
/// many bytes as `input` has; each byte of a stored symbol counts as `price` bytes. As
/// reference_cpu/training.md says: what a string gains, or a symbol loses, is exact at each place by the
/// optimal parse from both ends; a table grows beyond its size, gets its classes, and has symbols replaced
/// for as long as that pays. What stands in the sample once counts for nothing, as it is not expected
/// elsewhere. The same bytes give the same table on every machine.
LongSymbolTable train_long_symbols(std::span<const std::uint8_t> input, unsigned longest, unsigned price);

/// The fewest codes for `input`.
std::vector<std::uint16_t> encode_long_symbols(const LongSymbolTable& table,
                                               std::span<const std::uint8_t> input);

/// What the codes stand for.
std::vector<std::uint8_t> decode_long_symbols(const LongSymbolTable& table,
                                              std::span<const std::uint16_t> codes);

/// Bytes of the table in a block of format tiles, if that had such symbols: whole classes.
std::uint64_t bytes_of_table(const LongSymbolTable& table);

/// Bytes of a block of format tiles with so many codes: header, whole tiles, strip offsets and the table.
std::uint64_t stored_bytes(const LongSymbolTable& table, std::uint64_t codes);

}  // namespace gsst::experiments
