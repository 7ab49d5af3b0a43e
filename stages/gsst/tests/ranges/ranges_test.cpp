#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/test_frames.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_ranges.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/part_decoder.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "stages/gsst/tests/ranges/range_oracle.hpp"
#include "stages/suite/stage_case.hpp"

// Byte ranges of a frame, by every stage that decodes ranges: they equal the slices of the whole, whatever
// the order, and nothing else is written.
namespace gsst::stage {
namespace {

using format::BlockFormat;
using Ranges = std::vector<ByteRange>;

constexpr std::uint8_t unwritten_byte = 0xcd;
// Not a multiple of the pieces that the work is cut into.
constexpr std::uint64_t ranges_block_bytes = 20000;

struct NamedFrame {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

// Text, text with many different bytes, a block that is stored raw, and a short last block.
std::vector<std::uint8_t> make_ranges_input() {
  std::vector<std::uint8_t> input = reference::test::make_text(2 * ranges_block_bytes, 1);
  const auto mixed = reference::test::make_mixed(ranges_block_bytes, 3);
  const auto random = reference::test::make_random(ranges_block_bytes, 2);
  const auto last = reference::test::make_text(5000, 4);
  input.insert(input.end(), mixed.begin(), mixed.end());
  input.insert(input.end(), random.begin(), random.end());
  input.insert(input.end(), last.begin(), last.end());
  return input;
}

// One tile, where codes of 8 bits may be halves of bytes, and several.
std::uint32_t strip_codes_of(std::uint32_t code_width) {
  switch (code_width) {
    case 8:
      return 512;
    case 10:
      return 1024;
    default:
      return 0;
  }
}

// `code_width` of format tiles; 0 for format splits.
NamedFrame compress_for_ranges(std::span<const std::uint8_t> input, std::uint32_t code_width) {
  const bool is_tiles = code_width != 0;
  return {.name = is_tiles ? "tiles of " + std::to_string(code_width) + " bits" : "splits",
          .bytes = reference::compress(input, {.format = is_tiles ? BlockFormat::tiles : BlockFormat::splits,
                                               .block_bytes = ranges_block_bytes,
                                               .split_count = 70,
                                               .code_bits = code_width,
                                               .codes_per_lane = is_tiles ? 16u : 0u,
                                               .strip_codes = strip_codes_of(code_width),
                                               .threads = 1})};
}

const std::vector<std::uint8_t>& the_input() {
  static const std::vector<std::uint8_t> input = make_ranges_input();
  return input;
}

// the_input() in each format and width.
const std::vector<NamedFrame>& the_frames() {
  static const std::vector<NamedFrame> frames = [] {
    std::vector<NamedFrame> made;
    for (const std::uint32_t width : {0u, 8u, 10u, 12u}) {
      made.push_back(compress_for_ranges(the_input(), width));
    }
    return made;
  }();
  return frames;
}

// Puts the ranges one behind the other, with a byte between that nobody may write.
Ranges laid_out(Ranges ranges) {
  std::uint64_t end = 1;
  for (ByteRange& range : ranges) {
    range.output_offset = end;
    end += range.bytes + 1;
  }
  return ranges;
}

std::uint64_t output_size(const Ranges& ranges) {
  return ranges.empty() ? 1 : ranges.back().output_offset + ranges.back().bytes + 1;
}

// `ranges` of `input`, and `unwritten_byte` everywhere else.
std::vector<std::uint8_t> slices(std::span<const std::uint8_t> input, const Ranges& ranges) {
  std::vector<std::uint8_t> expected(output_size(ranges), unwritten_byte);
  for (const ByteRange& range : ranges) {
    std::ranges::copy(input.subspan(range.offset, range.bytes),
                      expected.begin() + static_cast<std::ptrdiff_t>(range.output_offset));
  }
  return expected;
}

class RangesTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredStage& stage() const { return *find_stage(GetParam().stage, Operation::ranges); }
  const RangesPlans& plans() const { return stage().ranges.at(GetParam().executor); }
  bool decodes(BlockFormat format) const { return plans().decodes(format); }

  /// Those of the_frames() that the stage decodes ranges of.
  std::vector<NamedFrame> frames() const {
    std::vector<NamedFrame> decoded = the_frames();
    std::erase_if(decoded, [&](const NamedFrame& frame) {
      return !decodes(format::parse_frame_header(frame.bytes).format);
    });
    return decoded;
  }

