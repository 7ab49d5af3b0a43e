#include "fuzz/gsst/block_mutator.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "common/format/bytes.hpp"
#include "common/format/gsst/block_header_writer.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "fuzz/byte_changes.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using format::BlockHeader;
using format::BlockLayout;
using Bytes = std::vector<std::uint8_t>;

// Where the lengths of the classes of tiles begin, and the number of codes (FORMAT.md, section 9).
constexpr std::size_t class_lengths_begin = 32;
constexpr std::size_t code_count_begin = 12;

// What stands where in a block that make_seed_blocks() has made.
struct Regions {
  Region fields;
  // Split locations or the strips' offsets, `offset_bytes` bytes each.
  Region offsets;
  std::size_t offset_bytes = 4;
  // Counts of symbols of each length, or the lengths of classes.
  Region lengths;
  Region symbols;
  Region codes;
};

Regions regions_of_tiles(const Bytes& bytes) {
  const format::TilesHeader header(bytes.data());
  const auto begin_of = [&](const std::uint8_t* part) {
    return static_cast<std::size_t>(part - bytes.data());
  };
  const std::size_t offsets = begin_of(header.strip_outputs());
  const std::size_t symbols = begin_of(header.stored_symbols());
  return {.fields = {.begin = 0, .size = format::tiles_header_bytes},
          .offsets = {.begin = offsets, .size = symbols - offsets},
          .lengths = {.begin = class_lengths_begin, .size = format::length_class_count},
          .symbols = {.begin = symbols, .size = header.stored_symbol_bytes(header.shape().code_count())},
          .codes = {.begin = format::tiles_header_bytes, .size = offsets - format::tiles_header_bytes}};
}

Regions regions_of(const Block& block, BlockFormat block_format) {
  if (block.layout == BlockLayout::raw) {
    Regions regions;
    regions.codes.size = block.bytes.size();
    return regions;
  }
  if (block_format == BlockFormat::tiles) return regions_of_tiles(block.bytes);
  const BlockHeader header(block.bytes.data(), block_format, block.layout);
  const std::size_t fields = header.fixed_header_bytes();
  const std::size_t table = header.header_bytes();
  const std::size_t table_bytes =
      format::parse_symbol_table(std::span(block.bytes).subspan(table), std::nullopt).stored_bytes;
  const std::size_t symbols = table + format::symbol_table_header_bytes;
  const std::size_t codes = table + table_bytes;
  return {.fields = {.begin = 0, .size = fields},
          .offsets = {.begin = fields, .size = table - fields},
          .offset_bytes = block.layout == BlockLayout::wide ? 4U : 3U,
          .lengths = {.begin = symbols - format::max_symbol_length, .size = format::max_symbol_length},
          .symbols = {.begin = symbols, .size = codes - symbols},
          .codes = {.begin = codes, .size = block.bytes.size() - codes}};
}

class BlockMutation {
public:
  BlockMutation(const Seeds& seeds, Random& random)
      : seeds_(seeds.blocks),
        header_(seeds.header),
        random_(random),
        block_(any_seed()),
        stated_layout_(block_.layout),
        regions_(regions_of(block_, seeds.header.format)) {}

  Block run() {
    const std::uint32_t changes = random_.one_in(3) ? 2 + random_.below(2) : 1;
    for (std::uint32_t i = 0; i < changes; ++i) change();
    block_.layout = stated_layout_;
    return std::move(block_);
  }

private:
  void change() {
    switch (random_.below(32)) {
      case 0:
        return change_byte(block_.bytes, regions_.fields, random_);
      case 1:
        return change_byte(block_.bytes, regions_.lengths, random_);
      case 2:
        return swap_bytes(block_.bytes, regions_.lengths, random_);
      case 3:
      case 4:
        return move_offset();
      case 5:
        return change_length();
      case 6:
        return take_codes_of_another();
      case 7:
        stated_layout_ = static_cast<BlockLayout>(random_.below(3));
        return;
      case 8:
        return change_byte(block_.bytes, {.begin = 0, .size = block_.bytes.size()}, random_);
      case 9:
      case 10:
      case 11:
      case 12:
      case 13:
        return change_byte(block_.bytes, regions_.symbols, random_);
      case 14:
      case 15:
        return copy_from_another(block_.bytes, regions_.symbols, any_seed().bytes, random_);
      case 16:
      case 17:
        return copy_from_another(block_.bytes, regions_.codes, any_seed().bytes, random_);
      case 18:
      case 19:
        return copy_inside(block_.bytes, regions_.codes, random_);
      case 20:
      case 21:
      case 22:
      case 23:
        return swap_bytes(block_.bytes, regions_.codes, random_);
      default:
        return change_byte(block_.bytes, regions_.codes, random_);
    }
  }

