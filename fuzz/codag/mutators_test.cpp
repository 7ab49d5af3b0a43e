#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/codag/runs_of_payload.hpp"
#include "fuzz/kernels/batch.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"
#include "reference_cpu/codec.hpp"

// That the mutators' inputs are worth their time.
namespace gsst::fuzz {
namespace {

constexpr std::array<format::BlockFormat, 3> run_formats = {
    format::codag::byte_rle_format, format::codag::orc_rle_v1_format, format::codag::orc_rle_v2_format};

TEST(FuzzCodag, MostInputsReachTheDecoderAndAreBothDecodedAndRefused) {
  for (const format::BlockFormat format : run_formats) {
    SCOPED_TRACE(format::block_format_name(format));
    std::size_t inputs = 0;
    std::size_t reached = 0;
    std::size_t decoded = 0;
    for (std::uint64_t number = 0; number < 16; ++number) {
      Random random(1, number);
      const Batch batch = make_batch(format, 60, random);
      inputs += batch.inputs;
      reached += batch.expected.outputs.size();
      decoded += static_cast<std::size_t>(std::ranges::count_if(
          batch.expected.outputs, [](const auto& output) { return output.has_value(); }));
    }
    EXPECT_GT(2 * reached, inputs);
    EXPECT_GT(5 * decoded, reached);
    EXPECT_GT(10 * (reached - decoded), reached);
  }
}

TEST(FuzzCodag, RunsOfWhatTheCodecWritesAreFoundWithoutARest) {
  for (const format::BlockFormat format : run_formats) {
    SCOPED_TRACE(format::block_format_name(format));
    Random random(1, 2);
    const PayloadMutator& mutator = mutator_of(format);
    Seeds seeds = mutator.make_seeds(reference::codec_of(format), 40, random);
    for (Block& block : seeds.blocks) {
      if (block.layout == format::BlockLayout::raw) continue;
      const auto stated = static_cast<std::uint32_t>(seeds.header.block_size);
      const std::size_t rest = stated % value_bytes_of(format, block.bytes);
      const auto runs = runs_of_payload(format, block.bytes, rest);
      EXPECT_EQ(runs.back().end + rest, block.bytes.size());
      EXPECT_EQ(mutator.repair_output_size(block, stated), stated);
    }
  }
}

// Each of the mistakes that a stream can have, by its field.
TEST(FuzzCodag, ChangedBlocksAreRefusedForEveryField) {
  std::set<std::string> fields;
  for (std::uint64_t number = 0; number < 40; ++number) {
    Random random(2, number);
    const format::BlockFormat format = format::codag::orc_rle_v2_format;
    const reference::Codec& codec = reference::codec_of(format);
    const PayloadMutator& mutator = mutator_of(format);
    const Seeds seeds = mutator.make_seeds(codec, 8, random);
    for (unsigned i = 0; i < 100; ++i) {
      Block block = mutator.change(seeds, random);
      if (block.layout == format::BlockLayout::raw) continue;
      const format::BlockExpectation expected = {
          .format = format,
          .layout = block.layout,
          .uncompressed_bytes =
              mutator.repair_output_size(block, static_cast<std::uint32_t>(seeds.header.block_size)),
          .split_count = 1};
      try {
        format::rules_of(format).start_pass()->check(block.bytes, expected, 0);
        codec.decode_payload(block.bytes, expected, nullptr, 0);
      } catch (const format::FormatError& error) {
        fields.insert(error.field());
      }
    }
  }
  EXPECT_EQ(fields,
            (std::set<std::string>{"type", "values", "payload bytes", "varints", "widths", "patches"}));
}

}  // namespace
}  // namespace gsst::fuzz
