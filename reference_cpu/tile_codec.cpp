#include "reference_cpu/tile_codec.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/tile_parse.hpp"

namespace gsst::reference {
namespace {

using format::TileShape;
using format::TileTable;

std::uint32_t tiles_per_strip(const TileShape& shape, std::uint32_t most_codes) {
  if (most_codes >= shape.codes()) return most_codes / shape.codes();
  throw std::invalid_argument("encode_tiles: strips of " + std::to_string(most_codes) +
                              " codes hold no tile of " + std::to_string(shape.codes()));
}

// The codes of a block, cut into strips as they are made.
class StripWriter {
public:
  explicit StripWriter(std::uint32_t strip_codes) : strip_codes_(strip_codes) {}

  // A pair does not cross the end of a strip: a code without output goes between.
  void put_literal(std::uint8_t byte, std::uint32_t input_position) {
    if (codes.size() % strip_codes_ == strip_codes_ - 1) put(0, input_position);
    put(byte >> 4, input_position);
    put(16 + (byte & 0xf), input_position);
  }

  void put(std::uint32_t code, std::uint32_t input_position) {
    if (codes.size() % strip_codes_ == 0) strip_outputs.push_back(input_position);
    codes.push_back(static_cast<std::uint16_t>(code));
  }

  std::vector<std::uint16_t> codes;
  std::vector<std::uint32_t> strip_outputs;

private:
  std::uint32_t strip_codes_;
};

std::uint32_t strip_codes(const format::TilesHeader& block, std::uint32_t strip) {
  const std::uint64_t whole = std::uint64_t{block.tiles_per_strip()} * block.shape().codes();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(whole, block.code_count() - strip * whole));
}

DecodeProblem decode_strip_codes(const format::TilesHeader& block, const TileTable& table,
                                 std::uint32_t strip, std::span<std::uint8_t> output) {
  const TileShape shape = block.shape();
  const std::uint8_t* const first_tile = block.tile(std::uint64_t{strip} * block.tiles_per_strip());
  std::size_t written = 0;
  std::uint64_t first_half = 0;
  for (std::uint32_t i = 0; i < strip_codes(block, strip); ++i) {
    const std::uint8_t* const tile = first_tile + std::uint64_t{i / shape.codes()} * shape.bytes();
    const std::uint32_t code = format::tile_code(tile, shape, i % shape.codes());
    const unsigned length = table.length(code);
    const std::uint64_t symbol = table.symbols[code] | first_half;
    if (length > output.size() - written) return DecodeProblem::output_too_long;
    for (unsigned byte = 0; byte < length; ++byte) {
      output[written++] = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
    first_half = length == 0 ? symbol : 0;
  }
  return written == output.size() ? DecodeProblem::none : DecodeProblem::output_too_short;
}

}  // namespace

std::vector<std::uint8_t> encode_tiles(const TileTable& table, std::span<const std::uint8_t> input,
                                       const TileOptions& options) {
  const TileShape shape{.code_bits = table.code_bits, .codes_per_lane = options.codes_per_lane};
  const std::uint32_t strip_tiles = tiles_per_strip(shape, options.strip_codes);
  StripWriter writer(strip_tiles * shape.codes());
  parse_tiles(table, input, options.parse, [&](std::size_t position, const std::optional<TileMatch>& match) {
    const auto at = static_cast<std::uint32_t>(position);
    if (match) {
      writer.put(match->code, at);
    } else if (table.escape_free) {
      throw std::invalid_argument("encode_tiles: byte " + std::to_string(input[position]) +
                                  " has no symbol in a table without escapes");
    } else {
      writer.put_literal(input[position], at);
    }
  });
  return format::build_tiles_block({.shape = shape,
                                    .tiles_per_strip = strip_tiles,
                                    .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                                    .table = table,
                                    .codes = writer.codes,
                                    .strip_outputs = writer.strip_outputs});
}

void decode_strip(const format::TilesHeader& block, const TileTable& table, std::uint32_t strip,
                  std::span<std::uint8_t> output, std::optional<std::uint64_t> block_number) {
  const DecodeProblem problem = decode_strip_codes(block, table, strip, output);
  if (problem == DecodeProblem::none) return;
  throw format::FormatError(block_number, "codes of strip " + std::to_string(strip), describe(problem));
}

void decode_tiles(const format::TilesHeader& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number, unsigned threads) {
  const TileTable table = format::read_tile_table(block);
  parallel_for(block.strip_count(), threads, [&](std::size_t index) {
    const auto strip = static_cast<std::uint32_t>(index);
    const std::uint32_t begin = block.strip_output(strip);
    decode_strip(block, table, strip, output.subspan(begin, block.strip_output(strip + 1) - begin),
                 block_number);
  });
}

}  // namespace gsst::reference