  /// Decodes between bytes that nobody may change. `shift` moves the addresses of frame and output.
  struct Decoded {
    std::vector<std::uint8_t> output;
    std::vector<std::uint32_t> status;
  };
  Decoded run(std::span<const std::uint8_t> frame, const Ranges& ranges, std::uint64_t output_bytes,
              std::size_t shift = 0) const {
    const RangesResult result =
        run_ranges(stage(), GetParam().executor, frame, ranges, output_bytes,
                   {.guard_bytes = 256 + shift, .poison = unwritten_byte, .frame_offset = shift});
    const auto is_poison = [](std::uint8_t byte) { return byte == unwritten_byte; };
    const std::span guarded(result.guarded_output);
    EXPECT_TRUE(result.is_rest_intact);
    EXPECT_TRUE(std::ranges::all_of(guarded.first(result.guard_bytes), is_poison));
    EXPECT_TRUE(std::ranges::all_of(guarded.last(result.guard_bytes), is_poison));
    return {.output = {result.output().begin(), result.output().end()}, .status = result.statuses};
  }

  void expect_ranges_are_slices(const NamedFrame& frame, std::span<const std::uint8_t> input,
                                const Ranges& ranges, std::size_t shift = 0) const {
    SCOPED_TRACE(frame.name);
    const Decoded result = run(frame.bytes, ranges, output_size(ranges), shift);
    EXPECT_TRUE(result.output == slices(input, ranges));
    EXPECT_TRUE(std::ranges::all_of(result.status, [](std::uint32_t word) { return word == 0; }));
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, RangesTest, testing::ValuesIn(stage_cases(Operation::ranges)), case_name);

// Places where something ends: each block, and each split or strip of the first, third and last one.
std::vector<std::uint64_t> borders_of(const NamedFrame& frame) {
  const format::FrameView view = format::parse_frame(frame.bytes);
  std::vector<std::uint64_t> places = {0, view.index.uncompressed_bytes};
  for (const std::size_t number : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
    const std::uint64_t start = view.index.entries[number].uncompressed_offset;
    const format::BlockView block = format::parse_block(view, number);
    const bool has_strips = block.format == BlockFormat::tiles && block.layout != format::BlockLayout::raw;
    const std::span<const std::uint8_t> table =
        has_strips ? format::find_table(view, number) : std::span<const std::uint8_t>();
    const reference::PartDecoder parts(block, number, table);
    places.push_back(start);
    // Of many splits some.
    const std::uint32_t step = std::max(1u, parts.part_count() / 5);
    for (std::uint32_t part = 1; part < parts.part_count(); part += step) {
      places.push_back(start + parts.part(part).output_offset);
    }
  }
  // Where work is cut.
  places.push_back(8192);
  places.push_back(ranges_block_bytes + 16384);
  return places;
}

TEST_P(RangesTest, AtEveryBorder) {
  const std::vector<std::uint8_t>& input = the_input();
  for (const NamedFrame& frame : frames()) {
    Ranges ranges;
    for (const std::uint64_t border : borders_of(frame)) {
      for (const std::uint64_t bytes : {0u, 1u, 9u, 9000u}) {
        for (const std::uint64_t before : {std::uint64_t{0}, std::uint64_t{1}, bytes / 2, bytes}) {
          if (before > border || border - before + bytes > input.size()) continue;
          ranges.push_back({.offset = border - before, .bytes = bytes, .output_offset = 0});
        }
      }
    }
    expect_ranges_are_slices(frame, input, laid_out(ranges));
  }
}

TEST_P(RangesTest, TheWholeFrameAndAllButItsEnds) {
  const std::vector<std::uint8_t>& input = the_input();
  for (const NamedFrame& frame : frames()) {
    for (const std::size_t offset : {0u, 3u}) {
      expect_ranges_are_slices(frame, input, laid_out({{0, input.size(), 0}}), offset);
    }
    expect_ranges_are_slices(frame, input, laid_out({{1, input.size() - 2, 0}, {0, input.size(), 0}}));
  }
}

// More ranges than are counted together, many of them empty.
TEST_P(RangesTest, ManyInAnyOrderThatShareBytes) {
  constexpr std::uint64_t seed = 7;
  SCOPED_TRACE(seed);
  const std::vector<std::uint8_t>& input = the_input();
  std::mt19937_64 random(seed);
  Ranges ranges(600);
  for (ByteRange& range : ranges) {
    range.bytes = random() % 3 == 0 ? 0 : random() % 40;
    range.offset = random() % (input.size() - range.bytes + 1);
  }
  for (const NamedFrame& frame : frames()) expect_ranges_are_slices(frame, input, laid_out(ranges));
}

TEST(RangesFrames, HaveWhatTheTestsAreAbout) {
  unsigned raw = 0;
  unsigned shared = 0;
  unsigned halves = 0;
  unsigned several_strips = 0;
  for (const NamedFrame& frame : the_frames()) {
    const format::FrameView view = format::parse_frame(frame.bytes);
    if (view.header.format != BlockFormat::tiles) continue;
    for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
      if (view.index.entries[block].record.layout == format::BlockLayout::raw) {
        ++raw;
        continue;
      }
      const format::TilesHeader header(view.payload(block).data());
      shared += header.dictionary_id() != 0 ? 1 : 0;
      halves += header.shape().code_bits == 8 && header.escape_free() == 0 ? 1 : 0;
      several_strips += header.strip_count() > 2 ? 1 : 0;
    }
  }
  EXPECT_GT(raw, 0u);
  EXPECT_GT(shared, 0u);
  EXPECT_GT(halves, 0u);
  EXPECT_GT(several_strips, 0u);
}

// A frame of one block of `block_format`, in the layout that it was built with.
std::vector<std::uint8_t> frame_of_block(BlockFormat block_format, const format::BuiltBlock& block,
                                         std::span<const std::uint8_t> output, std::uint32_t split_count) {
  const format::BlockRecord record{.layout = block.layout,
                                   .payload_bytes = static_cast<std::uint32_t>(block.bytes.size()),
                                   .uncompressed_bytes = static_cast<std::uint32_t>(output.size()),
                                   .checksum = format::checksum(output)};
  format::FrameIndex index;
  std::vector<std::uint8_t> frame;
  format::append(frame,
                 format::build_frame_header(
                     {.format = block_format, .block_size = output.size(), .split_count = split_count}));
  format::append_block(index, record);
  format::append(frame, format::build_block_record(record));
  format::append(frame, block.bytes);
  format::append(frame, format::build_frame_end(index));
  return frame;
}

// A frame of one block of 8-bit codes, not as an encoder chooses them: many halves of literal bytes, in runs
// and on both sides of every border.
std::vector<std::uint8_t> frame_of_random_codes(std::mt19937_64& random) {
  format::TileTable table = format::make_literal_tile_table(8, false);
  table.class_lengths[2] = 3;
  for (std::uint32_t code = 32; code < 48; ++code) table.symbols[code] = 0x102030 + code;
  constexpr format::TileShape shape{.code_bits = 8, .codes_per_lane = 16};
  constexpr std::uint32_t strip_codes = 2 * shape.codes();
  std::vector<std::uint16_t> codes(strip_codes + 120);
  std::vector<std::uint32_t> strip_outputs;
  std::uint32_t bytes = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i % strip_codes == 0) strip_outputs.push_back(bytes);
    // 0 to 47, and more of those below 16: they have no length.
    codes[i] = static_cast<std::uint16_t>(random() % (random() % 3 == 0 ? 16 : 48));
    // The last code of a tile goes with the first of the next.
    if (i + 1 == shape.codes()) codes[i] = 9;
    if (i == shape.codes()) codes[i] = 16;
    bytes += table.length(codes[i]);
  }
  std::vector<std::uint8_t> block = format::build_tiles_block({.shape = shape,
                                                               .tiles_per_strip = 2,
                                                               .uncompressed_bytes = bytes,
                                                               .table = table,
                                                               .codes = codes,
                                                               .strip_outputs = strip_outputs});
  std::vector<std::uint8_t> decoded(bytes);
  reference::decode_tiles(format::TilesHeader(block.data()), decoded, std::nullopt);
  return frame_of_block(BlockFormat::tiles, {.layout = format::BlockLayout::wide, .bytes = block}, decoded,
                        1);
}

