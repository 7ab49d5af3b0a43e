#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"

/// The file format of FSST's command line tool: blocks one after the other, no frame (FORMAT.md, section 7).
namespace gsst::format {

/// Bytes of the length in front of each block.
inline constexpr std::size_t fsst_length_bytes = 3;
/// Largest number of uncompressed bytes in a block that is written: that tool cuts its input here.
inline constexpr std::size_t max_fsst_block_bytes = 4'193'270;
/// Largest number of bytes that its decoder gives room to one block.
inline constexpr std::size_t fsst_tool_output_bytes = 4'194'304;

/// One block of an fsst file, checked. `codes` points into the bytes that were parsed.
struct FsstBlockView {
  SymbolTable table;
  std::span<const std::uint8_t> codes;
};

/// Reads the length field: the bytes of the whole block, itself included. `bytes` may hold more than the
/// field. Throws FormatError if the field is truncated or smaller than the smallest block.
std::size_t parse_fsst_block_length(std::span<const std::uint8_t> bytes, std::optional<std::uint64_t> block);

/// Parses the block at the start of `bytes`. Throws FormatError if it is truncated or its table is not valid.
FsstBlockView parse_fsst_block(std::span<const std::uint8_t> bytes, std::optional<std::uint64_t> block);

/// A block of an fsst file. Throws std::length_error if it would need more than the 3-byte length can say.
std::vector<std::uint8_t> build_fsst_block(const SymbolTable& table, std::span<const std::uint8_t> codes);

}  // namespace gsst::format
