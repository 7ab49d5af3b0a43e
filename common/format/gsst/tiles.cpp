#include "common/format/gsst/tiles.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"

namespace gsst::format {
namespace {

using Block = std::optional<std::uint64_t>;

std::string class_field(std::uint32_t length_class) {
  return "length of class " + std::to_string(length_class);
}

std::string strip_field(std::uint32_t strip) {
  return "strip offset " + std::to_string(strip);
}

[[noreturn]] void reject(Block block, const std::string& field, std::uint64_t found,
                         const std::string& expected) {
  throw FormatError(block, field, "is " + std::to_string(found) + ", expected " + expected);
}

template <typename Values>
bool is_one_of(const Values& values, std::uint32_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void check_shape(const TilesHeader& header, Block block) {
  const TileShape shape = header.shape();
  if (!is_one_of(tile_code_bits, shape.code_bits)) {
    reject(block, "code bits", shape.code_bits, "8, 10 or 12");
  }
  if (!is_one_of(tile_codes_per_lane, shape.codes_per_lane)) {
    reject(block, "codes per lane", shape.codes_per_lane, "16, 24 or 32");
  }
  if (header.tiles_per_strip() == 0) reject(block, "tiles per strip", 0, "1 or more");
  const std::uint32_t escape_free = header.escape_free();
  if (escape_free > 1 || (escape_free == 0 && shape.code_bits != 8)) {
    reject(block, "escape-free flag", escape_free, shape.code_bits == 8 ? "0 or 1" : "1");
  }
  if (header.dictionary_id() > max_dictionary_id) {
    reject(block, "dictionary id", header.dictionary_id(), "0 to " + std::to_string(max_dictionary_id));
  }
}

void check_class_lengths(const TilesHeader& header, Block block) {
  const bool escape_free = header.escape_free() != 0;
  const TileTable literals = make_literal_tile_table(header.shape().code_bits, escape_free);
  const std::uint32_t fixed = literal_class_count(header.shape().code_bits, escape_free);
  for (std::uint32_t i = 0; i < length_class_count; ++i) {
    const std::uint32_t length = header.class_length(i);
    if (length > max_symbol_length) reject(block, class_field(i), length, "0 to 8");
    if (i < fixed && length != literals.class_lengths[i]) {
      reject(block, class_field(i), length, std::to_string(literals.class_lengths[i]));
    }
  }
}

// Most codes of `output_bytes` bytes in `strips` strips: a literal byte takes two codes of 8 bits, and a
// strip ends with a code without output where such a pair would cross its end.
std::uint64_t most_codes(const TileShape& shape, std::uint64_t output_bytes, std::uint64_t strips) {
  return shape.code_bits == 8 ? 2 * output_bytes + strips : output_bytes;
}

void check_tiles_possible(const TileShape& shape, std::uint64_t codes, std::uint64_t output_bytes,
                          std::uint64_t strips, const std::string& field, Block block) {
  if (output_bytes > codes * max_symbol_length || codes > most_codes(shape, output_bytes, strips)) {
    throw FormatError(
        block, field,
        std::to_string(codes) + " codes cannot decode to " + std::to_string(output_bytes) + " bytes");
  }
}

void check_strips(const TilesHeader& header, Block block) {
  const std::uint32_t strip_count = header.strip_count();
  const std::uint64_t strip_codes = std::uint64_t{header.tiles_per_strip()} * header.shape().codes();
  if (header.strip_output(0) != 0) reject(block, strip_field(0), header.strip_output(0), "0");
  for (std::uint32_t strip = 0; strip < strip_count; ++strip) {
    const std::uint32_t begin = header.strip_output(strip);
    const std::uint32_t end = header.strip_output(strip + 1);
    if (end > header.uncompressed_bytes()) {
      throw FormatError(block, strip_field(strip + 1),
                        "is " + std::to_string(end) + ", the block has " +
                            std::to_string(header.uncompressed_bytes()) + " uncompressed bytes");
    }
    if (end < begin) {
      throw FormatError(
          block, strip_field(strip),
          "is " + std::to_string(begin) + ", behind the end of the strip at " + std::to_string(end));
    }
    const std::uint64_t codes =
        std::min<std::uint64_t>(strip_codes, header.code_count() - strip * strip_codes);
    check_tiles_possible(header.shape(), codes, end - begin, 1, strip_field(strip), block);
  }
}

// Where the symbols start, from the block's first byte.
std::uint64_t symbols_begin(const TilesHeader& header) {
  return tiles_header_bytes + header.tile_count() * header.shape().bytes() +
         std::uint64_t{header.strip_count()} * 4;
}

// Pads a block that is whole but for its size.
void finish_tiles_block(std::vector<std::uint8_t>& bytes) {
  bytes.resize(padded_tiles_payload_bytes(bytes.size()));
  store_little_endian<4>(bytes.data(), bytes.size());
}

// The rest of the codes of 10 bits, whose 8 highest stand elsewhere: two bytes hold that of eight codes.
void store_rest_of_10_bits(std::uint8_t* rest, std::span<const std::uint16_t> codes) {
  for (std::size_t index = 0; index < codes.size(); ++index) {
    const std::size_t position = index % 8;
    std::uint8_t& byte = rest[index / 8 * 2 + position % 2];
    byte = static_cast<std::uint8_t>(byte | (codes[index] & 3) << (2 * (position / 2)));
  }
}

// The 4 highest bits of codes of 12 bits: a byte holds those of two codes.
void store_rest_of_12_bits(std::uint8_t* rest, std::span<const std::uint16_t> codes) {
  const std::size_t pairs = codes.size() / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    rest[pair] = static_cast<std::uint8_t>(codes[2 * pair] >> 8 | codes[2 * pair + 1] >> 8 << 4);
  }
  if (codes.size() % 2 != 0) rest[pairs] = static_cast<std::uint8_t>(codes.back() >> 8);
}

// Stores the codes of one tile, all of its shape or fewer, where all bytes are zero.
void store_tile(std::uint8_t* tile, const TileShape& shape, std::span<const std::uint16_t> codes) {
  const unsigned shift = shape.code_bits == 10 ? 2 : 0;
  for (std::size_t index = 0; index < codes.size(); ++index) {
    tile[index] = static_cast<std::uint8_t>(codes[index] >> shift);
  }
  if (shape.code_bits == 10) store_rest_of_10_bits(tile + shape.codes(), codes);
  if (shape.code_bits == 12) store_rest_of_12_bits(tile + shape.codes(), codes);
}

}  // namespace

std::uint32_t literal_class_count(std::uint32_t code_bits, bool escape_free) {
  if (code_bits == 8) return escape_free ? 0 : 2;
  return 256 / (1u << (code_bits - 4));
}

bool is_tile_shape(const TileShape& shape) {
  return is_one_of(tile_code_bits, shape.code_bits) && is_one_of(tile_codes_per_lane, shape.codes_per_lane);
}

TileTable make_literal_tile_table(std::uint32_t code_bits, bool escape_free) {
  if (!is_one_of(tile_code_bits, code_bits) || (code_bits != 8 && !escape_free)) {
    throw std::invalid_argument("tile table: no table has codes of " + std::to_string(code_bits) + " bits" +
                                (escape_free ? "" : " and escapes"));
  }
  TileTable table{.code_bits = code_bits, .escape_free = escape_free, .class_lengths = {}, .symbols = {}};
  table.symbols.resize(std::size_t{1} << code_bits);
  for (std::uint32_t i = 0; i < literal_class_count(code_bits, escape_free); ++i) table.class_lengths[i] = 1;
  if (code_bits != 8) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) table.symbols[byte] = byte;
  } else if (!escape_free) {
    table.class_lengths[0] = 0;
    for (std::uint32_t half = 0; half < 16; ++half) {
      table.symbols[half] = half << 4;
      table.symbols[16 + half] = half;
    }
  }
  return table;
}