TEST_P(RangesTest, AtEveryByteOfRandomCodes) {
  if (!decodes(BlockFormat::tiles)) return;
  constexpr std::uint64_t seed = 13;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const NamedFrame frame{.name = "random codes", .bytes = frame_of_random_codes(random)};
  const std::vector<std::uint8_t> output = reference::decompress_frame(frame.bytes, 1);
  Ranges ranges;
  // Twice, and from a little before: a range goes on where the one before ended only if that is right.
  for (std::uint64_t offset = 0; offset < output.size(); ++offset) {
    ranges.push_back({offset, 1, 0});
    ranges.push_back({offset, 1, 0});
    const std::uint64_t before = std::min<std::uint64_t>(offset, 3);
    ranges.push_back({offset - before, before + 1, 0});
  }
  ranges.push_back({0, output.size(), 0});
  expect_ranges_are_slices(frame, output, laid_out(ranges));
}

// One symbol: "a".
format::SymbolTable table_of_one_byte() {
  format::SymbolTable table;
  table.symbol_count = 1;
  table.symbols = {'a'};
  table.lengths = {1};
  return table;
}

// A warp takes 256 codes of a split at a time. Where these end with an escape, its byte comes with the next
// ones, which may all be 255 too.
TEST_P(RangesTest, OfSplitsWithAnEscapeAtTheEndOfAStep) {
  if (!decodes(BlockFormat::splits)) return;
  constexpr std::uint32_t split_bytes = 700;
  for (const std::size_t before : {254u, 255u, 256u}) {
    for (const std::size_t run : {1u, 2u, 5u, 127u, 128u, 129u, 140u, 260u, 300u}) {
      SCOPED_TRACE(std::to_string(before) + " codes, then " + std::to_string(run) + " bytes 255");
      std::vector<std::uint8_t> input(std::size_t{2} * split_bytes, 'a');
      for (const std::size_t split : {0u, 1u}) {
        std::fill_n(input.begin() + static_cast<std::ptrdiff_t>(split * split_bytes + before), run, 0xff);
      }
      const NamedFrame frame{
          .name = "two splits",
          .bytes = frame_of_block(BlockFormat::splits,
                                  reference::encode_block(BlockFormat::splits, table_of_one_byte(), input, 2),
                                  input, 2)};
      expect_ranges_are_slices(frame, input,
                               laid_out({{0, input.size(), 0}, {before + 1, 1, 0}, {690, 20, 0}}));
    }
  }
}

