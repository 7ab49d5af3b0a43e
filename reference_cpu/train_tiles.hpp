#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/parse.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {

/// The table with length classes that `level` gives `input`, for codes of `code_bits` bits (8, 10 or 12) that
/// `parse` chooses. Levels 1 and 2 take of the thesis's table what the classes hold, the others train in
/// classes, and take the best of what lower levels make; wide codes have no levels below 3 and take that one.
/// 8-bit codes have escapes where a symbol for each byte of the input would cost more. Up to `threads`
/// threads work on it. The same bytes, level and seed give the same table on every machine. Throws
/// std::invalid_argument for a level or a number of bits that is none.
format::TileTable train_tile_table(std::span<const std::uint8_t> input, std::uint32_t code_bits,
                                   unsigned level, Parse parse, unsigned threads = 1,
                                   std::uint64_t seed = default_training_seed);

/// Whether each byte of `input` has a code in `table`.
bool holds_all_bytes(const format::TileTable& table, std::span<const std::uint8_t> input);

/// Codes that a sample of `input` takes, the same sample for every table. A byte without symbol counts as a
/// literal, also where `table` has none.
std::uint64_t count_tile_codes(const format::TileTable& table, std::span<const std::uint8_t> input,
                               Parse parse);

/// Bytes that the codes of `input` are expected to take with `table`.
double expected_code_bytes(const format::TileTable& table, std::span<const std::uint8_t> input, Parse parse);

/// Bytes that `input` is expected to take with the thesis's table and codes, the table itself among them.
double expected_thesis_bytes(std::span<const std::uint8_t> input);

/// Bytes that `input` is expected to take as one block with `table`, the table itself among them.
double expected_tile_bytes(const format::TileTable& table, std::span<const std::uint8_t> input, Parse parse);

}  // namespace gsst::reference
