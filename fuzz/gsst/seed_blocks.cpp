#include "fuzz/gsst/seed_blocks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/block_header_writer.hpp"
#include "common/format/gsst/tiles.hpp"
#include "fuzz/byte_changes.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using format::BlockHeader;
using format::BlockLayout;
using format::FrameHeader;
using format::SymbolTable;
using format::TileTable;
using Bytes = std::vector<std::uint8_t>;

// Around the widths of warps and of a narrow header's field, and more than a thread block has threads.
constexpr std::array<std::uint32_t, 12> split_counts = {1, 2, 3, 7, 31, 32, 33, 64, 128, 255, 256, 300};

std::uint32_t block_bytes_of(const FrameHeader& header) {
  return static_cast<std::uint32_t>(header.block_size);
}

// Bytes that the codes of a block give where its header says something else.
std::uint32_t another_size(std::uint32_t block_bytes, Random& random) {
  const std::uint32_t other =
      random.one_in(2) ? block_bytes - 2 + random.below(5) : block_bytes / 2 + random.below(block_bytes);
  return std::max(other, 1U);
}

Bytes random_bytes(std::size_t count, Random& random) {
  return reference::test::make_random(count, random.number());
}

SymbolTable choose_table(Random& random) {
  static const SymbolTable trained = reference::train_symbol_table(reference::test::make_text(20000, 1));
  switch (random.below(8)) {
    case 0:
      return {};
    case 1:
    case 2:
      return trained;
    default: {
      // In an order of its own: compilers evaluate arguments in either.
      const auto seed = random.number();
      return reference::test::make_random_table(1 + random.below(format::max_symbol_count), seed);
    }
  }
}

// Symbols of the table, and here and there a byte of any value.
Bytes text_of_symbols(const SymbolTable& table, std::size_t bytes, Random& random) {
  const std::uint32_t bytes_between = 2 + random.below(30);
  Bytes text;
  while (text.size() < bytes) {
    if (table.symbol_count == 0 || random.one_in(bytes_between)) {
      text.push_back(random.one_in(4) ? 0xff : random.byte());
      continue;
    }
    const unsigned code = random.below(table.symbol_count);
    for (unsigned byte = 0; byte < table.lengths[code]; ++byte) {
      text.push_back(static_cast<std::uint8_t>(table.symbols[code] >> (8 * byte)));
    }
  }
  text.resize(bytes);
  return text;
}

// The same block with fields of 4 bytes: an encoder takes them for large blocks only.
Bytes as_wide(const Bytes& narrow, BlockFormat block_format) {
  const BlockHeader header(narrow.data(), block_format, BlockLayout::narrow);
  const std::uint32_t split_count = header.split_count();
  const std::uint32_t header_bytes = format::block_header_bytes(block_format, BlockLayout::wide, split_count);
  Bytes wide(header_bytes);
  wide.insert(wide.end(), narrow.begin() + header.header_bytes(), narrow.end());
  const format::BlockHeaderWriter writer(wide.data(), block_format, BlockLayout::wide);
  writer.write_fixed_fields(static_cast<std::uint32_t>(wide.size()), header.uncompressed_bytes(),
                            split_count);
  if (!format::has_splits(block_format)) return wide;
  const std::uint32_t escape_bit = BlockHeader(wide.data(), block_format, BlockLayout::wide).escape_bit();
  for (std::uint32_t split = 0; split < split_count; ++split) {
    writer.write_split_location(
        split, header.split_location(split) | (header.starts_escaped(split) ? escape_bit : 0));
  }
  return wide;
}

Block make_coded_block(const FrameHeader& header, Random& random) {
  const SymbolTable table = choose_table(random);
  const std::uint32_t size =
      random.one_in(8) ? another_size(block_bytes_of(header), random) : block_bytes_of(header);
  format::BuiltBlock built =
      reference::encode_block(header.format, table, text_of_symbols(table, size, random), header.split_count);
  if (built.layout == BlockLayout::narrow && random.one_in(2)) {
    built = {.layout = BlockLayout::wide, .bytes = as_wide(built.bytes, header.format)};
  }
  format::BlockHeaderWriter(built.bytes.data(), header.format, built.layout)
      .write_fixed_fields(static_cast<std::uint32_t>(built.bytes.size()), block_bytes_of(header),
                          header.split_count);
  return {.layout = built.layout, .bytes = std::move(built.bytes)};
}