// The first 256 codes of a split give all of its output; whoever wants its last byte has to look at the
// others.
TEST_P(RangesTest, WithTheLastByteOfASplitWantAllOfItsCodes) {
  if (!decodes(BlockFormat::splits)) return;
  constexpr std::uint32_t split_bytes = 256;
  using Codes = std::vector<std::uint8_t>;
  const auto status = [](BlockStatus problem) { return static_cast<std::uint32_t>(problem); };
  const std::vector<std::pair<Codes, std::uint32_t>> endings = {
      {{}, 0},
      {{0}, status(BlockStatus::output_too_long)},
      {{format::escape_code}, status(BlockStatus::escape_at_end)},
      {{7}, status(BlockStatus::code_without_symbol)}};
  const std::vector<std::uint8_t> output(std::size_t{2} * split_bytes, 'a');
  const format::SymbolTable table = table_of_one_byte();
  for (const auto& [ending, problem] : endings) {
    SCOPED_TRACE(problem);
    // Both splits end so.
    Codes codes(split_bytes, 0);
    codes.insert(codes.end(), ending.begin(), ending.end());
    const auto second = static_cast<std::uint32_t>(codes.size());
    const Codes split = codes;
    codes.insert(codes.end(), split.begin(), split.end());
    const std::vector<std::uint8_t> frame =
        frame_of_block(BlockFormat::splits,
                       format::build_block({.format = BlockFormat::splits,
                                            .uncompressed_bytes = static_cast<std::uint32_t>(output.size()),
                                            .table = table,
                                            .codes = codes,
                                            .split_locations = std::array<std::uint32_t, 2>{0, second},
                                            .split_starts_escaped = {}}),
                       output, 2);
    const Ranges ranges = laid_out({{255, 1, 0}, {254, 1, 0}, {0, 256, 0}, {256, 255, 0}, {500, 12, 0}});
    const Decoded result = run(frame, ranges, output_size(ranges));
    EXPECT_EQ(result.status, (std::vector<std::uint32_t>{problem, 0, problem, 0, problem}));
  }
}

