#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/table_encoder.hpp"

/// One block of each format, encoded and decoded: what every kernel is compared with.
namespace gsst::reference {

/// Encodes `input` (1 to format::max_block_bytes bytes) with `table` as a block of `block_format`, which is
/// not fsst. Format tiles takes the symbols of `table` that its classes hold. `split_count` is 1 for formats
/// blocks and tiles. Splits are encoded by up to `threads` threads; the bytes do not depend on their number.
/// `parse` says how symbols are chosen; format tiles is always parsed greedily. Never chooses the raw layout.
format::BuiltBlock encode_block(format::BlockFormat block_format, const format::SymbolTable& table,
                                std::span<const std::uint8_t> input, std::uint32_t split_count,
                                unsigned threads = 1, Parse parse = Parse::greedy);

/// Decodes a checked block into `output`, which has exactly block.uncompressed_bytes bytes, with up to
/// `threads` threads over the splits. Throws format::FormatError naming `block_number` if the codes break a
/// rule of FORMAT.md. `table_block` is the block that holds the table of a block of format tiles; without it
/// the block does itself.
void decode_block(const format::BlockView& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number, unsigned threads = 1,
                  std::span<const std::uint8_t> table_block = {});

/// Compares decoded bytes with the checksum in their block's record. Throws format::FormatError naming
/// `block`.
void check_checksum(std::span<const std::uint8_t> output, const format::BlockRecord& record,
                    std::uint64_t block);

/// Decodes a block of an fsst file. Throws format::FormatError naming `block_number`.
std::vector<std::uint8_t> decode_fsst_block(const format::FsstBlockView& block,
                                            std::optional<std::uint64_t> block_number);

}  // namespace gsst::reference