TileTable read_tile_table(const TilesHeader& header) {
  TileTable table{.code_bits = header.shape().code_bits,
                  .escape_free = header.escape_free() != 0,
                  .class_lengths = {},
                  .symbols = {}};
  for (std::uint32_t i = 0; i < length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(header.class_length(i));
  }
  for (std::uint32_t code = 0; code < header.shape().code_count(); ++code) {
    table.symbols.push_back(header.symbol(code));
  }
  return table;
}

void check_tiles_header(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                        Block block) {
  if (payload.size() < tiles_header_bytes) {
    throw FormatError(block, "block header",
                      "truncated: the block has " + std::to_string(payload.size()) +
                          " bytes, needs at least " + std::to_string(tiles_header_bytes));
  }
  const TilesHeader header(payload.data());
  check_equal(header.block_bytes(), payload.size(), "block size", "its record", block);
  check_equal(header.uncompressed_bytes(), uncompressed_bytes, "uncompressed size", "its record", block);
  check_shape(header, block);
  check_zero(payload.subspan(17, 3), "block header", block);
  check_zero(payload.subspan(24, 8), "block header", block);
  check_class_lengths(header, block);
  if (header.code_count() == 0) reject(block, "code count", 0, "1 or more");
  check_tiles_possible(header.shape(), header.code_count(), uncompressed_bytes, header.strip_count(),
                       "code count", block);

  const bool holds_table = header.dictionary_id() == 0;
  const std::uint64_t unpadded =
      symbols_begin(header) + (holds_table ? header.stored_symbol_bytes(header.shape().code_count()) : 0);
  check_equal(payload.size(), padded_tiles_payload_bytes(unpadded), "block size", "its header", block);
  check_zero(payload.subspan(unpadded), "padding", block);
}

void check_tiles_block(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes, Block block) {
  check_tiles_header(payload, uncompressed_bytes, block);
  check_strips(TilesHeader(payload.data()), block);
}

void refuse_dictionary(const TilesHeader& header, std::uint64_t block, const std::string& what) {
  throw FormatError(block, "dictionary id",
                    "is " + std::to_string(header.dictionary_id()) + ", but block " +
                        std::to_string(block - header.dictionary_id()) + " " + what);
}