// More groups of ranges than are added up together; all but the last ranges are empty.
TEST_P(RangesTest, MoreThanAreAddedUpTogether) {
  const NamedFrame frame = frames().front();
  constexpr std::size_t first_of_last_group = 65536;
  Ranges ranges(first_of_last_group + 100, {.offset = 0, .bytes = 0, .output_offset = 0});
  ranges.front() = {.offset = 7, .bytes = 10, .output_offset = 1};
  ranges.back() = {.offset = 50000, .bytes = 9, .output_offset = 20};
  ranges[first_of_last_group] = {.offset = 40, .bytes = 3, .output_offset = 15};
  const Decoded result = run(frame.bytes, ranges, 30);
  EXPECT_EQ(std::ranges::count(result.status, 0u), static_cast<std::ptrdiff_t>(ranges.size()));
  std::vector<std::uint8_t> expected(30, unwritten_byte);
  std::copy_n(the_input().begin() + 7, 10, expected.begin() + 1);
  std::copy_n(the_input().begin() + 40, 3, expected.begin() + 15);
  std::copy_n(the_input().begin() + 50000, 9, expected.begin() + 20);
  EXPECT_TRUE(result.output == expected);
}

TEST_P(RangesTest, OneThatReachesOutIsRefusedAndTheOthersAreDecoded) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint8_t>& input = the_input();
  const std::uint64_t size = input.size();
  const NamedFrame frame = frames().back();
  constexpr std::uint64_t output_bytes = 100;
  const Ranges ranges = {{5, 10, 0},    {size, 1, 20}, {size - 1, 2, 20}, {most, 2, 20},
                         {2, most, 20}, {5, 10, 91},   {5, 1, 100},       {5, 10, most},
                         {size, 0, 20}, {5, 0, 100},   {size, 0, 101},    {size - 1, 1, 99}};
  constexpr std::uint32_t frame_word = outside_frame_status;
  constexpr std::uint32_t output_word = outside_output_status;
  const Decoded result = run(frame.bytes, ranges, output_bytes);
  EXPECT_EQ(result.status,
            (std::vector<std::uint32_t>{0, frame_word, frame_word, frame_word, frame_word, output_word,
                                        output_word, output_word, 0, 0, output_word, 0}));
  std::vector<std::uint8_t> expected(output_bytes, unwritten_byte);
  std::copy_n(input.begin() + 5, 10, expected.begin());
  expected[99] = input.back();
  EXPECT_TRUE(result.output == expected);
}

// Changes bytes of codes, and nothing that a plan looks at.
std::vector<std::uint8_t> damage_codes(const NamedFrame& frame, std::mt19937_64& random) {
  const format::FrameView view = format::parse_frame(frame.bytes);
  std::vector<std::uint8_t> damaged = frame.bytes;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::IndexEntry& entry = view.index.entries[block];
    if (entry.record.layout == format::BlockLayout::raw) continue;
    std::uint64_t begin = entry.payload_offset;
    std::uint64_t bytes = 0;
    if (view.header.format == BlockFormat::tiles) {
      const format::TilesHeader header(view.payload(block).data());
      begin += format::tiles_header_bytes;
      bytes = header.tile_count() * header.shape().bytes();
    } else {
      bytes = format::parse_block(view, block).codes.size();
      begin += entry.record.payload_bytes - bytes;
    }
    for (int change = 0; change < 4; ++change) {
      const std::uint64_t value = random();
      damaged[begin + random() % bytes] = static_cast<std::uint8_t>(value % 4 == 0 ? 255 : value >> 8);
    }
  }
  return damaged;
}

TEST_P(RangesTest, OfDamagedCodesAreTheReferencesBytesOrAProblem) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const std::vector<std::uint8_t>& input = the_input();
  unsigned decoded = 0;
  unsigned problems = 0;
  unsigned problems_behind = 0;
  for (const NamedFrame& frame : frames()) {
    SCOPED_TRACE(frame.name);
    for (int round = 0; round < 3; ++round) {
      const std::vector<std::uint8_t> damaged = damage_codes(frame, random);
      const format::FrameView view = format::parse_frame(damaged);
      Ranges ranges;
      for (std::uint64_t offset = 0; offset + 3000 < input.size(); offset += 900) {
        ranges.push_back({.offset = offset, .bytes = 1 + random() % 900, .output_offset = 0});
      }
      ranges = laid_out(ranges);
      const Decoded result = run(damaged, ranges, output_size(ranges));
      std::vector<std::uint8_t> between = result.output;
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        const RangeOracle oracle = ask_range_oracle(view, ranges[i]);
        const std::span<const std::uint8_t> output =
            std::span(result.output).subspan(ranges[i].output_offset, ranges[i].bytes);
        const bool is_decoded = result.status[i] == 0;
        EXPECT_TRUE(oracle.allows(is_decoded, output)) << "range " << i;
        ++(!is_decoded ? problems : oracle.is_right ? decoded : problems_behind);
        std::fill_n(between.begin() + static_cast<std::ptrdiff_t>(ranges[i].output_offset), ranges[i].bytes,
                    unwritten_byte);
      }
      EXPECT_TRUE(std::ranges::all_of(between, [](std::uint8_t byte) { return byte == unwritten_byte; }));
    }
  }
  EXPECT_GT(decoded, 100u);
  EXPECT_GT(problems, 30u);
  EXPECT_GT(problems_behind, 100u);
}

