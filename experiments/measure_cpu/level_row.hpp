#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/compress_block.hpp"

/// What measurements of levels have in common, whatever the format.
namespace gsst::experiments {

/// What one level made of the input.
struct LevelRow {
  /// The decoder's times, and everything that is stored.
  Row row;
  /// Training of all tables of the frame.
  SecondsSummary training;
  std::size_t trained_tables;
  /// Encoding of all blocks with these tables.
  SecondsSummary encoding;
  /// A table that is trained on every other piece of the input encodes the pieces between: their bytes, and
  /// the bytes of their codes alone. 0 where the input has one piece only.
  std::size_t held_out_bytes;
  std::size_t held_out_code_bytes;
};

/// The uncompressed bytes per block that the command `gsst` takes by itself.
inline constexpr std::uint64_t level_block_bytes = reference::CompressOptions{}.block_bytes;

/// Decoding takes little time, so that it always makes all repetitions.
Repetitions decoding_repetitions(std::size_t wanted);
Repetitions encoding_repetitions(std::size_t wanted);
/// Training of a high level takes seconds: once is enough.
Repetitions training_repetitions(std::size_t wanted);

/// Times `work`, which is called at least once.
SecondsSummary time_repeatedly(const std::function<void()>& work, const Repetitions& repetitions);

/// The input in two parts, by turns piece for piece.
struct HeldOut {
  /// With each byte value that stands only in the other part at its end: a table may have no code for values
  /// that its text does not have.
  std::vector<std::uint8_t> training;
  std::vector<std::uint8_t> evaluated;
};
HeldOut hold_out(std::span<const std::uint8_t> input);

/// The blocks that `input` is cut into.
std::vector<std::span<const std::uint8_t>> cut_blocks(std::span<const std::uint8_t> input);

/// The frame of these blocks, of format blocks or tiles.
std::vector<std::uint8_t> build_frame(format::BlockFormat format,
                                      std::span<const reference::CompressedBlock> blocks);

/// The row without times and held-out numbers.
LevelRow make_level_row(format::BlockFormat format, unsigned level, unsigned code_bits,
                        reference::Parse parse, std::size_t input_bytes, std::size_t frame_bytes);

/// The row's name in messages: `tiles level 3, 12 bits, greedy`.
std::string describe(const LevelRow& row);

/// The row in the form that results have, with the keys `training_seconds`, `trained_tables`,
/// `encoding_seconds`, `held_out_bytes` and `held_out_code_bytes` beside the others.
nlohmann::ordered_json level_row_to_json(const LevelRow& row, const Dataset& dataset);

}  // namespace gsst::experiments
