#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/instruction_sets.hpp"
#include "cpu/tiles/match_index.hpp"
#include "cpu/tiles/parsed_codes.hpp"

/// Blocks of format tiles (FORMAT.md, section 9) encoded greedily at the speed of level 1: of the symbols
/// that start with the same three bytes the parse knows a few, and the input is parsed in segments. All
/// instruction sets make the same blocks, which the decoders of reference_cpu decode.
namespace gsst::cpu::tiles {

/// How a block is cut into tiles and strips.
struct BlockShape {
  /// 16, 24 or 32.
  std::uint32_t codes_per_lane = 32;
  /// 1 to 65535.
  std::uint32_t tiles_per_strip = 2;
};

/// What an encoder needs for a block. Used again its memory is: fresh pages take as long as the parse.
struct EncoderMemory {
  ParsedCodes parsed;
  std::vector<std::uint8_t> strip;
  std::vector<std::uint32_t> strip_outputs;
};

/// Encodes blocks with one table. Can be used by several threads at once, each with its own memory.
class BlockEncoder {
public:
  /// `table` must outlive the encoder. Throws std::invalid_argument as build_match_index().
  explicit BlockEncoder(const format::TileTable& table,
                        const InstructionSet& instructions = instruction_sets().back());

  /// The codes of `input`, which is not empty.
  void parse(std::span<const std::uint8_t> input, ParsedCodes& parsed) const {
    parsed.parse(*index_, input, *instructions_.parse_segments);
  }

  /// Makes `block` that of `input`, 1 to format::max_block_bytes bytes, with the table in it and the padding;
  /// `memory.parsed` has its codes then.
  void encode(std::span<const std::uint8_t> input, const BlockShape& shape, EncoderMemory& memory,
              std::vector<std::uint8_t>& block) const;

private:
  const format::TileTable& table_;
  InstructionSet instructions_;
  std::unique_ptr<MatchIndex> index_;
};

}  // namespace gsst::cpu::tiles