TEST_P(RangesTest, AFrameOfNothingHasEmptyRangesOnly) {
  for (const std::uint32_t width : {0u, 12u}) {
    const NamedFrame frame = compress_for_ranges({}, width);
    if (!decodes(format::parse_frame_header(frame.bytes).format)) continue;
    EXPECT_EQ(run(frame.bytes, {{0, 0, 0}, {0, 1, 0}}, 1).status,
              (std::vector<std::uint32_t>{0, outside_frame_status}));
  }
}

TEST_P(RangesTest, NoRangesNeedNoMemoryAndWriteNothing) {
  const NamedFrame frame = frames().front();
  EXPECT_EQ(run(frame.bytes, {}, 10).output, std::vector<std::uint8_t>(10, unwritten_byte));
  const std::unique_ptr<Plan> plan = plans().make({.frame = frame_shape(frame.bytes),
                                                   .block_bytes = ranges_block_bytes,
                                                   .range_count = 0,
                                                   .output_bytes = 10});
  EXPECT_EQ(bytes_of(*plan, Role::scratch), 0u);
}

TEST_P(RangesTest, OtherFormatsTooManyRangesAndUnknownParametersAreRefused) {
  const std::vector<std::uint8_t> input = reference::test::make_text(100, 1);
  for (const BlockFormat format :
       {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced, BlockFormat::tiles}) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const std::vector<std::uint8_t> frame = reference::compress(input, {.format = format});
    RangesSubject subject{.frame = frame_shape(frame),
                          .block_bytes = format::parse_frame_header(frame).block_size,
                          .range_count = 1,
                          .output_bytes = 1};
    if (decodes(format)) {
      EXPECT_NO_THROW(static_cast<void>(plans().make(subject)));
      subject.range_count = std::uint64_t{1} << 60;
    }
    EXPECT_THROW(static_cast<void>(plans().make(subject)), std::invalid_argument);
    subject.range_count = 1;
    subject.parameters = {{"no_such_parameter", 1}};
    EXPECT_THROW(static_cast<void>(plans().make(subject)), std::invalid_argument);
  }
}

TEST_P(RangesTest, AreCheckedByThePlan) {
  const NamedFrame frame = frames().front();
  const std::unique_ptr<Plan> plan = plans().make({.frame = frame_shape(frame.bytes),
                                                   .block_bytes = ranges_block_bytes,
                                                   .range_count = 3,
                                                   .output_bytes = 10});
  const auto check = [&](std::array<std::uint32_t, 3> words) {
    return plan->check(std::as_bytes(std::span(words)), {}, 100);
  };
  EXPECT_TRUE(check({0, 0, 0}).is_complete);
  EXPECT_FALSE(check({0, 0, 0}).problem);
  const Outcome outcome =
      check({0, outside_output_status, static_cast<std::uint32_t>(BlockStatus::escape_at_end)});
  EXPECT_FALSE(outcome.is_complete);
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(outcome.problem->item, 101u);
  EXPECT_EQ(outcome.problem->field, "range");
  EXPECT_EQ(check({static_cast<std::uint32_t>(BlockStatus::escape_at_end), 0, 0}).problem->field, "codes");
}

TEST(StageRegistry, HasEachStageForRangesWithItsBase) {
  ASSERT_FALSE(registered_stages(Operation::ranges).empty());
  for (const RegisteredStage& stage : registered_stages(Operation::ranges)) {
    const Description& description = stage.description;
    EXPECT_TRUE(stage.ranges.contains(Executor::simt)) << description.id;
    EXPECT_FALSE(description.title.empty() || description.section.empty()) << description.id;
    EXPECT_TRUE(description.base.empty() || find_stage(description.base, Operation::decode) != nullptr)
        << description.id;
  }
}

}  // namespace
}  // namespace gsst::stage
