#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "cli/command_error.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
namespace {

std::variant<Options, Answer> parse(std::initializer_list<const char*> arguments) {
  std::vector<const char*> all = {"gsst"};
  all.insert(all.end(), arguments);
  return parse_options(static_cast<int>(all.size()), all.data());
}

Options options_of(std::initializer_list<const char*> arguments) {
  return std::get<Options>(parse(arguments));
}

std::string message_of(std::initializer_list<const char*> arguments) {
  try {
    parse(arguments);
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "no error";
}

using Strings = std::vector<std::string>;

TEST(Options, CompressByDefault) {
  const Options options = options_of({"a"});
  EXPECT_EQ(options.operation, Operation::compress);
  EXPECT_EQ(options.inputs, Strings{"a"});
  EXPECT_FALSE(options.output);
  EXPECT_FALSE(options.replace);
  EXPECT_EQ(options.threads, 0U);
}

TEST(Options, WithoutFileMeanStandardInput) {
  EXPECT_EQ(options_of({}).inputs, Strings{"-"});
  EXPECT_EQ(options_of({"-d"}).inputs, Strings{"-"});
  EXPECT_TRUE(writes_to_standard_output(options_of({})));
  EXPECT_FALSE(writes_to_standard_output(options_of({"-t"})));
  EXPECT_FALSE(writes_to_standard_output(options_of({"-", "-o", "a"})));
}

TEST(Options, LevelsAreDigits) {
  EXPECT_FALSE(options_of({"a"}).level);
  EXPECT_EQ(options_of({"-1", "a"}).level, 1U);
  EXPECT_EQ(options_of({"-9", "a"}).level, 9U);
  EXPECT_EQ(options_of({"-v5c", "a"}).level, 5U);
  // The last one counts.
  EXPECT_EQ(options_of({"-9", "a", "-3"}).level, 3U);
  EXPECT_EQ(message_of({"-d", "-3", "a"}), "-1 to -9 are for compression; -d takes files of every level");
}

TEST(Options, ShortFlagsCombine) {
  const Options options = options_of({"-dcfkv", "-T4", "a", "b"});
  EXPECT_EQ(options.operation, Operation::decompress);
  EXPECT_EQ(options.output, "-");
  EXPECT_TRUE(options.replace);
  EXPECT_TRUE(options.verbose);
  EXPECT_EQ(options.threads, 4U);
  EXPECT_EQ(options.inputs, (Strings{"a", "b"}));
}

TEST(Options, MayFollowTheFiles) {
  const Options options = options_of({"a", "--format=coalesced", "--splits", "256", "--block-size", "1M"});
  EXPECT_EQ(options.format, format::BlockFormat::coalesced);
  EXPECT_EQ(options.codec_options, (reference::CodecOptions{{"splits", 256}}));
  EXPECT_EQ(options.block_bytes, 1U << 20);
  EXPECT_EQ(options.inputs, Strings{"a"});
}

TEST(Options, EndAtTwoDashes) {
  EXPECT_EQ(options_of({"--", "-d"}).inputs, Strings{"-d"});
}

TEST(Options, ThatExcludeEachOtherAreRefused) {
  EXPECT_EQ(message_of({"-dt"}), "-d and -t exclude each other");
  EXPECT_EQ(message_of({"-l", "--list-stages"}), "-l and --list-stages exclude each other");
  EXPECT_EQ(message_of({"-c", "-o", "a"}), "-o and -c exclude each other");
  EXPECT_EQ(message_of({"-qv"}), "-q and -v exclude each other");
  EXPECT_EQ(message_of({"--blocks", "2", "--block-size", "1M", "a"}),
            "--blocks and --block-size exclude each other");
}

TEST(Options, OfCompressionAreRefusedElsewhere) {
  for (const char* operation : {"-d", "-t", "-l"}) {
    EXPECT_NE(message_of({operation, "--splits", "8", "a"}).find("are for compression"), std::string::npos);
    EXPECT_NE(message_of({operation, "--blocks", "8", "a"}).find("are for compression"), std::string::npos);
    EXPECT_NE(message_of({operation, "--block-size", "8K", "a"}).find("are for compression"),
              std::string::npos);
  }
}

TEST(Options, OutOfRangeAreRefusedWithTheRange) {
  EXPECT_NE(message_of({"--splits", "0"}).find("--splits: Value 0 not in range 1 to 65536"),
            std::string::npos);
  EXPECT_NE(message_of({"--splits", "65537"}).find("not in range"), std::string::npos);
  EXPECT_NE(message_of({"--splits", "-1"}).find("not in range"), std::string::npos);
  EXPECT_NE(message_of({"--blocks", "0"}).find("not in range"), std::string::npos);
  EXPECT_NE(message_of({"-T", "1025"}).find("not in range 0 to 1024"), std::string::npos);
  EXPECT_EQ(message_of({"--block-size", "1023"}),
            "--block-size: 1023 bytes are not between 1024 and 1073741824");
  EXPECT_EQ(message_of({"--format", "fsst", "--block-size", "4M"}),
            "--block-size: 4194304 bytes are not between 1024 and 4193270, the range of format fsst");
  EXPECT_EQ(message_of({"--block-size", "many"}),
            "--block-size: 'many' is no size; write it like 65536, 64K or 4MiB");
}

TEST(Options, WithoutAFormatMeanTiles) {
  EXPECT_EQ(options_of({"a"}).format, std::nullopt);
  EXPECT_EQ(chosen_codec(options_of({"a"})).name(), "tiles");
  EXPECT_EQ(&chosen_codec(options_of({"a"})), &default_codec());
  EXPECT_NE(std::get<Answer>(parse({"--help"})).text.find("tiles (default)"), std::string::npos);
  EXPECT_EQ(std::get<Answer>(parse({"--help"})).text.find("splits (default)"), std::string::npos);
}

TEST(Options, OfAStageAloneMeanAFormatThatItWrites) {
  const auto format_of = [](const char* stage) {
    return chosen_codec(options_of({"--stage", stage, "--device", "simt", "a"})).name();
  };
  EXPECT_EQ(format_of("gsst/08_gpu_encoder"), "splits");
  EXPECT_EQ(format_of("gsst/10_wide_encoder"), "tiles");
  EXPECT_EQ(options_of({"-d", "--stage", "gsst/01_blocks", "--device", "simt", "a"}).format, std::nullopt);
  EXPECT_EQ(options_of({"--stage", "gsst/08_gpu_encoder", "--device", "simt", "--splits", "8"}).codec_options,
            (reference::CodecOptions{{"splits", 8}}));
}

TEST(Options, SplitsNeedAFormatThatHasThem) {
  EXPECT_EQ(message_of({"--splits", "8", "--format", "splits"}), "no error");
  EXPECT_EQ(message_of({"--splits", "8", "--format", "coalesced"}), "no error");
  const std::string message = "--splits: only formats splits and coalesced take it";
  EXPECT_EQ(message_of({"--splits", "8"}), message + "; name one with --format (the default is tiles)");
  EXPECT_EQ(message_of({"--splits", "8", "--format", "blocks"}), message);
  EXPECT_EQ(message_of({"--splits", "8", "--format", "fsst"}), message);
}

TEST(Options, WhatTilesAreMadeOfNeedsTheirFormat) {
  const Options options = options_of({"a", "--format", "tiles", "--code-bits", "12", "--codes-per-lane", "24",
                                      "--strip-codes", "1024", "--parse", "greedy"});
  const reference::CodecOptions given = {
      {"code-bits", 12}, {"codes-per-lane", 24}, {"strip-codes", 1024}, {"parse", 0}};
  EXPECT_EQ(options.codec_options, given);
  for (const auto& [option, value] : {std::pair("--code-bits", "8"), std::pair("--codes-per-lane", "16"),
                                      std::pair("--strip-codes", "512"), std::pair("--parse", "optimal")}) {
    EXPECT_EQ(options_of({option, value}).codec_options.size(), 1U);
    EXPECT_EQ(message_of({option, value, "--format", "splits"}),
              "--code-bits, --codes-per-lane, --strip-codes and --parse: only format tiles takes them");
    EXPECT_NE(message_of({"-d", option, value}).find("are for compression"), std::string::npos);
  }
  EXPECT_NE(message_of({"--format", "tiles", "--codes-per-lane", "20"}), "no error");
  EXPECT_NE(message_of({"--format", "tiles", "--code-bits", "9"}), "no error");
  EXPECT_NE(message_of({"--format", "tiles", "--strip-codes", "768"}), "no error");
  EXPECT_EQ(message_of({"--format", "tiles", "--strip-codes", "512", "--codes-per-lane", "24"}),
            "--strip-codes: 512 are fewer than the 768 codes of a tile with --codes-per-lane 24");
}

TEST(Options, ChecksumsAreOfFrames) {
  EXPECT_EQ(options_of({"a"}).checksum_kind, std::nullopt);
  EXPECT_EQ(options_of({"a", "--checksum", "xxh64"}).checksum_kind, format::ChecksumKind::xxh64);
  EXPECT_EQ(options_of({"a", "--checksum", "xxh64-tree"}).checksum_kind, format::ChecksumKind::xxh64_tree);
  EXPECT_NE(message_of({"--checksum", "crc32"}), "no error");
  EXPECT_EQ(message_of({"--checksum", "xxh64", "--format", "fsst"}),
            "--checksum: format fsst has no checksums");
  EXPECT_NE(message_of({"-d", "--checksum", "xxh64"}).find("are for compression"), std::string::npos);
}

TEST(Options, ColumnsAreDecodedToANamedOutput) {
  const Options options = options_of({"-d", "--column", "price", "--null", "-1", "a.orc", "-o", "b"});
  EXPECT_EQ(options.column, "price");
  EXPECT_EQ(options.null_value, -1);
  EXPECT_FALSE(options.level);
  EXPECT_TRUE(options_of({"-t", "--column", "price", "a.orc"}).column);
  EXPECT_EQ(message_of({"--column", "c", "a"}), "--column: is for -d and -t; this is compression");
  EXPECT_EQ(message_of({"-l", "--column", "c", "a"}), "--column: is for -d and -t; this is -l");
  EXPECT_EQ(message_of({"-d", "--column", "c", "a"}), "--column: the output needs a name: add -o FILE or -c");
  EXPECT_EQ(message_of({"-dc", "--null", "1", "a"}), "--null: is for --column");
  EXPECT_EQ(message_of({"-dc", "--column", "c", "--format", "blocks", "a"}),
            "--format and --column exclude each other");
  EXPECT_EQ(message_of({"-dc", "--column", "c", "--device", "simt", "--stage", "codag/02_warp", "a"}),
            "--stage and --column exclude each other");
  EXPECT_EQ(options_of({"-dc", "--column", "c", "--device", "simt", "a"}).device, Device::simt);
}

TEST(Options, NameWhatThisBuildLacks) {
  EXPECT_EQ(message_of({"--device", "cpu"}), "no error");
  if (!stage::is_available(stage::Executor::gpu)) {
    EXPECT_NE(message_of({"-d", "--device", "gpu"}).find("there is no GPU here"), std::string::npos);
  }
  EXPECT_EQ(message_of({"-d", "--device", "simt"}), "no error");
  EXPECT_EQ(message_of({"--device", "simt"}), "no error");
  EXPECT_EQ(message_of({"-l", "--device", "simt"}), "--device: -l runs on the CPU");
  EXPECT_EQ(message_of({"-d", "--trace", "t"}), "--trace: needs --device simt, which runs the kernels");
  EXPECT_NE(message_of({"-d", "--device", "simt", "--trace", "t"}).find("`make trace STAGE=<id>` builds"),
            std::string::npos);
  EXPECT_EQ(message_of({"-d", "--device", "simt", "--trace-requests", "9"}),
            "--trace-requests: needs --trace");
  EXPECT_EQ(message_of({"--device", "tpu"}), "--device: 'tpu' is none of cpu, simt and gpu");
  EXPECT_NE(message_of({"-d", "--stage", "gsst/none", "--device", "simt"}).find("no stage 'gsst/none'"),
            std::string::npos);
  if (!stage::is_available(stage::Executor::gpu)) {
    EXPECT_NE(message_of({"-d", "--stage", "gsst/01_blocks"}).find("--device simt runs"), std::string::npos);
  }
  EXPECT_EQ(message_of({"-d", "--stage", "gsst/01_blocks", "--device", "cpu"}), "no error");
  EXPECT_EQ(options_of({"-d", "--device", "simt"}).stage_memory_bytes, std::uint64_t{2} << 30);
  EXPECT_EQ(options_of({"-d", "--device", "simt", "--memory", "3M"}).stage_memory_bytes, 3 << 20);
  EXPECT_EQ(message_of({"-d", "--memory", "3M"}), "--memory: is for --device gpu and simt");
  EXPECT_EQ(options_of({"--device", "simt", "--memory", "3M"}).stage_memory_bytes, 3 << 20);
  EXPECT_EQ(message_of({"--stage", "gsst/01_blocks", "--device", "cpu"}),
            "--stage: gsst/01_blocks decompresses; this is compression");
  EXPECT_EQ(message_of({"-d", "--stage", "gsst/08_gpu_encoder", "--device", "simt"}),
            "--stage: gsst/08_gpu_encoder compresses; this is -d");
  EXPECT_EQ(
      message_of({"-d", "--stage", "gsst/11_random_access", "--device", "simt"}),
      "--stage: gsst/11_random_access decompresses ranges, which the library does and not this command");
  const stage::Registration query(
      stage::Executor::simt,
      {.id = "test/query",
       .base = "",
       .title = "A stage",
       .section = "1",
       .format = format::BlockFormat::blocks,
       .operation = stage::Operation::query,
       .minimum_compute_capability = 80,
       .parameters = {}},
      stage::QueryPlans{.reads = [](format::BlockFormat) { return true; }, .make = nullptr});
  EXPECT_EQ(message_of({"-d", "--stage", "test/query", "--device", "simt"}),
            "--stage: test/query answers queries, which this command does not");
  EXPECT_EQ(message_of({"--stage", "gsst/08_gpu_encoder", "--device", "simt"}), "no error");
  EXPECT_EQ(message_of({"-l", "--stage", "gsst/08_gpu_encoder", "--device", "cpu"}),
            "--stage: -l has no stage");
  EXPECT_EQ(message_of({"-t", "--stage", "gsst/01_blocks", "--device", "simt"}), "no error");
  const std::string unknown = message_of({"--format", "zip"});
  EXPECT_TRUE(unknown.starts_with("--format: 'zip' is none of ")) << unknown;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    EXPECT_NE(unknown.find(codec->name()), std::string::npos) << unknown;
  }
}

TEST(Options, AllowOneFrameOnStandardOutput) {
  EXPECT_NE(message_of({"-c", "a", "b"}).find("a file holds one frame"), std::string::npos);
  EXPECT_NE(message_of({"-", "-"}).find("a file holds one frame"), std::string::npos);
  EXPECT_EQ(message_of({"-c", "a", "b", "--format", "fsst"}), "no error");
  EXPECT_EQ(message_of({"-dc", "a", "b"}), "no error");
}

TEST(Options, RefuseOutputsThatCannotBe) {
  EXPECT_EQ(message_of({"-o", "c", "a", "b"}), "-o names one output, and there are 2 inputs");
  EXPECT_EQ(message_of({"-t", "-o", "c", "a"}), "-o and -c: -t writes no file");
  EXPECT_EQ(message_of({"-lc", "a"}), "-o and -c: -l writes no file");
  EXPECT_EQ(message_of({"--list-stages", "a"}), "--list-stages takes no FILE");
}

TEST(Options, UnknownAreRefused) {
  EXPECT_NE(message_of({"--frmat", "fsst"}).find("--frmat"), std::string::npos);
  EXPECT_NE(message_of({"-x"}).find("-x"), std::string::npos);
}

TEST(Options, HelpListsExitCodesAndVersionIsOneLine) {
  EXPECT_NE(std::get<Answer>(parse({"--help"})).text.find("Exit codes:"), std::string::npos);
  EXPECT_EQ(std::get<Answer>(parse({"--version"})).text.substr(0, 5), "gsst ");
}

}  // namespace
}  // namespace gsst::cli
