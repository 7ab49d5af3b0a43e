#include "fuzz/kernels/batch.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "fuzz/kernels/block_mutator.hpp"
#include "fuzz/kernels/seed_blocks.hpp"
#include "reference_cpu/block_codec.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using format::FormatError;
using format::TilesHeader;
using Bytes = std::vector<std::uint8_t>;
using Output = std::optional<Bytes>;

// Where the number of blocks stands to the one that holds the table (FORMAT.md, section 9).
constexpr std::size_t dictionary_id_begin = 20;
// Blocks that a batch's others are made from.
constexpr std::size_t seed_count = 24;

void append(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Puts a frame together, block by block.
class FrameWriter {
public:
  explicit FrameWriter(const BatchShape& shape) : shape_(shape) {
    append(frame_,
           format::build_frame_header(
               {.format = shape.format, .block_size = shape.block_bytes, .split_count = shape.split_count}));
  }

  // `output`, where there is one, gives the checksum.
  void add(BlockLayout layout, std::span<const std::uint8_t> payload, const Output& output) {
    const format::BlockRecord record = {.layout = layout,
                                        .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                                        .uncompressed_bytes = shape_.block_bytes,
                                        .checksum = output ? format::checksum(*output) : 0};
    append(frame_, format::build_block_record(record));
    append(frame_, payload);
    format::append_block(index_, record);
  }

  Bytes finish() && {
    append(frame_, format::build_frame_end(index_));
    return std::move(frame_);
  }

private:
  BatchShape shape_;
  Bytes frame_;
  format::FrameIndex index_;
};

Output oracle_output(const format::FrameView& frame, std::size_t number) {
  const format::BlockView block = format::parse_block(frame, number);
  const bool has_table = block.format == BlockFormat::tiles && block.layout != BlockLayout::raw;
  Bytes output(block.uncompressed_bytes);
  try {
    reference::decode_block(block, output, number, 1,
                            has_table ? format::find_table(frame, number) : std::span<const std::uint8_t>());
    return output;
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

bool plan_accepts(std::span<const std::uint8_t> frame) {
  try {
    stage::frame_shape(frame);
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

// The blocks of a batch that the plan has accepted so far.
class BatchMaker {
public:
  explicit BatchMaker(const BatchShape& shape) : shape_(shape) {}

  // Whether the plan accepts the block as the next of the frame. If so, it is added.
  bool add(Block block) {
    const Bytes alone = frame_of(block);
    if (!plan_accepts(alone)) return false;
    const format::FrameView view = format::parse_frame(alone);
    outputs_.push_back(oracle_output(view, view.index.entries.size() - 1));
    if (shape_.format == BlockFormat::tiles && block.layout != BlockLayout::raw &&
        TilesHeader(block.bytes.data()).dictionary_id() == 0) {
      holders_.push_back(blocks_.size());
    }
    blocks_.push_back(std::move(block));
    return true;
  }

  // The block without its table, where one of the blocks before holds one of the same classes. Nothing if
  // none does, and for a block that the plan refuses: its header cannot be followed to the symbols.
  std::optional<Block> with_shared_table(const Block& block, Random& random) const {
    if (block.layout != BlockLayout::wide || !plan_accepts(frame_of(block))) return std::nullopt;
    const TilesHeader header(block.bytes.data());
    if (header.dictionary_id() != 0) return std::nullopt;
    // Mostly the nearest one, as encoders choose.
    std::size_t passed_over = random.one_in(4) ? random.below(8) : 0;
    for (auto holder = holders_.rbegin(); holder != holders_.rend(); ++holder) {
      const std::size_t id = blocks_.size() - *holder;
      if (id > format::max_dictionary_id) break;
      if (!has_same_classes(header, TilesHeader(blocks_[*holder].bytes.data()))) continue;
      if (passed_over-- > 0) continue;
      Block shared = block;
      format::share_table(shared.bytes, static_cast<std::uint32_t>(id));
      return shared;
    }
    return std::nullopt;
  }

  void finish(Batch& batch) && {
    FrameWriter frame(shape_);
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      frame.add(blocks_[i].layout, blocks_[i].bytes, outputs_[i]);
    batch.frame = std::move(frame).finish();
    batch.expected = {.block_bytes = std::vector<std::uint32_t>(blocks_.size(), shape_.block_bytes),
                      .outputs = std::move(outputs_)};
  }

private:
  static bool has_same_classes(const TilesHeader& header, const TilesHeader& holder) {
    for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
      if (header.class_length(i) != holder.class_length(i)) return false;
    }
    return header.shape() == holder.shape() && header.escape_free() == holder.escape_free();
  }

  // A frame of the block, behind the one that its dictionary id names.
  Bytes frame_of(const Block& block) const {
    FrameWriter frame(shape_);
    Bytes payload = block.bytes;
    const bool has_header = shape_.format == BlockFormat::tiles && block.layout != BlockLayout::raw &&
                            payload.size() >= format::tiles_header_bytes;
    const std::uint32_t id = has_header ? TilesHeader(payload.data()).dictionary_id() : 0;
    if (id != 0 && id <= std::min<std::size_t>(blocks_.size(), format::max_dictionary_id)) {
      const Block& holder = blocks_[blocks_.size() - id];
      if (holder.layout == BlockLayout::raw || TilesHeader(holder.bytes.data()).dictionary_id() == 0) {
        frame.add(holder.layout, holder.bytes, std::nullopt);
        format::store_little_endian<4>(payload.data() + dictionary_id_begin, 1);
      }
    }
    frame.add(block.layout, payload, std::nullopt);
    return std::move(frame).finish();
  }

  BatchShape shape_;
  std::vector<Block> blocks_;
  std::vector<Output> outputs_;
  // The numbers of the blocks of tiles that hold a table.
  std::vector<std::size_t> holders_;
};

}  // namespace

Batch make_batch(BlockFormat format, std::uint32_t inputs, Random& random) {
  const BatchShape shape = choose_shape(format, random);
  const std::vector<Block> seeds = make_seed_blocks(shape, seed_count, random);
  Batch batch;
  BatchMaker maker(shape);
  for (; batch.inputs < inputs; ++batch.inputs) {
    Block block = mutate_block(seeds, shape, random);
    if (format == BlockFormat::tiles && !random.one_in(4)) {
      block = maker.with_shared_table(block, random).value_or(block);
    }
    if (!maker.add(std::move(block))) ++batch.refused_by_plan;
  }
  std::move(maker).finish(batch);
  return batch;
}

Expectation ask_oracle(std::span<const std::uint8_t> frame) {
  stage::frame_shape(frame);
  const format::FrameView view = format::parse_frame(frame);
  Expectation expected;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    expected.block_bytes.push_back(view.index.entries[block].record.uncompressed_bytes);
    expected.outputs.push_back(oracle_output(view, block));
  }
  return expected;
}

std::vector<std::uint8_t> frame_of_one_block(std::span<const std::uint8_t> frame, std::size_t block) {
  const format::FrameView view = format::parse_frame(frame);
  const format::BlockView parsed = format::parse_block(view, block);
  const format::BlockRecord& record = view.index.entries[block].record;
  FrameWriter writer({.format = view.header.format,
                      .block_bytes = record.uncompressed_bytes,
                      .split_count = view.header.split_count});
  const auto payload = view.payload(block);
  Bytes bytes(payload.begin(), payload.end());
  if (parsed.format == BlockFormat::tiles && parsed.layout != BlockLayout::raw) {
    const std::uint32_t id = TilesHeader(bytes.data()).dictionary_id();
    if (id != 0) {
      writer.add(BlockLayout::wide, view.payload(block - id), oracle_output(view, block - id));
      format::store_little_endian<4>(bytes.data() + dictionary_id_begin, 1);
    }
  }
  writer.add(parsed.layout, bytes, oracle_output(view, block));
  return std::move(writer).finish();
}

}  // namespace gsst::fuzz