// A table with the shape of its tiles.
struct TileCoding {
  format::TileShape shape;
  TileTable table;
};

TileCoding make_tile_coding(Random& random) {
  const std::uint32_t code_bits = 8 + 2 * random.below(3);
  const bool escape_free = code_bits != 8 || random.one_in(2);
  TileCoding coding{.shape = {.code_bits = code_bits, .codes_per_lane = 16 + 8 * random.below(3)},
                    .table = format::make_literal_tile_table(code_bits, escape_free)};
  TileTable& table = coding.table;
  const std::uint32_t taken = format::literal_class_count(code_bits, escape_free);
  for (std::uint32_t i = taken; i < format::length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(1 + random.below(format::max_symbol_length));
  }
  // make_tile_codes() ends with codes of one byte.
  if (taken == 0) table.class_lengths[0] = 1;
  for (std::uint32_t code = taken * coding.shape.class_codes(); code < coding.shape.code_count(); ++code) {
    table.symbols[code] = random.number() >> (64 - 8 * table.length(code));
  }
  return coding;
}

// Codes of the table that put out `bytes` bytes.
std::vector<std::uint16_t> make_tile_codes(const TileCoding& coding, std::uint32_t bytes, Random& random) {
  const TileTable& table = coding.table;
  // The second class where the first holds halves without output.
  const std::uint32_t one_byte_class = table.class_lengths[0] == 1 ? 0 : 1;
  std::vector<std::uint16_t> codes;
  for (std::uint32_t left = bytes; left > 0;) {
    std::uint32_t code = random.below(coding.shape.code_count());
    if (table.length(code) > left) code = one_byte_class * coding.shape.class_codes() + code % 16;
    codes.push_back(static_cast<std::uint16_t>(code));
    left -= table.length(code);
  }
  return codes;
}

Block make_tiles_block(const FrameHeader& header, const TileCoding& coding, Random& random) {
  const std::uint32_t size =
      random.one_in(8) ? another_size(block_bytes_of(header), random) : block_bytes_of(header);
  const std::vector<std::uint16_t> codes = make_tile_codes(coding, size, random);
  const std::uint32_t tiles_per_strip = 1 + random.below(3);
  const std::size_t strip_codes = std::size_t{tiles_per_strip} * coding.shape.codes();
  std::vector<std::uint32_t> strip_outputs;
  std::uint32_t output = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i % strip_codes == 0) strip_outputs.push_back(output);
    output += coding.table.length(codes[i]);
  }
  return {.layout = BlockLayout::wide,
          .bytes = format::build_tiles_block({.shape = coding.shape,
                                              .tiles_per_strip = tiles_per_strip,
                                              .uncompressed_bytes = block_bytes_of(header),
                                              .table = coding.table,
                                              .codes = codes,
                                              .strip_outputs = strip_outputs})};
}

Block make_raw_block(const FrameHeader& header, Random& random) {
  Block block{.layout = BlockLayout::raw, .bytes = random_bytes(block_bytes_of(header), random)};
  block.bytes.resize(format::raw_payload_bytes(header.format, block_bytes_of(header)));
  return block;
}

}  // namespace

Seeds make_seed_blocks(BlockFormat format, std::size_t count, Random& random) {
  const std::uint32_t block_bytes = choose_block_bytes(random);
  const std::uint32_t splits =
      format::has_splits(format) ? split_counts[random.below(split_counts.size())] : 1;
  Seeds seeds{.header = {.format = format, .block_size = block_bytes, .split_count = splits}, .blocks = {}};
  const bool tiles = format == BlockFormat::tiles;
  std::vector<TileCoding> codings;
  if (tiles) {
    const std::uint32_t coding_count = 1 + random.below(3);
    for (std::uint32_t i = 0; i < coding_count; ++i) codings.push_back(make_tile_coding(random));
  }
  while (seeds.blocks.size() < count) {
    if (random.one_in(16)) {
      seeds.blocks.push_back(make_raw_block(seeds.header, random));
    } else if (tiles) {
      seeds.blocks.push_back(make_tiles_block(seeds.header, codings[random.below(codings.size())], random));
    } else {
      seeds.blocks.push_back(make_coded_block(seeds.header, random));
    }
  }
  return seeds;
}

}  // namespace gsst::fuzz
