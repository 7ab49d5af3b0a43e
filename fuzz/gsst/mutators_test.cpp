#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/kernels/batch.hpp"
#include "fuzz/payload_mutator.hpp"

// That the mutators' inputs are worth their time.
namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array mutated_formats = {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced,
                                        BlockFormat::tiles};

std::size_t count_decoded(const Batch& batch) {
  return static_cast<std::size_t>(
      std::ranges::count_if(batch.expected.outputs, [](const auto& output) { return output.has_value(); }));
}

TEST(FuzzGsst, MostInputsReachTheKernelAndAreBothDecodedAndRefused) {
  for (const BlockFormat format : mutated_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    std::size_t inputs = 0;
    std::size_t reached = 0;
    std::size_t decoded = 0;
    for (std::uint64_t number = 0; number < 16; ++number) {
      Random random(1, number);
      const Batch batch = make_batch(format, 60, random);
      EXPECT_EQ(batch.inputs, batch.refused_by_plan + batch.expected.outputs.size());
      inputs += batch.inputs;
      reached += batch.expected.outputs.size();
      decoded += count_decoded(batch);
    }
    EXPECT_GT(2 * reached, inputs);
    EXPECT_LT(reached, inputs) << "nothing that the plan refuses";
    EXPECT_GT(5 * decoded, reached);
    EXPECT_GT(5 * (reached - decoded), reached);
  }
}

// The kinds of blocks of a format's batches, as text.
std::set<std::string> kinds_of_blocks(BlockFormat format) {
  std::set<std::string> kinds;
  for (std::uint64_t number = 0; number < 40; ++number) {
    Random random(2, number);
    const Bytes frame = make_batch(format, 12, random).frame;
    const format::FrameView view = format::parse_frame(frame);
    for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
      const format::BlockLayout layout = view.index.entries[block].record.layout;
      std::string kind = layout == format::BlockLayout::raw ? "raw" : "wide";
      if (layout == format::BlockLayout::narrow) kind = "narrow";
      if (format == BlockFormat::tiles && kind == "wide") {
        const format::TilesHeader header(view.payload(block).data());
        kind = std::to_string(header.shape().code_bits) +
               (header.escape_free() != 0 ? " bits" : " bits, halves") +
               (header.dictionary_id() != 0 ? ", shared" : "");
      }
      kinds.insert(kind);
    }
  }
  return kinds;
}

TEST(FuzzGsst, HasEveryKindOfBlock) {
  using Kinds = std::set<std::string>;
  for (const BlockFormat format : {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced}) {
    EXPECT_EQ(kinds_of_blocks(format), (Kinds{"raw", "narrow", "wide"}));
  }
  EXPECT_EQ(kinds_of_blocks(BlockFormat::tiles),
            (Kinds{"raw", "8 bits", "8 bits, shared", "8 bits, halves", "8 bits, halves, shared", "10 bits",
                   "10 bits, shared", "12 bits", "12 bits, shared"}));
}

TEST(FuzzGsst, BlocksThatShareATableAreAloneInAFrameWithItsHolder) {
  Random random(3, 4);
  const Batch batch = make_batch(BlockFormat::tiles, 40, random);
  std::size_t sharing = 0;
  for (std::size_t block = 0; block < batch.expected.outputs.size(); ++block) {
    if (ask_oracle(frame_of_one_block(batch.frame, block)).outputs.size() > 1) ++sharing;
  }
  EXPECT_GT(sharing, 5u);
}

// A wide block that make_seeds() has made.
Block wide_block(const Seeds& seeds) {
  return *std::ranges::find(seeds.blocks, format::BlockLayout::wide, &Block::layout);
}

TEST(FuzzGsst, RepairsTheSizesThatAChangedBlockSays) {
  for (const BlockFormat format : mutated_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    Random random(4, 0);
    const Seeds seeds = mutator_of(format).make_seeds(reference::codec_of(format), 24, random);
    Block block = wide_block(seeds);
    block.bytes.push_back(0);
    EXPECT_EQ(mutator_of(format).repair_fields(block, seeds.header, 1, random), seeds.header.block_size);
    EXPECT_EQ(format::load_little_endian<4>(block.bytes.data()), block.bytes.size());
    // Of damage that has no field, nothing is made.
    block.bytes.resize(3);
    EXPECT_EQ(mutator_of(format).repair_fields(block, seeds.header, 1, random), 1u);
  }
}

TEST(FuzzGsst, CountsWhatTheCodesOfABlockDecodeTo) {
  Random random(4, 1);
  const PayloadMutator& mutator = mutator_of(BlockFormat::blocks);
  const Seeds seeds = mutator.make_seeds(reference::codec_of(BlockFormat::blocks), 24, random);
  Block block = wide_block(seeds);
  const std::uint32_t whole = mutator.repair_output_size(block, 0);
  EXPECT_GT(whole, 0u);
  block.bytes.pop_back();
  const std::uint32_t shorter = mutator.repair_output_size(block, 0);
  EXPECT_LT(shorter, whole);
  EXPECT_EQ(format::load_little_endian<4>(block.bytes.data() + 4), shorter);
}

}  // namespace
}  // namespace gsst::fuzz
