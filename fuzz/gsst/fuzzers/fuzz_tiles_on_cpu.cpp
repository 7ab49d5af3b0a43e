#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/block_encoder.hpp"
#include "cpu/tiles/table_trainer.hpp"
#include "reference_cpu/tile_codec.hpp"

// The first bytes choose a table and a shape, the rest is the input: a block encoded with each instruction
// set of this processor, from memory of exactly its size, and decoded by each and by reference_cpu. A table
// is trained, or has symbols that no training would choose.

namespace {

using gsst::cpu::tiles::InstructionSet;
using gsst::format::TilesHeader;
using gsst::format::TileTable;
using Bytes = std::vector<std::uint8_t>;

struct Choices {
  std::uint8_t code_bits;
  std::uint8_t codes_per_lane;
  std::uint8_t tiles_per_strip;
  std::uint8_t is_trained;
  // Of the classes of a table that is not trained.
  std::array<std::uint8_t, gsst::format::length_class_count> class_lengths;
};

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Symbols of the chosen lengths one after the other from the input, over and over; some are alike.
TileTable table_from(std::span<const std::uint8_t> input, std::uint32_t code_bits, const Choices& choices) {
  TileTable table = gsst::format::make_literal_tile_table(code_bits, code_bits != 8);
  const std::uint32_t fixed = gsst::format::literal_class_count(code_bits, table.escape_free);
  const std::uint32_t class_codes = (1U << code_bits) / gsst::format::length_class_count;
  for (std::uint32_t i = fixed; i < gsst::format::length_class_count; ++i) {
    table.class_lengths[i] =
        static_cast<std::uint8_t>(choices.class_lengths[i] % (gsst::format::max_symbol_length + 1));
  }
  std::size_t next = 0;
  for (std::uint32_t code = fixed * class_codes; code < table.symbols.size(); ++code) {
    for (unsigned byte = 0; byte < table.length(code); ++byte) {
      table.symbols[code] |= std::uint64_t{input[next++ % input.size()]} << (8 * byte);
    }
  }
  return table;
}

void check_block(std::span<const std::uint8_t> input, const Bytes& block) {
  gsst::format::check_tiles_block(block, static_cast<std::uint32_t>(input.size()), 0);
  const TilesHeader header(block.data());
  Bytes output(input.size());
  gsst::reference::decode_tiles(header, output, 0);
  require(std::ranges::equal(output, input), "the reference decodes other bytes");
  for (const InstructionSet& instructions : gsst::cpu::tiles::instruction_sets()) {
    std::ranges::fill(output, std::uint8_t{0});
    gsst::cpu::tiles::BlockDecoder(header, header, instructions).decode_all(output, 0);
    require(std::ranges::equal(output, input), "a decoder gives other bytes");
  }
}

void check_input(std::span<const std::uint8_t> input, const Choices& choices) {
  // No block of a frame is empty.
  if (input.empty()) return;
  const std::uint32_t code_bits = gsst::format::tile_code_bits[choices.code_bits % 3];
  // Training takes the most time.
  const TileTable table = choices.is_trained % 8 == 0 ? gsst::cpu::tiles::train_table(input, code_bits)
                                                      : table_from(input, code_bits, choices);
  const gsst::cpu::tiles::BlockShape shape{
      .codes_per_lane = gsst::format::tile_codes_per_lane[choices.codes_per_lane % 3],
      .tiles_per_strip = 1U + choices.tiles_per_strip % 5};
  const auto exact = std::make_unique_for_overwrite<std::uint8_t[]>(input.size());
  std::ranges::copy(input, exact.get());
  Bytes first;
  for (const InstructionSet& instructions : gsst::cpu::tiles::instruction_sets()) {
    gsst::cpu::tiles::EncoderMemory memory;
    Bytes block;
    gsst::cpu::tiles::BlockEncoder(table, instructions)
        .encode({exact.get(), input.size()}, shape, memory, block);
    if (first.empty()) first = block;
    require(block == first, "two instruction sets give different blocks");
  }
  check_block(input, first);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < sizeof(Choices)) return 0;
  Choices choices{.code_bits = data[0],
                  .codes_per_lane = data[1],
                  .tiles_per_strip = data[2],
                  .is_trained = data[3],
                  .class_lengths = {}};
  std::copy_n(data + 4, choices.class_lengths.size(), choices.class_lengths.begin());
  check_input({data + sizeof(Choices), size - sizeof(Choices)}, choices);
  return 0;
}
