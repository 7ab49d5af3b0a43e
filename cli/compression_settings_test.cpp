#include "cli/compression_settings.hpp"

#include <gtest/gtest.h>

#include "cli/command_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/frame/frame.hpp"

namespace gsst::cli {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::string message_of(const Options& options, std::optional<std::uint64_t> input_size) {
  try {
    compression_settings(options, "a", input_size);
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "no error";
}

TEST(CompressionSettings, TakeTheCodecsDefaults) {
  const reference::EncodeSettings settings = compression_settings({}, "a", {});
  const reference::EncodeSettings defaults;
  EXPECT_EQ(settings.block_bytes, defaults.block_bytes);
  EXPECT_EQ(settings.level, defaults.level);
  EXPECT_TRUE(settings.options.empty());
}

TEST(CompressionSettings, ChunksAreSmaller) {
  Options options;
  options.format = format::block_format_from_name("deflate");
  EXPECT_EQ(compression_settings(options, "a", {}).block_bytes, 131072U);
  options.block_bytes = 4096;
  EXPECT_EQ(compression_settings(options, "a", {}).block_bytes, 4096U);
}

TEST(CompressionSettings, FollowTheCommandLine) {
  Options options;
  options.format = format::BlockFormat::coalesced;
  options.block_bytes = 65536;
  options.codec_options = {{"splits", 7}};
  options.threads = 3;
  const reference::EncodeSettings settings = compression_settings(options, "a", {});
  EXPECT_EQ(settings.block_bytes, 65536U);
  EXPECT_EQ(settings.options, options.codec_options);
  EXPECT_EQ(settings.threads, 3U);
}

TEST(CompressionSettings, BlocksHoldWholeValuesOfTheType) {
  Options options;
  options.format = format::block_format_from_name("for");
  options.codec_options = {{"type", 4}};  // i64
  options.block_bytes = 1028;
  EXPECT_EQ(message_of(options, {}),
            "--block-size: 1028 bytes are no whole values of --type i64, which have 8 each");
  options.block_bytes = 1032;
  EXPECT_EQ(compression_settings(options, "a", {}).block_bytes, 1032U);
  options.block_count = 3;
  EXPECT_EQ(compression_settings(options, "a", 32).block_bytes, 16U);
}

TEST(CompressionSettings, FsstBlocksAreThoseOfItsOwnTool) {
  Options options;
  options.format = format::BlockFormat::fsst;
  EXPECT_EQ(compression_settings(options, "a", {}).block_bytes, format::max_fsst_block_bytes);
}

TEST(CompressionSettings, BlockCountRoundsTheBlockSizeUp) {
  Options options;
  options.block_count = 3;
  EXPECT_EQ(compression_settings(options, "a", 10).block_bytes, 4U);
  EXPECT_EQ(compression_settings(options, "a", 9).block_bytes, 3U);
  EXPECT_EQ(compression_settings(options, "a", 1).block_bytes, 1U);
  EXPECT_EQ(compression_settings(options, "a", 0).block_bytes, 1U);
  EXPECT_EQ(compression_settings(options, "a", 3 * gibibyte).block_bytes, gibibyte);
}

TEST(CompressionSettings, BlockCountNeedsTheSize) {
  Options options;
  options.block_count = 3;
  EXPECT_EQ(message_of(options, {}), "a: --blocks needs an input whose size is known; use --block-size");
}

TEST(CompressionSettings, BlockCountMustNotMakeBlocksTooLarge) {
  Options options;
  options.block_count = 3;
  EXPECT_NE(message_of(options, 3 * gibibyte + 1).find("use --blocks 4 or more"), std::string::npos);
  options.format = format::BlockFormat::fsst;
  EXPECT_NE(message_of(options, 100'000'000).find("use --blocks 24 or more"), std::string::npos);
}

TEST(CompressionSettings, BlocksMustNotBeTooMany) {
  Options options;
  options.block_bytes = 1024;
  EXPECT_EQ(message_of(options, format::max_block_count * 1024), "no error");
  EXPECT_NE(message_of(options, format::max_block_count * 1024 + 1).find("use larger blocks"),
            std::string::npos);
  options.format = format::BlockFormat::fsst;
  EXPECT_EQ(message_of(options, format::max_block_count * 1024 + 1), "no error");
}

}  // namespace
}  // namespace gsst::cli
