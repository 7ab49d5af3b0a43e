#include "common/format/gsst/fsst_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"

namespace gsst::format {

std::size_t parse_fsst_block_length(std::span<const std::uint8_t> bytes, std::optional<std::uint64_t> block) {
  if (bytes.size() < fsst_length_bytes) {
    throw FormatError(block, "block size",
                      "truncated: " + std::to_string(bytes.size()) + " bytes left, needs 3");
  }
  const std::size_t length = load_big_endian<fsst_length_bytes>(bytes.data());
  if (length < fsst_length_bytes + symbol_table_header_bytes) {
    throw FormatError(block, "block size",
                      "is " + std::to_string(length) + ", the smallest block has " +
                          std::to_string(fsst_length_bytes + symbol_table_header_bytes) + " bytes");
  }
  return length;
}

FsstBlockView parse_fsst_block(std::span<const std::uint8_t> bytes, std::optional<std::uint64_t> block) {
  const std::size_t length = parse_fsst_block_length(bytes, block);
  if (bytes.size() < length) {
    throw FormatError(block, "block size",
                      "truncated: is " + std::to_string(length) + ", only " + std::to_string(bytes.size()) +
                          " bytes are left");
  }
  const auto table_and_codes = bytes.subspan(fsst_length_bytes, length - fsst_length_bytes);
  const ParsedSymbolTable parsed = parse_symbol_table(table_and_codes, block);
  return {.table = parsed.table, .codes = table_and_codes.subspan(parsed.stored_bytes)};
}

std::vector<std::uint8_t> build_fsst_block(const SymbolTable& table, std::span<const std::uint8_t> codes) {
  const std::size_t table_bytes = stored_symbol_table_bytes(table);
  const std::size_t length = fsst_length_bytes + table_bytes + codes.size();
  if (length > 0xffffff) {
    throw std::length_error("fsst block: " + std::to_string(length) +
                            " bytes do not fit the 3-byte block size; use smaller blocks");
  }
  std::vector<std::uint8_t> block(length);
  store_big_endian<fsst_length_bytes>(block.data(), length);
  write_symbol_table(table, std::span(block).subspan(fsst_length_bytes));
  std::copy(codes.begin(), codes.end(),
            block.begin() + static_cast<std::ptrdiff_t>(fsst_length_bytes + table_bytes));
  return block;
}

}  // namespace gsst::format