  const Block& any_seed() { return seeds_[random_.below(seeds_.size())]; }

  // A split location or a strip's offset, with its bits that are no number.
  void move_offset() {
    if (regions_.offsets.size == 0) return;
    const std::size_t bytes = regions_.offset_bytes;
    std::uint8_t* const offset =
        block_.bytes.data() + regions_.offsets.begin + random_.below(regions_.offsets.size / bytes) * bytes;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{offset[i]} << (8 * i);
    switch (random_.below(5)) {
      case 0:
        value ^= std::uint64_t{1} << (8 * bytes - 1);
        break;
      case 1:
        value = random_.below(header_.block_size + 1);
        break;
      case 2:
        value += 1 + random_.below(16);
        break;
      case 3:
        value -= 1 + random_.below(16);
        break;
      default:
        value = random_.one_in(2) ? value + 1 : value - 1;
    }
    for (std::size_t i = 0; i < bytes; ++i) offset[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  // More or fewer codes, with sizes that agree: in format tiles a few more or fewer of the last tile.
  void change_length() {
    if (block_.layout == BlockLayout::raw) return;
    if (header_.format == BlockFormat::tiles) {
      std::uint8_t* const count = block_.bytes.data() + code_count_begin;
      const std::uint64_t change = 1 + random_.below(8);
      const std::uint64_t codes = format::load_little_endian<4>(count);
      format::store_little_endian<4>(count, random_.one_in(2) ? codes + change : codes - change);
      return;
    }
    const std::size_t change = std::min<std::size_t>(1 + random_.below(8), regions_.codes.size);
    if (random_.one_in(2)) {
      block_.bytes.resize(block_.bytes.size() - change);
      regions_.codes.size -= change;
    } else {
      for (std::size_t i = 0; i < change; ++i) block_.bytes.push_back(random_.byte());
      regions_.codes.size += change;
    }
    repair_fields();
  }

  // The codes of another block behind the table of this one.
  void take_codes_of_another() {
    const Block& other = any_seed();
    if (header_.format == BlockFormat::tiles || block_.layout == BlockLayout::raw) {
      return copy_from_another(block_.bytes, regions_.codes, any_seed().bytes, random_);
    }
    const Region codes = regions_of(other, header_.format).codes;
    block_.bytes.resize(regions_.codes.begin);
    block_.bytes.insert(block_.bytes.end(), other.bytes.data() + codes.begin,
                        other.bytes.data() + codes.begin + codes.size);
    regions_.codes.size = codes.size;
    repair_fields();
  }

  void repair_fields() {
    format::BlockHeaderWriter(block_.bytes.data(), header_.format, block_.layout)
        .write_fixed_fields(static_cast<std::uint32_t>(block_.bytes.size()),
                            static_cast<std::uint32_t>(header_.block_size), header_.split_count);
  }

  const std::vector<Block>& seeds_;
  const format::FrameHeader& header_;
  Random& random_;
  Block block_;
  // Apart from the block's own, by which it is changed.
  BlockLayout stated_layout_;
  Regions regions_;
};

}  // namespace

Block change_block(const Seeds& seeds, Random& random) {
  return BlockMutation(seeds, random).run();
}

}  // namespace gsst::fuzz
