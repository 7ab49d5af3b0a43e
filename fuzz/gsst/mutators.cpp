#include <algorithm>
#include <array>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "fuzz/gsst/block_mutator.hpp"
#include "fuzz/gsst/seed_blocks.hpp"
#include "fuzz/payload_mutator.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "stages/gsst/tests/ranges/range_oracle.hpp"

/// The mutators of series gsst.
namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using format::store_big_endian;
using format::store_little_endian;
using format::TilesHeader;
using Bytes = std::vector<std::uint8_t>;

// What the formats that a frame holds have in common.
class FrameMutator : public PayloadMutator {
public:
  constexpr explicit FrameMutator(BlockFormat format) : format_(format) {}

  Seeds make_seeds(const reference::Codec& /*codec*/, std::size_t count, Random& random) const final {
    return make_seed_blocks(format_, count, random);
  }

  Block change(const Seeds& seeds, Random& random) const final { return change_block(seeds, random); }

  std::uint32_t repair_fields(Block& block, const format::FrameHeader& header, std::uint32_t stated,
                              Random& random) const final {
    const bool wide = block.layout == BlockLayout::wide;
    std::uint8_t* const payload = block.bytes.data();
    if (block.bytes.size() < format::BlockHeader(payload, format_, block.layout).fixed_header_bytes()) {
      return stated;
    }
    if (wide) {
      store_little_endian<4>(payload, block.bytes.size());
    } else {
      store_big_endian<3>(payload, block.bytes.size());
    }
    if (format::has_splits(format_) && !random.one_in(32)) {
      wide ? store_little_endian<4>(payload + 8, header.split_count)
           : store_little_endian<1>(payload + 7, header.split_count);
    }
    return static_cast<std::uint32_t>(format::load_little_endian<4>(payload + (wide ? 4 : 3)));
  }

  std::optional<Bytes> decode_otherwise(std::span<const std::uint8_t> file) const final {
    return reference::decompress_frame(file, 1);
  }

  stage::RangeOracle ask_range(const format::FrameView& frame, const stage::ByteRange& range) const final {
    return stage::ask_range_oracle(frame, range);
  }

protected:
  ~FrameMutator() = default;

private:
  BlockFormat format_;
};

// Formats splits and coalesced.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns one by a pointer to its base.
class SplitsMutator final : public FrameMutator {
public:
  using FrameMutator::FrameMutator;
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns one by a pointer to its base.
class BlocksMutator final : public FrameMutator {
public:
  constexpr BlocksMutator() : FrameMutator(BlockFormat::blocks) {}

  // The size that the codes decode to.
  std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const override {
    const std::size_t header_bytes = block.layout == BlockLayout::wide ? 8 : 7;
    if (block.bytes.size() < header_bytes) return stated;
    const auto table_and_codes = std::span(block.bytes).subspan(header_bytes);
    try {
      const format::ParsedSymbolTable parsed = format::parse_symbol_table(table_and_codes, std::nullopt);
      const auto size = static_cast<std::uint32_t>(
          reference::decoded_size(parsed.table, table_and_codes.subspan(parsed.stored_bytes)).bytes);
      store_little_endian<4>(block.bytes.data() + header_bytes - 4, size);
      return size;
    } catch (const format::FormatError&) {
      return stated;  // A table that is rejected has no codes to count.
    }
  }
};

bool has_same_classes(const TilesHeader& header, const TilesHeader& holder) {
  for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
    if (header.class_length(i) != holder.class_length(i)) return false;
  }
  return header.shape() == holder.shape() && header.escape_free() == holder.escape_free();
}

// Whether `block` holds its table and its header can be followed to the symbols.
bool holds_table(const Block& block, const format::FrameHeader& header) {
  if (block.layout != BlockLayout::wide) return false;
  try {
    format::parse_block(block.bytes,
                        {.format = header.format,
                         .layout = block.layout,
                         .uncompressed_bytes = static_cast<std::uint32_t>(header.block_size),
                         .split_count = header.split_count},
                        std::nullopt);
  } catch (const format::FormatError&) {
    return false;
  }
  return TilesHeader(block.bytes.data()).dictionary_id() == 0;
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns one by a pointer to its base.
class TilesMutator final : public FrameMutator {
public:
  constexpr TilesMutator() : FrameMutator(BlockFormat::tiles) {}

  // The block without its table, where one of the blocks before holds one of the same classes.
  std::optional<Block> with_earlier_part(const Block& block, std::span<const Block> earlier,
                                         const format::FrameHeader& header, Random& random) const override {
    if (random.one_in(4) || !holds_table(block, header)) return std::nullopt;
    const TilesHeader tiles(block.bytes.data());
    // Mostly the nearest one, as encoders choose.
    std::size_t passed_over = random.one_in(4) ? random.below(8) : 0;
    for (std::uint32_t id = 1; id <= std::min<std::size_t>(earlier.size(), format::max_dictionary_id); ++id) {
      const Block& holder = earlier[earlier.size() - id];
      if (holder.layout != BlockLayout::wide) continue;
      const TilesHeader other(holder.bytes.data());
      if (other.dictionary_id() != 0 || !has_same_classes(tiles, other)) continue;
      if (passed_over-- > 0) continue;
      Block shared = block;
      format::share_table(shared.bytes, id);
      return shared;
    }
    return std::nullopt;
  }
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns one by a pointer to its base.
class FsstMutator final : public PayloadMutator {
public:
  // Makes the last block size of an fsst file reach to its end.
  void repair_file(std::span<std::uint8_t> file) const override {
    while (file.size() >= format::fsst_length_bytes) {
      const std::size_t stated = format::load_big_endian<format::fsst_length_bytes>(file.data());
      const bool last =
          stated < format::fsst_length_bytes || stated + format::fsst_length_bytes > file.size();
      if (last) {
        store_big_endian<format::fsst_length_bytes>(file.data(), file.size());
        return;
      }
      file = file.subspan(stated);
    }
  }

  std::optional<Bytes> decode_otherwise(std::span<const std::uint8_t> file) const override {
    return reference::decompress_fsst_file(file, 1);
  }
};

constexpr FsstMutator fsst_mutator;
constexpr BlocksMutator blocks_mutator;
constexpr SplitsMutator splits_mutator(BlockFormat::splits);
constexpr SplitsMutator coalesced_mutator(BlockFormat::coalesced);
constexpr TilesMutator tiles_mutator;

constexpr std::array<FormatMutator, 5> mutators = {{
    {.format = BlockFormat::fsst, .mutator = &fsst_mutator},
    {.format = BlockFormat::blocks, .mutator = &blocks_mutator},
    {.format = BlockFormat::splits, .mutator = &splits_mutator},
    {.format = BlockFormat::coalesced, .mutator = &coalesced_mutator},
    {.format = BlockFormat::tiles, .mutator = &tiles_mutator},
}};

}  // namespace

std::span<const FormatMutator> mutators_of_gsst() {
  return mutators;
}

}  // namespace gsst::fuzz
