#include "common/format/formats.hpp"

#include <array>
#include <memory>
#include <utility>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"

/// The formats of series gsst (FORMAT.md).
namespace gsst::format {
namespace {

// What an encoder that stores raw what coding does not make smaller adds to a block at most: a header and the
// largest table.
std::uint64_t usual_bytes(BlockFormat format, std::uint32_t split_count, std::uint64_t uncompressed_bytes) {
  return max_symbol_table_bytes + max_block_header_bytes(format, split_count) + uncompressed_bytes;
}

// FORMAT.md, sections 3 to 5: blocks stand alone.
class PassOfBlocks final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    parse_block(payload, expected, block);
    return {};
  }
};

// Formats blocks, splits and coalesced.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns rules by a pointer to their base.
class BlockRules final : public PayloadRules {
public:
  constexpr BlockRules(BlockFormat format, std::uint32_t most_splits)
      : PayloadRules({.max_split_count = most_splits,
                      .layouts = layouts,
                      .payload_alignment = 1,
                      .max_bytes_per_code_byte = max_symbol_length,
                      .all_traits = 0}),
        format_(format) {}

  // Twice the bytes for codes that are all escapes, the widest header and the largest table.
  std::uint64_t max_payload_bytes(std::uint32_t split_count,
                                  std::uint64_t uncompressed_bytes) const override {
    return usual_bytes(format_, split_count, 2 * uncompressed_bytes);
  }
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override {
    return usual_bytes(format_, split_count, uncompressed_bytes);
  }
  std::unique_ptr<PayloadPass> start_pass() const override { return std::make_unique<PassOfBlocks>(); }
  StatusText describe(std::uint32_t status) const override { return describe_status(status); }

private:
  static constexpr std::array<BlockLayout, 2> layouts = {BlockLayout::narrow, BlockLayout::wide};

  BlockFormat format_;
};

// FORMAT.md, section 9: a table can be that of a block before.
class PassOfTiles final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const BlockView view = parse_block(payload, expected, block);
    const TilesHeader header(payload.data());
    PayloadPart table = tables_.table_of(view, block);
    return {.traits = tile_shape_bit(header.shape()),
            .holder = block - header.dictionary_id(),
            .part = std::move(table)};
  }

private:
  TableWindow tables_;
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns rules by a pointer to their base.
class TileRules final : public PayloadRules {
public:
  constexpr TileRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = tiles_alignment,
                      .max_bytes_per_code_byte = max_symbol_length,
                      .all_traits = every_tile_shape}) {}

  std::uint64_t max_payload_bytes(std::uint32_t /*split_count*/,
                                  std::uint64_t uncompressed_bytes) const override {
    return max_tiles_payload_bytes(uncompressed_bytes);
  }
  std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                    std::uint64_t uncompressed_bytes) const override {
    return usual_bytes(BlockFormat::tiles, split_count, uncompressed_bytes);
  }
  std::unique_ptr<PayloadPass> start_pass() const override { return std::make_unique<PassOfTiles>(); }
  StatusText describe(std::uint32_t status) const override { return describe_status(status); }

private:
  static constexpr std::array<BlockLayout, 1> layouts = {BlockLayout::wide};
};

constexpr BlockRules blocks_rules(BlockFormat::blocks, 1);
constexpr BlockRules splits_rules(BlockFormat::splits, max_split_count);
constexpr BlockRules coalesced_rules(BlockFormat::coalesced, max_split_count);
constexpr TileRules tiles_rules;

constexpr std::array<Format, 5> formats = {{
    {.id = BlockFormat::fsst, .name = "fsst", .rules = nullptr},
    {.id = BlockFormat::blocks, .name = "blocks", .rules = &blocks_rules},
    {.id = BlockFormat::splits, .name = "splits", .rules = &splits_rules},
    {.id = BlockFormat::coalesced, .name = "coalesced", .rules = &coalesced_rules},
    {.id = BlockFormat::tiles, .name = "tiles", .rules = &tiles_rules},
}};

}  // namespace

std::span<const Format> formats_of_gsst() {
  return formats;
}

}  // namespace gsst::format
