#include "reference_cpu/tile_codec.hpp"

#include <algorithm>
#include <array>
#include <memory>
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
  StripWriter(const TileShape& shape, std::uint32_t strip_tiles, std::size_t input_bytes)
      : strip_codes_(strip_tiles * shape.codes()),
        codes_(std::make_unique_for_overwrite<std::uint16_t[]>(most_codes(shape) * input_bytes + 1)) {}

  // Puts the first `count` of `codes`, 1 or 2: both are written, so that there is no branch to miss. A pair
  // does not cross the end of a strip: a code without output goes between.
  void put(std::array<std::uint32_t, 2> codes, std::uint32_t count, std::size_t input_position) {
    if (left_ < count) start_strip(input_position);
    codes_[count_] = static_cast<std::uint16_t>(codes[0]);
    codes_[count_ + 1] = static_cast<std::uint16_t>(codes[1]);
    count_ += count;
    left_ -= count;
  }

  std::span<const std::uint16_t> codes() const { return {codes_.get(), count_}; }
  std::span<const std::uint32_t> strip_outputs() const { return strip_outputs_; }

private:
  // A literal byte takes two codes of 8 bits, and one more where a strip has room for one of these.
  static std::size_t most_codes(const TileShape& shape) { return shape.code_bits == 8 ? 3 : 1; }

  void start_strip(std::size_t input_position) {
    for (; left_ != 0; --left_) codes_[count_++] = 0;
    strip_outputs_.push_back(static_cast<std::uint32_t>(input_position));
    left_ = strip_codes_;
  }

  std::uint32_t strip_codes_;
  // The codes that the last strip has room for.
  std::uint32_t left_ = 0;
  std::size_t count_ = 0;
  std::unique_ptr<std::uint16_t[]> codes_;
  std::vector<std::uint32_t> strip_outputs_;
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
  StripWriter writer(shape, strip_tiles, input.size());
  // What each code needs is copied: references would be followed for each.
  const auto put = [&writer, input, has_escapes = !table.escape_free](std::size_t position, TileMatch match,
                                                                      bool is_literal) {
    const std::uint32_t byte = input[position];
    if (!has_escapes && is_literal) {
      throw std::invalid_argument("encode_tiles: byte " + std::to_string(byte) +
                                  " has no symbol in a table without escapes");
    }
    writer.put({choose(is_literal, byte >> 4, match.code), 16 + (byte & 0xf)}, 1 + unsigned{is_literal},
               position);
  };
  parse_tiles(table, input, options.parse, put);
  return format::build_tiles_block({.shape = shape,
                                    .tiles_per_strip = strip_tiles,
                                    .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                                    .table = table,
                                    .codes = writer.codes(),
                                    .strip_outputs = writer.strip_outputs()});
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
