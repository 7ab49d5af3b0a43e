#include "cpu/tiles/block_encoder.hpp"

#include <algorithm>
#include <cstring>

#include "common/format/bytes.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles_header_writer.hpp"
#include "common/format/part_size.hpp"
#include "cpu/tiles/match_index_builder.hpp"

namespace gsst::cpu::tiles {
namespace {

using format::TileShape;
using format::TileTable;

// The codes of a block in order, whatever segments they are in.
class CodeReader {
public:
  explicit CodeReader(const ParsedCodes& parsed) : parsed_(parsed) {}

  // Copies up to `most` bytes to `place`. Returns how many: fewer only at the end.
  std::size_t read(std::uint8_t* place, std::size_t most) {
    std::size_t copied = 0;
    while (copied != most && segment_ != parsed_.segments()) {
      const std::span<const std::uint8_t> left = parsed_.segment(segment_).subspan(in_segment_);
      const std::size_t count = std::min(left.size(), most - copied);
      std::memcpy(place + copied, left.data(), count);
      copied += count;
      in_segment_ += count;
      if (count != left.size()) break;
      ++segment_;
      in_segment_ = 0;
    }
    return copied;
  }

  // Reads the last byte again. It is in the segment of the next one: no symbol crosses a border.
  void unread_byte() { --in_segment_; }

private:
  const ParsedCodes& parsed_;
  std::size_t segment_ = 0;
  std::size_t in_segment_ = 0;
};

// Stores the symbols that a block stores, and returns where they end. Up to 7 bytes there may be overwritten.
std::uint8_t* store_symbols(const TileTable& table, std::uint8_t* place) {
  const std::uint32_t first = table.code_bits == 8 ? 2 * format::length_class_count : 256;
  for (std::uint32_t code = first; code < table.symbols.size(); ++code) {
    format::store_little_endian<8>(place, table.symbols[code]);
    place += table.length(code);
  }
  return place;
}

}  // namespace

BlockEncoder::BlockEncoder(const TileTable& table, const InstructionSet& instructions)
    : table_(table), instructions_(instructions), index_(std::make_unique_for_overwrite<MatchIndex>()) {
  build_match_index(table, *index_);
}

void BlockEncoder::encode(std::span<const std::uint8_t> input, const BlockShape& shape, EncoderMemory& memory,
                          std::vector<std::uint8_t>& block) const {
  const TileShape tile{.code_bits = table_.code_bits, .codes_per_lane = shape.codes_per_lane};
  const std::size_t bytes_per_code = table_.code_bits == 8 ? 1 : 2;
  const std::size_t strip_codes = std::size_t{shape.tiles_per_strip} * tile.codes();
  const std::size_t strip_bytes = strip_codes * bytes_per_code;
  parse(input, memory.parsed);
  memory.strip.resize(strip_bytes);
  memory.strip_outputs.clear();

  // Each strip has all its codes but one, where the halves of a literal byte would be in two.
  const std::size_t most_strips = format::part_size(memory.parsed.bytes(), strip_bytes - 1);
  const std::size_t most_bytes =
      format::tiles_header_bytes + most_strips * (std::size_t{shape.tiles_per_strip} * tile.bytes() + 4) +
      table_.symbols.size() * format::max_symbol_length + std::size_t{2} * format::tiles_alignment;
  if (block.size() < most_bytes) block.resize(most_bytes);

  std::uint8_t* end = block.data() + format::tiles_header_bytes;
  std::size_t code_count = 0;
  std::size_t output = 0;
  CodeReader reader(memory.parsed);
  while (const std::size_t read = reader.read(memory.strip.data(), strip_bytes)) {
    std::uint8_t* const codes = memory.strip.data();
    if (table_.code_bits == 8 && read == strip_bytes && codes[read - 1] < format::length_class_count) {
      codes[read - 1] = 0;
      reader.unread_byte();
    }
    memory.strip_outputs.push_back(static_cast<std::uint32_t>(output));
    code_count += read / bytes_per_code;
    const std::size_t tiles = format::part_size(read / bytes_per_code, tile.codes());
    const std::size_t filled = tiles * tile.codes() * bytes_per_code;
    std::memset(codes + read, 0, filled - read);
    output += instructions_.pack_tiles({.codes = codes,
                                        .tiles = tiles,
                                        .tile_codes = tile.codes(),
                                        .code_bits = table_.code_bits,
                                        .class_lengths = table_.class_lengths.data()},
                                       end);
    end += tiles * tile.bytes();
  }
  for (const std::uint32_t strip_output : memory.strip_outputs) {
    format::store_little_endian<4>(end, strip_output);
    end += 4;
  }
  end = store_symbols(table_, end);

  const auto unpadded = static_cast<std::size_t>(end - block.data());
  const std::size_t padded = format::padded_tiles_payload_bytes(unpadded);
  std::memset(end, 0, padded - unpadded);
  block.resize(padded);
  format::write_tiles_header(block.data(),
                             {.block_bytes = static_cast<std::uint32_t>(padded),
                              .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                              .shape = tile,
                              .tiles_per_strip = shape.tiles_per_strip,
                              .code_count = static_cast<std::uint32_t>(code_count),
                              .escape_free = table_.escape_free ? 1U : 0U,
                              .dictionary_id = 0},
                             table_.class_lengths.data());
}

}  // namespace gsst::cpu::tiles
