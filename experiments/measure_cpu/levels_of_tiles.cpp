#include "experiments/measure_cpu/levels_of_tiles.hpp"

#include <algorithm>
#include <optional>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/table_sharing.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/train_tiles.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

constexpr auto tiles_format = format::BlockFormat::tiles;

Bytes compress_with_plan(const std::vector<ByteSpan>& blocks, const reference::CompressOptions& options,
                         const std::optional<reference::TilePlan>& plan) {
  std::vector<reference::CompressedBlock> compressed;
  reference::TableSharing sharing;
  for (const ByteSpan block : blocks) {
    compressed.push_back(reference::compress_block(block, options, 1, plan));
    sharing.finish(compressed.back(), block, block.size() < options.block_bytes);
  }
  return build_frame(tiles_format, compressed);
}

void decode_tiles_frame(const format::FrameView& frame, std::span<std::uint8_t> output) {
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    const format::IndexEntry& entry = frame.index.entries[block];
    const format::BlockView view = format::parse_block(frame, block);
    const bool has_table = view.layout != format::BlockLayout::raw;
    reference::decode_block(view, output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes),
                            block, 1, has_table ? format::find_table(frame, block) : ByteSpan());
  }
}

void measure_held_out_tiles(ByteSpan input, const reference::CompressOptions& options, LevelRow& row) {
  const HeldOut parts = hold_out(input);
  if (parts.evaluated.empty()) return;
  const reference::Parse parse = *options.parse;
  const format::TileTable table =
      reference::train_tile_table(parts.training, options.code_bits, options.level, parse);
  const Bytes block = reference::encode_tiles(table, parts.evaluated, {.codes_per_lane = 32, .parse = parse});
  const format::TilesHeader header(block.data());
  row.held_out_bytes = parts.evaluated.size();
  row.held_out_code_bytes = (std::size_t{header.code_count()} * options.code_bits + 7) / 8;
  Bytes decoded(parts.evaluated.size());
  poison(decoded, parts.evaluated);
  reference::decode_tiles(header, decoded, std::nullopt);
  verify(decoded, parts.evaluated, describe(row) + ", held out");
}

}  // namespace

LevelRow measure_level_of_tiles(ByteSpan input, unsigned level, std::uint32_t code_bits,
                                reference::Parse parse, std::size_t repetitions) {
  const reference::CompressOptions options = {.format = tiles_format,
                                              .block_bytes = level_block_bytes,
                                              .code_bits = code_bits,
                                              .level = level,
                                              .parse = parse,
                                              .threads = 1};
  const ByteSpan planned =
      input.first(std::min<std::size_t>(reference::planned_bytes(options), input.size()));
  std::optional<reference::TilePlan> plan;
  const auto train = [&] { plan = reference::plan_frame(planned, options, 1); };
  const SecondsSummary training = time_repeatedly(train, training_repetitions(repetitions));

  const std::vector<ByteSpan> blocks = cut_blocks(input);
  const reference::TileOptions tile_options = {.codes_per_lane = plan->choice.codes_per_lane, .parse = parse};
  const auto encode = [&] {
    for (const ByteSpan block : blocks) reference::encode_tiles(plan->table, block, tile_options);
  };
  const SecondsSummary encoding = time_repeatedly(encode, encoding_repetitions(repetitions));

  const Bytes frame_bytes = compress_with_plan(blocks, options, plan);
  const format::FrameView frame = format::parse_frame(frame_bytes);
  LevelRow row = make_level_row(tiles_format, level, code_bits, parse, input.size(), frame_bytes.size());
  row.training = training;
  row.trained_tables = 1;
  row.encoding = encoding;
  row.row.seconds = time_verified([&](std::span<std::uint8_t> output) { decode_tiles_frame(frame, output); },
                                  input, decoding_repetitions(repetitions), describe(row));
  measure_held_out_tiles(input, options, row);
  return row;
}

}  // namespace gsst::experiments
