#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"
#include "common/frame/frame.hpp"
#include "cpu/block_size/block_size_choice.hpp"
#include "cpu/tiles/frame_encoder.hpp"
#include "gsst/gsst.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Round trips through include/gsst/, compared with the codec that every kernel is compared with.
namespace gsst::library {
namespace {

using reference::test::make_mixed;
using reference::test::make_random;
using reference::test::make_text;

constexpr std::array all_formats = {Format::blocks, Format::splits, Format::coalesced, Format::tiles,
                                    Format::fsst};

format::BlockFormat block_format(Format format) {
  return format == Format::fsst ? format::BlockFormat::fsst : static_cast<format::BlockFormat>(format);
}

std::optional<format::ChecksumKind> checksum_kind(Checksum checksum) {
  if (checksum == Checksum::automatic) return std::nullopt;
  return checksum == Checksum::xxh64_tree ? format::ChecksumKind::xxh64_tree : format::ChecksumKind::xxh64;
}

std::span<const std::byte> as_bytes(const std::vector<std::uint8_t>& bytes) {
  return std::as_bytes(std::span(bytes));
}

// What the command writes for these options, all of which are given.
std::vector<std::uint8_t> command_frame(const std::vector<std::uint8_t>& input,
                                        const CompressOptions& options) {
  if (options.format == Format::tiles && options.level <= 2) {
    format::EncodeSettings settings = {.block_bytes = options.block_bytes,
                                       .level = options.level,
                                       .checksum_kind = checksum_kind(options.checksum),
                                       .threads = 1};
    if (options.strip_codes != 0) settings.options = {{"strip-codes", options.strip_codes}};
    std::vector<std::uint8_t> frame;
    cpu::tiles::encode_frame(format::reader_of(input), format::writer_to(frame), settings);
    return frame;
  }
  return reference::compress(
      input, {.format = block_format(options.format),
              .block_bytes = options.block_bytes,
              .split_count = options.splits,
              .strip_codes = options.strip_codes,
              .level = options.level,
              .checksum_kind = checksum_kind(options.checksum).value_or(format::ChecksumKind::xxh64),
              .threads = 1});
}

// What the plan promises as a whole: the command's bytes, in no more memory than planned, and the input back.
void expect_round_trip(const std::vector<std::uint8_t>& input, const CompressOptions& options) {
  SCOPED_TRACE("format " + std::to_string(static_cast<unsigned>(options.format)) + ", " +
               std::to_string(input.size()) + " bytes");
  const Result<CompressPlan> plan = CompressPlan::create(input.size(), options);
  ASSERT_TRUE(plan) << plan.failure().message;
  std::vector<std::byte> memory(plan.value().output_bytes());
  const Result<std::span<std::byte>> frame = plan.value().execute(as_bytes(input), memory);
  ASSERT_TRUE(frame) << frame.failure().message;

  const auto expected = command_frame(input, options);
  EXPECT_TRUE(std::ranges::equal(frame.value(), as_bytes(expected)));

  const Result<std::vector<std::byte>> output = decompress(
      frame.value(), {.format = options.format, .threads = options.threads, .skip_checksums = false});
  ASSERT_TRUE(output) << output.failure().message;
  EXPECT_TRUE(std::ranges::equal(output.value(), as_bytes(input)));
}

void expect_chosen_round_trip(const std::vector<std::uint8_t>& input) {
  const auto frame = compress(as_bytes(input), {.format = Format::tiles});
  ASSERT_TRUE(frame) << frame.failure().message;
  const auto output = decompress(*frame);
  ASSERT_TRUE(output) << output.failure().message;
  EXPECT_TRUE(std::ranges::equal(*output, as_bytes(input)));
}

TEST(LibraryCodec, EveryFormatGivesAwkwardInputsBack) {
  for (const auto& input : reference::test::awkward_inputs()) {
    if (input.bytes.size() > 4100) continue;
    SCOPED_TRACE(input.name);
    for (const Format format : all_formats) {
      expect_round_trip(input.bytes,
                        {.format = format, .block_bytes = 3000, .splits = 7, .level = 1, .threads = 2});
    }
  }
}

TEST(LibraryCodec, SeveralBatchesOfBlocksMakeTheSameFrame) {
  for (const Format format : all_formats) {
    expect_round_trip(make_text(1'300'000, 1),
                      {.format = format, .block_bytes = 200'000, .splits = 16, .level = 1, .threads = 2});
  }
}

// More than the bytes that a table is trained for, and a level above those that the command has an encoder
// for.
TEST(LibraryCodec, TilesAreTheCommandsAtEveryLevel) {
  std::vector<std::uint8_t> input = make_text(std::size_t{33} << 20, 11);
  expect_round_trip(input, {.format = Format::tiles, .block_bytes = 1 << 22, .level = 1, .threads = 2});
  input.resize(60'000);
  for (const unsigned level : {1u, 2u, 3u}) {
    for (const Checksum checksum : {Checksum::automatic, Checksum::xxh64, Checksum::xxh64_tree}) {
      expect_round_trip(input, {.format = Format::tiles,
                                .block_bytes = 20'000,
                                .level = level,
                                .threads = 2,
                                .checksum = checksum});
    }
  }
}

TEST(LibraryCodec, StripsAndChecksumsOfAnyKindGiveTheInputBack) {
  const std::vector<std::uint8_t> input = make_mixed(30'000, 7);
  for (const std::uint32_t strip_codes : {512u, 1024u, 2048u}) {
    expect_round_trip(input, {.format = Format::tiles,
                              .block_bytes = 12'000,
                              .level = 1,
                              .threads = 2,
                              .strip_codes = strip_codes,
                              .checksum = Checksum::xxh64_tree});
  }
  for (const Checksum checksum : {Checksum::xxh64, Checksum::xxh64_tree}) {
    expect_round_trip(input, {.format = Format::splits,
                              .block_bytes = 12'000,
                              .splits = 7,
                              .level = 1,
                              .threads = 1,
                              .checksum = checksum});
  }
  expect_round_trip(
      {}, {.format = Format::tiles, .block_bytes = 1000, .level = 1, .checksum = Checksum::xxh64_tree});
}

// Where no size is named, and the command's in the same place.
TEST(LibraryCodec, BlocksOfTilesFitWhatTheInputHolds) {
  std::vector<std::uint8_t> changing;
  for (unsigned piece = 0; piece < 10; ++piece) {
    // Words in other letters.
    for (const std::uint8_t byte : make_text(500'000, piece)) {
      changing.push_back(static_cast<std::uint8_t>(byte + 37 * piece));
    }
  }
  const std::vector<std::uint8_t> alike = make_text(5'000'000, 1);
  for (const std::uint32_t level : {1U, 2U, 3U}) {
    for (const std::vector<std::uint8_t>* const input : {&std::as_const(changing), &alike}) {
      const bool is_small = input == &changing && level < 3;
      const CompressOptions options = {.format = Format::tiles, .level = level, .threads = 2};
      const auto frame = compress(as_bytes(*input), options);
      ASSERT_TRUE(frame) << frame.failure().message;
      const std::uint64_t block_bytes = inspect(*frame)->block_bytes;
      EXPECT_EQ(block_bytes, is_small ? cpu::small_block_bytes : cpu::large_block_bytes);
      CompressOptions named = options;
      named.block_bytes = block_bytes;
      EXPECT_EQ(*frame, *compress(as_bytes(*input), named));
      const auto output = decompress(*frame);
      ASSERT_TRUE(output) << output.failure().message;
      EXPECT_TRUE(std::ranges::equal(*output, as_bytes(*input)));
      named.block_bytes = cpu::large_block_bytes;
      if (is_small) {
        EXPECT_LT(frame->size() * 10, compress(as_bytes(*input), named)->size() * 9);
      }
    }
  }
  expect_chosen_round_trip({});
  expect_chosen_round_trip({'a'});
  // What coding does not make smaller is planned for in blocks of every size: every other piece is random.
  std::vector<std::uint8_t> random = make_random(4'000'001, 5);
  for (std::size_t i = 0; i < random.size(); ++i) {
    if (i / 600'000 % 2 == 1) random[i] %= 64;
  }
  expect_chosen_round_trip(random);
}

TEST(LibraryCodec, OneCallDoesWhatAPlanDoes) {
  const std::vector<std::uint8_t> input = make_mixed(30'000, 8);
  gsst_compress_options options{};
  options.struct_bytes = sizeof options;
  options.format = GSST_FORMAT_TILES;
  options.block_bytes = 7000;
  std::vector<std::byte> frame(gsst_compress_bound(input.size(), &options));
  std::size_t frame_bytes = 0;
  gsst_message message;
  ASSERT_EQ(
      gsst_compress(input.data(), input.size(), &options, frame.data(), frame.size(), &frame_bytes, &message),
      GSST_OK)
      << message.text;
  frame.resize(frame_bytes);
  const auto expected = compress(as_bytes(input), {.format = Format::tiles, .block_bytes = 7000});
  ASSERT_TRUE(expected);
  EXPECT_EQ(frame, *expected);

  std::vector<std::byte> output(input.size() + 100);
  std::size_t output_bytes = 0;
  ASSERT_EQ(gsst_decompress(frame.data(), frame.size(), nullptr, output.data(), output.size(), &output_bytes,
                            &message),
            GSST_OK)
      << message.text;
  output.resize(output_bytes);
  EXPECT_TRUE(std::ranges::equal(output, as_bytes(input)));

  EXPECT_EQ(gsst_compress_bound(1000, nullptr), CompressPlan::create(1000)->output_bytes());
  options.level = 10;
  EXPECT_EQ(gsst_compress_bound(1000, &options), 0);
}

TEST(LibraryCodec, ResultsGiveTheirValueAsPointersDo) {
  Result<std::vector<std::byte>> frame = compress(as_bytes(make_text(1000, 9)));
  ASSERT_TRUE(frame);
  EXPECT_EQ(&*frame, &frame.value());
  EXPECT_EQ(frame->size(), std::as_const(frame).value().size());
  const std::size_t bytes = frame->size();
  EXPECT_EQ((*std::move(frame)).size(), bytes);
  const Result<FrameInfo> none = inspect({});
  EXPECT_THROW((void)none->block_count, std::bad_variant_access);
  EXPECT_THROW((void)*none, std::bad_variant_access);
}

TEST(LibraryCodec, LevelsMakeSmallerFrames) {
  const std::vector<std::uint8_t> input = make_text(30'000, 2);
  const auto first = compress(as_bytes(input), {.level = 1});
  const auto third = compress(as_bytes(input), {.level = 3});
  ASSERT_TRUE(first && third);
  EXPECT_LT(third.value().size(), first.value().size());
}

TEST(LibraryCodec, DefaultsAreTheCommandsWithOneThread) {
  const std::vector<std::uint8_t> input = make_text(50'000, 3);
  const auto frame = compress(as_bytes(input));
  ASSERT_TRUE(frame);
  const std::uint64_t chosen = cpu::choose_block_size(input, {}).block_bytes;
  const auto expected =
      command_frame(input, {.format = Format::tiles, .block_bytes = chosen, .level = 1, .threads = 1});
  EXPECT_TRUE(std::ranges::equal(*frame, as_bytes(expected)));

  std::vector<std::byte> memory(gsst_compress_bound(input.size(), nullptr));
  std::size_t bytes = 0;
  ASSERT_EQ(gsst_compress(input.data(), input.size(), nullptr, memory.data(), memory.size(), &bytes, nullptr),
            GSST_OK);
  EXPECT_TRUE(std::ranges::equal(std::span(memory).first(bytes), *frame));
}

// Whoever sets them counts on a format that has them.
TEST(LibraryCodec, SplitsOfTheDefaultFormatAreRefused) {
  const std::vector<std::uint8_t> input = make_text(10'000, 3);
  const auto refused = compress(as_bytes(input), {.splits = 7});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().error, Error::invalid_argument);
  EXPECT_EQ(refused.failure().message,
            "options: splits is 7, expected 0 for the default format, tiles: name another one");
  const auto frame = compress(as_bytes(input), {.format = Format::splits, .splits = 7});
  ASSERT_TRUE(frame);
  EXPECT_EQ(inspect(*frame)->splits, 7);
}

// A table that later blocks may share does not count where a block is hardly smaller than its input, but it
// is stored: the frame is larger than one of raw blocks.
TEST(LibraryCodec, PlansOfTilesHaveRoomForSharedTables) {
  for (const std::size_t text_bytes : {0UL, 200UL, 500UL, 1000UL}) {
    std::vector<std::uint8_t> input = make_random(4096 - text_bytes, 1);
    for (std::uint8_t& byte : input) byte %= 100;
    const auto text = make_text(text_bytes, 2);
    input.insert(input.end(), text.begin(), text.end());
    expect_round_trip(input,
                      {.format = Format::tiles, .block_bytes = 4096, .splits = 1, .level = 1, .threads = 1});
  }
}

TEST(LibraryCodec, InspectAndPlanSayWhatTheFrameHolds) {
  const std::vector<std::uint8_t> input = make_text(10'000, 4);
  for (const Format format : {Format::blocks, Format::splits, Format::coalesced, Format::tiles}) {
    const auto frame = compress(as_bytes(input), {.format = format, .block_bytes = 4000, .splits = 5});
    ASSERT_TRUE(frame);
    const auto info = inspect(frame.value());
    ASSERT_TRUE(info);
    EXPECT_EQ(info.value().format, static_cast<std::uint32_t>(format));
    EXPECT_EQ(info.value().compressed_bytes, frame.value().size());
    EXPECT_EQ(info.value().uncompressed_bytes, input.size());
    EXPECT_EQ(info.value().block_count, 3);
    EXPECT_EQ(info.value().block_bytes, 4000);
    EXPECT_EQ(info.value().splits, format == Format::splits || format == Format::coalesced ? 5 : 1);

    const auto plan = DecompressPlan::create(frame.value());
    ASSERT_TRUE(plan);
    std::uint64_t uncompressed_end = 0;
    std::uint64_t compressed_end = format::frame_header_bytes;
    for (std::uint64_t block = 0; block < 3; ++block) {
      const auto place = plan.value().block(block);
      ASSERT_TRUE(place);
      EXPECT_EQ(place.value().uncompressed_offset, uncompressed_end);
      uncompressed_end += place.value().uncompressed_bytes;
      EXPECT_EQ(place.value().compressed_offset, compressed_end + format::record_header_bytes);
      compressed_end = place.value().compressed_offset + place.value().compressed_bytes;
    }
    EXPECT_EQ(uncompressed_end, input.size());
    EXPECT_EQ(plan.value().block(3).failure().error, Error::invalid_argument);
  }
}

TEST(LibraryCodec, PlanOfFsstFileSaysWhereBlocksAre) {
  const std::vector<std::uint8_t> input = make_text(10'000, 5);
  const auto file = compress(as_bytes(input), {.format = Format::fsst, .block_bytes = 4000});
  ASSERT_TRUE(file);
  const auto plan = DecompressPlan::create(file.value(), {.format = Format::fsst});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan.value().info().block_count, 3);
  EXPECT_EQ(plan.value().info().uncompressed_bytes, input.size());
  EXPECT_EQ(plan.value().info().format, static_cast<std::uint32_t>(GSST_FORMAT_FSST));
  const auto last = plan.value().block(2);
  ASSERT_TRUE(last);
  EXPECT_EQ(last.value().uncompressed_offset, 8000);
  EXPECT_EQ(last.value().compressed_offset + last.value().compressed_bytes, file.value().size());
}

TEST(LibraryCodec, FramesNeedNoAlignment) {
  const std::vector<std::uint8_t> input = make_mixed(20'000, 6);
  for (const Format format : all_formats) {
    const auto frame = compress(as_bytes(input), {.format = format, .block_bytes = 5000});
    ASSERT_TRUE(frame);
    std::vector<std::byte> memory(frame.value().size() + 1);
    std::ranges::copy(frame.value(), memory.begin() + 1);
    const auto output = decompress(std::span(memory).subspan(1), {.format = format});
    ASSERT_TRUE(output) << output.failure().message;
    EXPECT_TRUE(std::ranges::equal(output.value(), as_bytes(input)));
  }
}

TEST(LibraryCodec, OnePlanServesSeveralThreads) {
  const std::vector<std::uint8_t> input = make_text(40'000, 7);
  const auto compress_plan = CompressPlan::create(input.size(), {.block_bytes = 10'000});
  ASSERT_TRUE(compress_plan);
  const auto frame = compress(as_bytes(input), {.block_bytes = 10'000});
  ASSERT_TRUE(frame);
  const auto decompress_plan = DecompressPlan::create(frame.value());
  ASSERT_TRUE(decompress_plan);

  std::array<bool, 4> same{};
  std::vector<std::thread> threads;
  threads.reserve(same.size());
  for (bool& result : same) {
    threads.emplace_back([&] {
      std::vector<std::byte> memory(compress_plan.value().output_bytes());
      std::vector<std::byte> output(input.size());
      const auto own_frame = compress_plan.value().execute(as_bytes(input), memory);
      const auto written = decompress_plan.value().execute(output);
      result = own_frame && std::ranges::equal(own_frame.value(), frame.value()) && written &&
               std::ranges::equal(output, as_bytes(input));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(std::ranges::all_of(same, [](bool result) { return result; }));
}

TEST(LibraryCodec, FormatVersionIsTheFrames) {
  const auto frame = compress({});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame.value()[8], std::byte{GSST_FORMAT_VERSION});
}

}  // namespace
}  // namespace gsst::library
