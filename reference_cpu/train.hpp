#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/symbol_table.hpp"

namespace gsst::reference {

/// Bytes that the trainer looks at.
inline constexpr std::size_t sample_bytes = std::size_t{16} << 10;
/// They come in pieces of this many bytes from all over a larger input.
inline constexpr std::size_t sample_chunk_bytes = 512;
/// Seed of the sample's positions. A table depends on the input and on this number, on nothing else.
inline constexpr std::uint64_t default_training_seed = 42;

/// What an encoder's lookup tables hold at most (GPU encoder paper, 4.2 and 4.3). Without them a table is
/// free.
struct TableLimits {
  /// Symbols of 3 to 8 bytes.
  unsigned long_symbols = format::max_symbol_count;
  /// Different first bytes of symbols of two bytes.
  unsigned pair_rows = 256;
  /// Symbols of two bytes with the same first byte.
  unsigned pairs_per_row = 256;
};

/// Trains a symbol table for `input`, which may be empty (thesis 2.4; P. Boncz, T. Neumann, V. Leis, "FSST:
/// Fast Random Access String Compression", PVLDB 13(12), 2020, sections 4.1 to 4.3). The same bytes and seed
/// give the same table on every machine. The codes are in the order in which FORMAT.md, section 2, stores
/// them.
format::SymbolTable train_symbol_table(std::span<const std::uint8_t> input,
                                       std::uint64_t seed = default_training_seed,
                                       const TableLimits& limits = {});

/// As train_symbol_table(), with what draw_sample() drew from the input. Where the limits leave no place for
/// a symbol, the next best one is taken.
format::SymbolTable train_on_sample(std::span<const std::span<const std::uint8_t>> sample,
                                    const TableLimits& limits = {});

}  // namespace gsst::reference