std::uint64_t check_dictionary_id(const TilesHeader& header, std::uint64_t block) {
  if (header.dictionary_id() <= block) return block - header.dictionary_id();
  throw FormatError(block, "dictionary id",
                    "is " + std::to_string(header.dictionary_id()) + ", only " + std::to_string(block) +
                        " blocks stand before it");
}

void check_shared_table(const TilesHeader& header, const TilesHeader& holder, std::uint64_t block) {
  if (holder.dictionary_id() != 0) refuse_dictionary(header, block, "holds no table");
  if (holder.shape() != header.shape()) refuse_dictionary(header, block, "has tiles of another shape");
  if (holder.escape_free() != header.escape_free()) {
    refuse_dictionary(header, block, "has another escape-free flag");
  }
  for (std::uint32_t i = 0; i < length_class_count; ++i) {
    if (holder.class_length(i) == header.class_length(i)) continue;
    refuse_dictionary(header, block, "has another " + class_field(i));
  }
}

std::vector<std::uint8_t> build_tiles_block(const TilesParts& parts) {
  const auto code_count = static_cast<std::uint32_t>(parts.codes.size());
  const std::uint64_t tile_count = part_size(code_count, parts.shape.codes());
  const std::uint64_t codes_end = tiles_header_bytes + tile_count * parts.shape.bytes();
  const std::uint64_t symbols_begin = codes_end + 4 * parts.strip_outputs.size();

  std::vector<std::uint8_t> bytes;
  // To move megabytes of codes when the symbols come takes time.
  bytes.reserve(padded_tiles_payload_bytes(symbols_begin + parts.table.symbols.size() * max_symbol_length));
  bytes.resize(symbols_begin);
  bytes[8] = static_cast<std::uint8_t>(parts.shape.code_bits);
  bytes[9] = static_cast<std::uint8_t>(parts.shape.codes_per_lane);
  store_little_endian<2>(bytes.data() + 10, parts.tiles_per_strip);
  store_little_endian<4>(bytes.data() + 4, parts.uncompressed_bytes);
  store_little_endian<4>(bytes.data() + 12, code_count);
  bytes[16] = parts.table.escape_free ? 1 : 0;
  std::copy(parts.table.class_lengths.begin(), parts.table.class_lengths.end(), bytes.begin() + 32);
  for (std::uint64_t tile = 0; tile < tile_count; ++tile) {
    const std::span<const std::uint16_t> left = parts.codes.subspan(tile * parts.shape.codes());
    store_tile(bytes.data() + tiles_header_bytes + tile * parts.shape.bytes(), parts.shape,
               left.first(std::min<std::size_t>(left.size(), parts.shape.codes())));
  }
  for (std::size_t strip = 0; strip < parts.strip_outputs.size(); ++strip) {
    store_little_endian<4>(bytes.data() + codes_end + 4 * strip, parts.strip_outputs[strip]);
  }
  const std::uint32_t first_stored = TilesHeader(bytes.data()).first_stored_code();
  for (std::uint32_t code = first_stored; code < parts.table.symbols.size(); ++code) {
    for (unsigned byte = 0; byte < parts.table.length(code); ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(parts.table.symbols[code] >> (8 * byte)));
    }
  }
  finish_tiles_block(bytes);
  return bytes;
}

std::vector<std::uint8_t> build_table_block(const TilesHeader& header) {
  const std::uint32_t symbol_bytes = header.stored_symbol_bytes(header.shape().code_count());
  std::vector<std::uint8_t> bytes(tiles_header_bytes + symbol_bytes);
  bytes[8] = static_cast<std::uint8_t>(header.shape().code_bits);
  bytes[9] = static_cast<std::uint8_t>(header.shape().codes_per_lane);
  store_little_endian<2>(bytes.data() + 10, 1);
  bytes[16] = static_cast<std::uint8_t>(header.escape_free());
  for (std::uint32_t i = 0; i < length_class_count; ++i) {
    bytes[32 + i] = static_cast<std::uint8_t>(header.class_length(i));
  }
  std::copy_n(header.stored_symbols(), symbol_bytes, bytes.begin() + tiles_header_bytes);
  finish_tiles_block(bytes);
  return bytes;
}

std::uint64_t bytes_without_table(const TilesHeader& header) {
  return padded_tiles_payload_bytes(symbols_begin(header));
}

void share_table(std::vector<std::uint8_t>& block, std::uint32_t dictionary_id) {
  block.resize(symbols_begin(TilesHeader(block.data())));
  store_little_endian<4>(block.data() + 20, dictionary_id);
  finish_tiles_block(block);
}

std::uint64_t max_tiles_payload_bytes(std::uint64_t uncompressed_bytes) {
  // Header, largest table (4096 symbols of 8 bytes), a whole last tile and padding; then the codes and, for
  // each strip, at least 512 codes long, an offset and a code without output.
  constexpr std::uint64_t fixed_bytes = 36864;
  return fixed_bytes + 2 * uncompressed_bytes + uncompressed_bytes / 16;
}

}  // namespace gsst::format
