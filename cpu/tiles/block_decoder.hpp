#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "cpu/tiles/code_table.hpp"
#include "cpu/tiles/instruction_sets.hpp"

/// Blocks of format tiles (FORMAT.md, section 9) decoded at the speed of a processor's vectors. The codes of
/// a tile are stored in the order of the output: a group of 64 is unpacked at once, and the class of each
/// code says how far its symbol reaches. Output and errors are those of reference_cpu, the oracle.
namespace gsst::cpu::tiles {

/// The table of `holder`, a block that holds one and that format::check_tiles_block() has accepted or that
/// format::build_table_block() has made.
std::unique_ptr<const CodeTable> read_code_table(const format::TilesHeader& holder);

/// Decodes the strips of one block. Can be used by several threads at once.
class BlockDecoder {
public:
  /// `block` is one that format::check_tiles_block() has accepted; `table_holder` is the block that holds its
  /// table, itself or another that format::check_shared_table() has accepted. Only the first has to outlive
  /// the decoder.
  BlockDecoder(const format::TilesHeader& block, const format::TilesHeader& table_holder,
               const InstructionSet& instructions = instruction_sets().back());

  std::uint32_t strip_count() const { return block_.strip_count(); }

  /// Decodes strip `strip`, less than strip_count(), into `output`, which has exactly the strip's bytes.
  /// Throws format::FormatError naming `block_number` and the strip if the codes decode to more or fewer
  /// bytes; what `output` holds is unspecified then.
  void decode_strip(std::uint32_t strip, std::span<std::uint8_t> output,
                    std::optional<std::uint64_t> block_number) const;

  /// Decodes all strips into `output`, which has exactly the block's uncompressed bytes, with up to `threads`
  /// threads. Throws as decode_strip(), for the first strip that is wrong.
  void decode_all(std::span<std::uint8_t> output, std::optional<std::uint64_t> block_number,
                  unsigned threads = 1) const;

private:
  // `output_end` is at most the end of the block's output.
  void decode_strip_before(std::uint32_t strip, std::uint8_t* begin, const std::uint8_t* output_end,
                           std::optional<std::uint64_t> block_number) const;
  StripCodes codes_of(std::uint32_t strip) const;

  format::TilesHeader block_;
  DecodeStrip* decode_strip_;
  std::unique_ptr<const CodeTable> table_;
};

/// Decodes a checked block of format tiles, raw or not, into `output`, which has exactly
/// block.uncompressed_bytes bytes, with up to `threads` threads over its strips: what
/// reference::decode_block() does, with the same errors. `table_block` is the block that holds the table;
/// without it the block does itself. Throws format::FormatError naming `block_number`, and
/// std::invalid_argument for another format, an output of another size or a table that is missing.
void decode_block(const format::BlockView& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number, unsigned threads = 1,
                  std::span<const std::uint8_t> table_block = {});

}  // namespace gsst::cpu::tiles
