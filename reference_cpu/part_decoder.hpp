#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/tiles.hpp"

/// Decoding of a part of a block without the rest: the unit of random access.
namespace gsst::reference {

/// Where the output of a part is in the output of its block, in bytes.
struct BlockPart {
  std::uint32_t output_offset;
  std::uint32_t output_bytes;
};

/// The parts of a checked block that are decoded each on its own: its splits, the strips of format tiles, or
/// the block itself where its format or its raw layout has none. Can be used by several threads at once.
class PartDecoder {
public:
  /// `block` and `table_block` must outlive the decoder. `block_number` is for messages. `table_block` is the
  /// block that holds the table of a block of format tiles; without it the block does itself. Throws
  /// std::invalid_argument if that is not so.
  PartDecoder(const format::BlockView& block, std::optional<std::uint64_t> block_number,
              std::span<const std::uint8_t> table_block = {});

  /// At least 1.
  std::uint32_t part_count() const;

  /// Part `part`, less than part_count(). The parts cover the block's output in order; some can be empty.
  BlockPart part(std::uint32_t part) const;

  /// The part that holds byte `output_offset` of the block's output, which has more bytes than that.
  std::uint32_t part_of(std::uint32_t output_offset) const;

  /// Decodes part `part` into `output`, of exactly its output_bytes. Throws format::FormatError if the codes
  /// break a rule of FORMAT.md.
  void decode(std::uint32_t part, std::span<std::uint8_t> output) const;

  /// Decodes all parts into `output`, of exactly the block's uncompressed bytes, with up to `threads`
  /// threads. Throws as decode().
  void decode_all(std::span<std::uint8_t> output, unsigned threads) const;

private:
  bool has_strips() const;

  const format::BlockView& block_;
  std::optional<std::uint64_t> block_number_;
  /// Of a block of format tiles that is not raw.
  std::optional<format::TileTable> tile_table_;
};

}  // namespace gsst::reference
