#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gsst/gsst.hpp"
#include "reference_cpu/test_inputs.hpp"

// Byte ranges of a frame: they equal the slices of what a full decompression gives, and no more is decoded
// than they need.
namespace gsst::library {
namespace {

constexpr std::uint64_t block_bytes = 1000;
constexpr std::uint32_t splits_per_block = 6;
constexpr std::uint64_t split_bytes = 167;
constexpr std::byte untouched{0xcd};

struct Case {
  Format format;
  bool skip_checksums;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Format format :
       {Format::blocks, Format::splits, Format::coalesced, Format::tiles, Format::fsst}) {
    cases.push_back({.format = format, .skip_checksums = false});
    cases.push_back({.format = format, .skip_checksums = true});
  }
  return cases;
}

std::string name_of(const Case& chosen) {
  return "format " + std::to_string(static_cast<unsigned>(chosen.format)) +
         (chosen.skip_checksums ? ", no checksums" : "");
}

// Text, and a block that is stored raw.
std::vector<std::byte> make_input() {
  std::vector<std::uint8_t> input = reference::test::make_text(3 * block_bytes, 1);
  const auto random = reference::test::make_random(block_bytes, 2);
  const auto mixed = reference::test::make_mixed(block_bytes + 300, 3);
  input.insert(input.end(), random.begin(), random.end());
  input.insert(input.end(), mixed.begin(), mixed.end());
  const auto bytes = std::as_bytes(std::span(input));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> compress_small_blocks(std::span<const std::byte> input, Format format) {
  auto frame = compress(input, {.format = format, .block_bytes = block_bytes, .splits = splits_per_block});
  EXPECT_TRUE(frame) << frame.failure().message;
  return std::move(frame).value();
}

DecompressPlan plan_of(std::span<const std::byte> frame, const Case& chosen, std::uint32_t threads = 1) {
  auto plan = DecompressPlan::create(
      frame, {.format = chosen.format, .threads = threads, .skip_checksums = chosen.skip_checksums});
  EXPECT_TRUE(plan) << plan.failure().message;
  return std::move(plan).value();
}

// Puts the ranges one behind the other, with a byte between that nobody may write.
std::vector<Range> lay_out(std::vector<Range> ranges) {
  std::uint64_t end = 1;
  for (Range& range : ranges) {
    range.output_offset = end;
    end += range.bytes + 1;
  }
  return ranges;
}

ReadInfo expect_slices(const DecompressPlan& plan, std::span<const std::byte> input,
                       const std::vector<Range>& ranges) {
  std::uint64_t size = 1;
  for (const Range& range : ranges) size = std::max(size, range.output_offset + range.bytes + 1);
  std::vector<std::byte> expected(size, untouched);
  for (const Range& range : ranges) {
    std::ranges::copy(input.subspan(range.offset, range.bytes),
                      expected.begin() + static_cast<std::ptrdiff_t>(range.output_offset));
  }
  std::vector<std::byte> output(size, untouched);
  const Result<ReadInfo> info = plan.execute_ranges(ranges, output);
  EXPECT_TRUE(info) << info.failure().message;
  EXPECT_TRUE(output == expected);
  return info ? info.value() : ReadInfo{};
}

std::vector<std::uint64_t> borders(std::uint64_t size) {
  std::vector<std::uint64_t> places;
  const auto around = [&](std::uint64_t place) {
    for (const std::uint64_t near : {place - 1, place, place + 1}) {
      if (near <= size) places.push_back(near);
    }
  };
  for (std::uint64_t block = 0; block <= size; block += block_bytes) {
    around(block);
    around(block + split_bytes);
    around(block + block_bytes - split_bytes);
  }
  around(size);
  return places;
}

TEST(LibraryRanges, EveryPairOfBordersGivesTheSlice) {
  const std::vector<std::byte> input = make_input();
  for (const Case& chosen : all_cases()) {
    SCOPED_TRACE(name_of(chosen));
    const std::vector<std::byte> frame = compress_small_blocks(input, chosen.format);
    const DecompressPlan plan = plan_of(frame, chosen);
    std::vector<Range> ranges;
    const std::vector<std::uint64_t> places = borders(input.size());
    for (const std::uint64_t begin : places) {
      for (const std::uint64_t end : places) {
        if (begin <= end) ranges.push_back({.offset = begin, .bytes = end - begin, .output_offset = 0});
      }
    }
    // One call for all, and one for each of some of them.
    expect_slices(plan, input, lay_out(ranges));
    for (std::size_t i = 0; i < ranges.size(); i += 11) expect_slices(plan, input, lay_out({ranges[i]}));
  }
}

TEST(LibraryRanges, AnyOrderAndAnyNumberOfThreadsGiveTheSame) {
  const std::vector<std::byte> input = make_input();
  std::mt19937_64 random(4);
  std::vector<Range> ranges;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t begin = random() % (input.size() + 1);
    const std::uint64_t bytes = std::min<std::uint64_t>(random() % 400, input.size() - begin);
    ranges.push_back({.offset = begin, .bytes = bytes, .output_offset = 0});
  }
  ranges = lay_out(ranges);
  std::ranges::shuffle(ranges, random);
  for (const Case& chosen : all_cases()) {
    SCOPED_TRACE(name_of(chosen));
    const std::vector<std::byte> frame = compress_small_blocks(input, chosen.format);
    const ReadInfo one = expect_slices(plan_of(frame, chosen, 1), input, ranges);
    const ReadInfo three = expect_slices(plan_of(frame, chosen, 3), input, ranges);
    EXPECT_EQ(one.blocks, three.blocks);
    EXPECT_EQ(one.parts, three.parts);
    EXPECT_EQ(one.bytes, three.bytes);
    // One block: its parts are shared among the threads.
    expect_slices(plan_of(frame, chosen, 3), input,
                  lay_out({{.offset = 10, .bytes = 900, .output_offset = 0}}));
  }
}

TEST(LibraryRanges, WithoutChecksumsOnlyPartsOfBlocksAreDecoded) {
  const std::vector<std::byte> input = make_input();
  const auto read = [&](Format format, const std::vector<Range>& ranges) {
    const std::vector<std::byte> frame = compress_small_blocks(input, format);
    return expect_slices(plan_of(frame, {.format = format, .skip_checksums = true}), input, lay_out(ranges));
  };
  // The last byte of a split, and with the byte behind it.
  const Range last{.offset = block_bytes + split_bytes - 1, .bytes = 1, .output_offset = 0};
  const Range across{.offset = last.offset, .bytes = 2, .output_offset = 0};
  ReadInfo info = read(Format::splits, {last});
  EXPECT_EQ(info.blocks, 1);
  EXPECT_EQ(info.parts, 1);
  EXPECT_EQ(info.bytes, split_bytes);
  info = read(Format::splits, {across});
  EXPECT_EQ(info.parts, 2);
  EXPECT_EQ(info.bytes, 2 * split_bytes);
  // Once, however many ask for it.
  info = read(Format::splits, {last, last, {.offset = last.offset - 5, .bytes = 6, .output_offset = 0}});
  EXPECT_EQ(info.parts, 1);
  // Also where others come between.
  info = read(Format::splits, {last, {.offset = 0, .bytes = 1, .output_offset = 0}, last});
  EXPECT_EQ(info.blocks, 2);
  EXPECT_EQ(info.parts, 2);

  info = read(Format::coalesced, {last});
  EXPECT_EQ(info.blocks, 1);
  EXPECT_EQ(info.parts, 1);
  EXPECT_LT(info.bytes, 2 * split_bytes);
  info = read(Format::blocks, {last});
  EXPECT_EQ(info.parts, 1);
  EXPECT_EQ(info.bytes, block_bytes);
  info = read(Format::fsst, {last});
  EXPECT_EQ(info.bytes, block_bytes);
  // Raw: nothing is decoded, and no more copied than is asked for.
  info = read(Format::splits, {{.offset = 3 * block_bytes + 7, .bytes = 20, .output_offset = 0}});
  EXPECT_EQ(info.parts, 1);
  EXPECT_EQ(info.bytes, 20);
}

TEST(LibraryRanges, OneStripOfTilesIsDecoded) {
  const auto text = reference::test::make_text(100'000, 5);
  const auto input = std::as_bytes(std::span(text));
  std::vector<std::uint64_t> bytes_of_one;
  for (const std::uint32_t strip_codes : {0u, 1024u, 512u}) {
    SCOPED_TRACE(strip_codes);
    const auto frame = compress(input, {.format = Format::tiles, .strip_codes = strip_codes});
    ASSERT_TRUE(frame);
    const Case chosen{.format = Format::tiles, .skip_checksums = true};
    const DecompressPlan plan = plan_of(frame.value(), chosen);
    const ReadInfo all = expect_slices(plan, input, lay_out({{0, input.size(), 0}}));
    EXPECT_EQ(all.bytes, input.size());
    ASSERT_GT(all.parts, 4);
    const ReadInfo one = expect_slices(plan, input, lay_out({{input.size() / 2, 1, 0}}));
    EXPECT_EQ(one.parts, 1);
    EXPECT_LT(one.bytes, input.size() / 4);
    bytes_of_one.push_back(one.bytes);
  }
  // The shorter the strips, the less is decoded for a byte.
  EXPECT_LT(bytes_of_one[2], bytes_of_one[0] / 2);
}

TEST(LibraryRanges, WithChecksumsBlocksAreDecodedWholeOnceAndNoOthers) {
  const std::vector<std::byte> input = make_input();
  const std::vector<std::byte> frame = compress_small_blocks(input, Format::splits);
  const DecompressPlan plan = plan_of(frame, {.format = Format::splits, .skip_checksums = false});
  ReadInfo info = expect_slices(plan, input, lay_out({{.offset = 5, .bytes = 1, .output_offset = 0}}));
  EXPECT_EQ(info.blocks, 1);
  EXPECT_EQ(info.parts, splits_per_block);
  EXPECT_EQ(info.bytes, block_bytes);
  // The checksum of the first block has been compared.
  info = expect_slices(plan, input, lay_out({{.offset = block_bytes - 1, .bytes = 2, .output_offset = 0}}));
  EXPECT_EQ(info.blocks, 2);
  EXPECT_EQ(info.parts, 1 + splits_per_block);
  EXPECT_LE(info.bytes, split_bytes + block_bytes);
  info = expect_slices(plan, input, lay_out({{.offset = 5, .bytes = 1, .output_offset = 0}}));
  EXPECT_EQ(info.bytes, split_bytes);
}

TEST(LibraryRanges, NoBytesNeedNothing) {
  const std::vector<std::byte> input = make_input();
  const std::vector<std::byte> frame = compress_small_blocks(input, Format::splits);
  const DecompressPlan plan = plan_of(frame, {.format = Format::splits, .skip_checksums = false});
  auto info = plan.execute_ranges({}, {});
  ASSERT_TRUE(info) << info.failure().message;
  EXPECT_EQ(info.value().blocks, 0);
  info = plan.execute_ranges(std::array<Range, 2>{Range{input.size(), 0, 0}, Range{0, 0, 0}}, {});
  ASSERT_TRUE(info) << info.failure().message;
  EXPECT_EQ(info.value().blocks, 0);
  // The pointer to what was read may be null.
  const std::vector<std::byte> empty_frame = compress_small_blocks({}, Format::splits);
  gsst_decompress_plan* created = nullptr;
  ASSERT_EQ(gsst_decompress_plan_create(empty_frame.data(), empty_frame.size(), nullptr, &created, nullptr),
            GSST_OK);
  EXPECT_EQ(gsst_decompress_ranges(created, nullptr, 0, nullptr, 0, nullptr, nullptr), GSST_OK);
  gsst_decompress_plan_destroy(created);
}

TEST(LibraryRanges, WrongRangesAreRefusedAndNothingIsWritten) {
  const std::vector<std::byte> input = make_input();
  const std::vector<std::byte> frame = compress_small_blocks(input, Format::splits);
  const DecompressPlan plan = plan_of(frame, {.format = Format::splits, .skip_checksums = false});
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t size = input.size();
  const auto refusal = [&](const std::vector<Range>& ranges) {
    std::vector<std::byte> output(100, untouched);
    const auto info = plan.execute_ranges(ranges, output);
    EXPECT_TRUE(std::ranges::all_of(output, [](std::byte byte) { return byte == untouched; }));
    return info ? Failure{} : info.failure();
  };
  const Range good{.offset = 0, .bytes = 10, .output_offset = 0};
  for (const Range& outside :
       {Range{size, 1, 20}, Range{size + 1, 0, 20}, Range{size - 1, 2, 20}, Range{0, size + 1, 20},
        Range{most, 2, 20}, Range{2, most, 20}, Range{most, most, 20}}) {
    const Failure failure = refusal({good, outside});
    EXPECT_EQ(failure.error, Error::invalid_argument);
    EXPECT_EQ(failure.message.find("range 1: "), 0) << failure.message;
  }
  for (const Range& outside : {Range{0, 1, 100}, Range{0, 81, 20}, Range{0, 1, most}, Range{0, 0, 101}}) {
    const Failure failure = refusal({good, outside});
    EXPECT_EQ(failure.error, Error::output_too_small);
    EXPECT_EQ(failure.message.find("range 1: "), 0) << failure.message;
  }
  for (const Range& shared : {Range{50, 1, 0}, Range{50, 1, 9}, Range{50, 40, 0}, Range{0, 10, 0}}) {
    EXPECT_EQ(refusal({good, shared}).error, Error::overlap);
    EXPECT_EQ(refusal({shared, {60, 0, 5}, good}).error, Error::overlap);
  }
  EXPECT_EQ(refusal({good, {0, 50, 50}, {7, 41, 10}}).message, "ranges 2 and 1 share bytes of the output");
  // Ranges that touch, and empty ones anywhere.
  std::vector<std::byte> output(100);
  EXPECT_TRUE(plan.execute_ranges(std::array<Range, 3>{good, Range{50, 1, 10}, Range{60, 0, 5}}, output));
}

TEST(LibraryRanges, NullAndOverlapWithTheFrameAreRefused) {
  std::vector<std::byte> frame = compress_small_blocks(make_input(), Format::splits);
  gsst_decompress_plan* created = nullptr;
  ASSERT_EQ(gsst_decompress_plan_create(frame.data(), frame.size(), nullptr, &created, nullptr), GSST_OK);
  const Range range{.offset = 0, .bytes = 10, .output_offset = 0};
  std::array<std::byte, 10> output{};
  gsst_message message;
  EXPECT_EQ(gsst_decompress_ranges(nullptr, &range, 1, output.data(), 10, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(std::string(message.text), "plan is null");
  EXPECT_EQ(gsst_decompress_ranges(created, nullptr, 1, output.data(), 10, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(std::string(message.text), "ranges is null");
  EXPECT_EQ(gsst_decompress_ranges(created, &range, 1, nullptr, 10, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(std::string(message.text), "output is null");
  EXPECT_EQ(
      gsst_decompress_ranges(created, &range, 1, frame.data() + frame.size() - 1, 10, nullptr, &message),
      GSST_ERROR_OVERLAP);
  gsst_decompress_plan_destroy(created);
}

TEST(LibraryRanges, DamageIsSeenWhereItIsDecodedAndNowhereElse) {
  const std::vector<std::byte> input = make_input();
  for (const Format format : {Format::blocks, Format::splits, Format::coalesced, Format::tiles}) {
    const Case checked{.format = format, .skip_checksums = false};
    std::vector<std::byte> frame = compress_small_blocks(input, format);
    // The raw block: its bytes are those of the output.
    const std::uint64_t damaged = plan_of(frame, checked).block(3).value().compressed_offset + 400;
    frame[damaged] ^= std::byte{1};
    const DecompressPlan plan = plan_of(frame, checked);
    std::vector<std::byte> output(10);
    const auto at = [](std::uint64_t offset) { return std::array{Range{offset, 10, 0}}; };
    EXPECT_TRUE(plan.execute_ranges(at(2 * block_bytes), output));
    const auto info = plan.execute_ranges(at(3 * block_bytes), output);
    ASSERT_FALSE(info);
    EXPECT_EQ(info.failure().error, Error::wrong_checksum);
    const DecompressPlan unchecked = plan_of(frame, {.format = format, .skip_checksums = true});
    EXPECT_TRUE(unchecked.execute_ranges(at(3 * block_bytes), output));
  }
}

TEST(LibraryRanges, DamagedFramesWriteNothingOutsideOfTheirRanges) {
  const auto input = make_input();
  const std::vector<Range> ranges = lay_out({{3, 100, 0}, {950, 100, 0}, {0, 1000, 0}, {1990, 500, 0}});
  const std::uint64_t size = ranges.back().output_offset + ranges.back().bytes + 1;
  for (const Format format : {Format::blocks, Format::splits, Format::coalesced, Format::tiles}) {
    const std::vector<std::byte> frame = compress_small_blocks(input, format);
    for (std::size_t position = 0; position < frame.size(); position += 3) {
      std::vector<std::byte> damaged = frame;
      damaged[position] ^= std::byte{0x41};
      const auto plan = DecompressPlan::create(damaged, {.skip_checksums = true});
      if (!plan) continue;
      std::vector<std::byte> output(size, untouched);
      (void)plan.value().execute_ranges(ranges, output);
      for (const Range& range : ranges) {
        ASSERT_EQ(output[range.output_offset - 1], untouched) << "byte " << position;
        ASSERT_EQ(output[range.output_offset + range.bytes], untouched) << "byte " << position;
      }
    }
  }
}

TEST(LibraryRanges, GoldenFilesGiveTheirSlices) {
  const std::string folder = "data/golden/";
  std::ifstream list(folder + "golden.json");
  const nlohmann::json golden = nlohmann::json::parse(list);
  for (const nlohmann::json& entry : golden.at("valid")) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const bool is_fsst = entry.at("container") == "fsst";
    const auto file = reference::test::read_file(folder + entry.at("file").get<std::string>());
    const auto frame = std::as_bytes(std::span(file));
    const Case chosen{.format = is_fsst ? Format::fsst : Format::automatic, .skip_checksums = true};
    const DecompressPlan plan = plan_of(frame, chosen);
    std::vector<std::byte> whole(plan.output_bytes());
    ASSERT_TRUE(plan.execute(whole));
    std::vector<Range> ranges;
    const std::uint64_t step = whole.size() / 30 + 1;
    for (std::uint64_t begin = 0; begin < whole.size(); begin += step) {
      ranges.push_back({begin, std::min<std::uint64_t>(step + 3, whole.size() - begin), 0});
    }
    expect_slices(plan, whole, lay_out(ranges));
    // Each alone: blocks that share a table find it without the block that holds it.
    for (const Range& range : ranges) expect_slices(plan, whole, lay_out({range}));
  }
}

}  // namespace
}  // namespace gsst::library
