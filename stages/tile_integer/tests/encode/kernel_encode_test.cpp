#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/tile_integer/encode/kernel_encode_runner.hpp"
#include "stages/tile_integer/tests/decode/patterns.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Every encoder of the series that is made of kernels, on every executor of this machine: nothing is left to
// choose, so that its frames have the bytes of the codec's, whatever the values, the length, the cut into
// blocks, the addresses and the order of thread blocks.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::dfor_format;
using format::tile_integer::for_format;
using format::tile_integer::shape_of;
using format::tile_integer::Type;
using stage::Executor;
using stage::InputToEncode;
using stage::StageCase;

constexpr std::uint64_t seed_of_encoded_columns = 91;

const KernelEncodePlans* kernel_plans(const StageCase& one) {
  const stage::RegisteredStage* const stage = stage::find_stage(one.stage, stage::Operation::encode);
  return dynamic_cast<const KernelEncodePlans*>(stage->encode.at(one.executor));
}

std::vector<StageCase> kernel_cases() {
  std::vector<StageCase> cases = stage::stage_cases(stage::Operation::encode, for_format);
  std::erase_if(cases, [](const StageCase& one) { return kernel_plans(one) == nullptr; });
  return cases;
}

// What the tests encode.
struct Column {
  ValueBytes bytes;
  Type type;
};

class IntegerEncodeTest : public testing::TestWithParam<StageCase> {
protected:
  const KernelEncodePlans& plans() const { return *kernel_plans(GetParam()); }
  bool is_on_cpu() const { return GetParam().executor == Executor::simt; }

  // Calls `run` with each of its parameters' values, one at a time.
  void for_each_way(const std::function<void(const stage::ParameterValues&)>& run) const {
    run({});
    const auto& stage = stage::find_stage(GetParam().stage, stage::Operation::encode)->description;
    for (const stage::Parameter& parameter : stage.parameters) {
      for (const std::int64_t value : parameter.values) {
        if (testing::Test::HasFatalFailure()) return;
        SCOPED_TRACE(parameter.name + " = " + std::to_string(value));
        if (value != parameter.default_value || is_on_cpu()) run({{parameter.name, value}});
      }
    }
  }

  static ValueBytes codec_frame(format::BlockFormat format, const Column& column, std::uint64_t block_bytes) {
    return reference::encode_file(reference::codec_of(format), column.bytes,
                                  {.block_bytes = block_bytes,
                                   .checksum_kind = format::ChecksumKind::xxh64_tree,
                                   .options = {{"type", static_cast<std::uint64_t>(column.type)}},
                                   .threads = 1});
  }

  // In all formats.
  void expect_codec_frames(const Column& column, std::uint64_t block_bytes, std::size_t shift = 0,
                           const stage::ParameterValues& parameters = {}) {
    for (const format::BlockFormat format : plans().formats()) {
      SCOPED_TRACE(std::string(shape_of(column.type).name) + ", " + std::to_string(column.bytes.size()) +
                   " bytes in blocks of " + std::to_string(block_bytes) + ", shift " + std::to_string(shift) +
                   ", format " + std::to_string(static_cast<int>(format)) + ", seed " +
                   std::to_string(seed_of_encoded_columns));
      const EncodeResult& result = runner_.run(
          column.bytes,
          {.format = format,
           .input_bytes = column.bytes.size(),
           .block_bytes = block_bytes,
           .options = {{"type", static_cast<std::uint64_t>(column.type)}},
           .parameters = parameters},
          {.guard_bytes = 64, .poison = 0xb7, .input_shift = shift % 17, .output_shift = shift * 5 % 19});
      ASSERT_TRUE(result.frame == codec_frame(format, column, block_bytes));
      ASSERT_TRUE(result.guards_are_intact);
      ASSERT_EQ(std::ranges::count(result.statuses, 0U), std::ssize(result.statuses));
    }
  }

private:
  KernelEncodeRunner runner_{plans()};
};

INSTANTIATE_TEST_SUITE_P(AllStages, IntegerEncodeTest, testing::ValuesIn(kernel_cases()), stage::case_name);

// `count` values of up to `width` bits above 1000.
Values values_of_width(std::size_t count, unsigned width, std::mt19937_64& random) {
  Values values(count);
  for (std::uint64_t& value : values) value = 1000 + lowest_bits(random(), width);
  return values;
}

// Each width in every place of a packed block, next to each other width.
TEST_P(IntegerEncodeTest, EncodesEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : all_types) {
    const unsigned most = shape_of(type).max_width();
    Values values;
    for (unsigned width = 0; width <= most; ++width) {
      const Values alone = values_of_width(300, width, random);
      // In all formats: a column of one width, and one miniblock of it among others.
      expect_codec_frames({.bytes = bytes_of(alone, type), .type = type}, 1 << 20, width % 17);
      const Values other = values_of_width(32, width * 7 % (most + 1), random);
      values.insert(values.end(), other.begin(), other.end());
      values.insert(values.end(), alone.begin(), alone.begin() + 64);
      if (HasFatalFailure()) return;
    }
    expect_codec_frames({.bytes = bytes_of(values, type), .type = type}, 1 << 20, 3);
    if (HasFatalFailure()) return;
  }
}

// Of lanes, miniblocks, packed blocks, chains, and tiles of all numbers of threads.
TEST_P(IntegerEncodeTest, EncodesLengthsAroundEveryBorder) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : all_types) {
    const std::size_t value_bytes = shape_of(type).value_bytes;
    for (const std::size_t border : {0, 4, 32, 96, 128, 384, 512, 640, 1024, 2048, 4096, 8192}) {
      if (is_on_cpu() && border > 1024 && type != Type::i32) continue;
      for (const int distance : {-1, 0, 1}) {
        const std::size_t count = border + static_cast<std::size_t>(distance);
        if (count > 8193) continue;
        Column column = {.bytes = bytes_of(values_of_width(count, 5, random), type), .type = type};
        column.bytes.insert(column.bytes.end(), count % value_bytes, 0x5a);
        expect_codec_frames(column, 1 << 20, count % 16);
        // Blocks that end within packed blocks, and a last one that is shorter.
        if (count < 2000) expect_codec_frames(column, 300 * value_bytes + count % value_bytes, count % 13);
        if (HasFatalFailure()) return;
      }
    }
  }
}

ValueBytes encoded_pattern_bytes(const Pattern& pattern, std::size_t count, Type type,
                                 std::mt19937_64& random) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = pattern.value(i, smallest_value(type), random);
  return bytes_of(values, type);
}

TEST_P(IntegerEncodeTest, EncodesPatternsOfEveryLength) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : all_types) {
    for (const Pattern& pattern : patterns) {
      SCOPED_TRACE(pattern.name);
      for (const std::size_t count : {1, 2, 33, 128, 129, 385, 512, 513, 1025, 1537, 2049}) {
        if (is_on_cpu() && count > 513 && type != Type::i16 && type != Type::u32 && type != Type::i64) {
          continue;
        }
        expect_codec_frames({.bytes = encoded_pattern_bytes(pattern, count, type, random), .type = type},
                            1 << 20, count % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Runs of the lengths at which a run block has another number of miniblocks or of words of widths, and of
// mixed ones, next to each other in one column.
TEST_P(IntegerEncodeTest, EncodesRunsOfEveryLength) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : all_types) {
    Values values;
    for (const std::size_t runs : {1, 2, 31, 32, 33, 64, 65, 127, 128, 129, 256, 257, 384, 385, 511, 512}) {
      for (std::size_t i = 0; i < 512; ++i) {
        // Neighbours differ in their lowest bit.
        const std::size_t run = i * runs / 512;
        const bool begins = i == 0 || run != (i - 1) * runs / 512;
        values.push_back(begins ? (lowest_bits(random(), shape_of(type).max_width() / 2) & ~1ULL) | run % 2
                                : values.back());
      }
    }
    // Lengths that take more than 8 bits.
    values.insert(values.end(), 400, 3);
    values.insert(values.end(), 112, 4);
    for (std::size_t left = 700; left > 0; --left) {
      if (left == 700 || random() % 5 == 0) values.push_back(lowest_bits(random(), 7));
      values.push_back(values.back());
    }
    const Column column = {.bytes = bytes_of(values, type), .type = type};
    expect_codec_frames(column, 1 << 20, 0);
    expect_codec_frames(column, std::uint64_t{3001} * shape_of(type).value_bytes, 3, {{"passes", 2}});
    // A run goes on where a run block, a tile or a block ends.
    expect_codec_frames({.bytes = bytes_of(Values(1700, 5), type), .type = type},
                        std::uint64_t{1300} * shape_of(type).value_bytes, 0);
    if (HasFatalFailure()) return;
  }
}

// Many small widths and extremes, in blocks of which some are raw, between packed ones.
Column mixed_column(std::size_t miniblocks, Type type, std::mt19937_64& random) {
  const unsigned bits = shape_of(type).max_width();
  Values values;
  for (std::size_t miniblock = 0; miniblock < miniblocks; ++miniblock) {
    const bool is_random = miniblock / 40 % 3 == 2;
    const Values next =
        values_of_width(32, is_random ? bits : static_cast<unsigned>(miniblock * 5 % (bits + 1)), random);
    values.insert(values.end(), next.begin(), next.end());
  }
  return {.bytes = bytes_of(values, type), .type = type};
}

std::size_t raw_blocks(const ValueBytes& frame) {
  const std::vector<format::IndexEntry> entries = format::parse_frame(frame).index.entries;
  return static_cast<std::size_t>(std::ranges::count_if(entries, [](const format::IndexEntry& entry) {
    return entry.record.layout == format::BlockLayout::raw;
  }));
}

TEST_P(IntegerEncodeTest, EncodesRawBlocksBetweenOthersInEveryWay) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : all_types) {
    const Column column = mixed_column(240, type, random);
    const std::uint64_t block_bytes = std::uint64_t{40} * 32 * shape_of(type).value_bytes;
    const std::size_t raw = raw_blocks(codec_frame(for_format, column, block_bytes));
    ASSERT_TRUE(raw > 0 && raw < 6) << raw;
    for_each_way([&](const stage::ParameterValues& parameters) {
      expect_codec_frames(column, block_bytes, 0, parameters);
      expect_codec_frames(column, block_bytes + 1, 5, parameters);
      expect_codec_frames(column, 1 << 20, 0, parameters);
    });
    if (HasFatalFailure()) return;
  }
}

// A raw block that several thread blocks copy: by vectors, words and bytes.
TEST_P(IntegerEncodeTest, CopiesARawBlockOfSeveralPieces) {
  std::mt19937_64 random(seed_of_encoded_columns);
  const Column column = {.bytes = bytes_of(values_of_width(140'003, 32, random), Type::u32),
                         .type = Type::u32};
  ASSERT_EQ(raw_blocks(codec_frame(for_format, column, 1 << 20)), 1U);
  for (const std::size_t shift : {0, 16, 1}) {
    expect_codec_frames(column, 1 << 20, shift);
    if (HasFatalFailure()) return;
  }
}

// From blocks without a whole value to those that coding makes smaller by a vector of bytes, or not.
TEST_P(IntegerEncodeTest, EncodesBlocksOfEverySize) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : {Type::i8, Type::i32, Type::u64}) {
    const Column column = {.bytes = bytes_of(values_of_width(60, 3, random), type), .type = type};
    for (std::uint64_t block_bytes = 1; block_bytes < 200; block_bytes += is_on_cpu() ? 3 : 1) {
      const std::size_t bytes = std::min<std::size_t>(column.bytes.size(), 12 * block_bytes);
      expect_codec_frames(
          {.bytes = {column.bytes.begin(), column.bytes.begin() + static_cast<std::ptrdiff_t>(bytes)},
           .type = type},
          block_bytes, block_bytes);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(IntegerEncodeTest, EncodesAtEveryAddress) {
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : all_types) {
    const Column column = {.bytes = bytes_of(values_of_width(1100, 6, random), type), .type = type};
    // Each shift of the input with each of the output.
    constexpr std::size_t shifts = std::size_t{17} * 19;
    for (std::size_t shift = 0; shift < shifts; shift += is_on_cpu() ? 11 : 1) {
      expect_codec_frames(column, std::uint64_t{700} * shape_of(type).value_bytes, shift);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(IntegerEncodeTest, EncodesWhatHasManyTiles) {
  std::mt19937_64 random(seed_of_encoded_columns);
  const std::size_t count = gsst::test::test_sample().size(is_on_cpu() ? 40'000 : 3'000'000, 40'000);
  for (const Type type : {Type::i32, Type::i64}) {
    const Column columns[] = {
        {.bytes = encoded_pattern_bytes(patterns[7], count, type, random), .type = type},
        {.bytes = bytes_of(values_of_width(count, 9, random), type), .type = type},
        mixed_column(count / 32, type, random),
    };
    for (const Column& column : columns) {
      for_each_way([&](const stage::ParameterValues& parameters) {
        if (is_on_cpu() && (type == Type::i64) != parameters.contains("passes")) return;
        expect_codec_frames(column, 1 << 20, 0, parameters);
        expect_codec_frames(column, 50'000, 0, parameters);
      });
      if (HasFatalFailure()) return;
    }
  }
}

// More than a warp looks at in one step.
TEST_P(IntegerEncodeTest, EncodesManyBlocks) {
  std::mt19937_64 random(seed_of_encoded_columns);
  const Column column = {.bytes = bytes_of(values_of_width(12'000, 9, random), Type::i32), .type = Type::i32};
  expect_codec_frames(column, 160);
}

// A GPU chooses the order of thread blocks itself.
TEST_P(IntegerEncodeTest, EncodesInEveryOrderOfThreadBlocks) {
  if (!is_on_cpu()) return;
  std::mt19937_64 random(seed_of_encoded_columns);
  const Column columns[] = {mixed_column(200, Type::i32, random), mixed_column(120, Type::i64, random)};
  for (const Column& column : columns) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE("order seed " + std::to_string(seed));
      const simt::OrderSeed order(seed);
      expect_codec_frames(column, seed % 2 == 0 ? 1 << 20 : 9000, 0,
                          {{"passes", static_cast<std::int64_t>(1 + seed / 2 % 2)}});
      if (HasFatalFailure()) return;
    }
  }
}

const char* how_of(format::BlockFormat format) {
  if (format == for_format) return "values of type i64 by reference, ";
  if (format == dfor_format) return "values of type i64 by difference from the one before, ";
  return "values of type i64 in runs, ";
}

// What a memory of so many bytes holds is several pieces.
TEST_P(IntegerEncodeTest, EncodesFilesInPieces) {
  std::mt19937_64 random(seed_of_encoded_columns);
  constexpr std::uint64_t block_bytes = 2000;
  const Column column = {.bytes = bytes_of(values_of_width(3121, 9, random), Type::i64), .type = Type::i64};
  for (const format::BlockFormat format : plans().formats()) {
    for (const std::uint64_t blocks : {1U, 2U, 5U, 13U}) {
      const std::uint64_t memory = KernelEncodeRunner::memory_bytes(
          plans(), {.format = format,
                    .input_bytes = blocks * block_bytes,
                    .block_bytes = block_bytes,
                    .options = {{"type", static_cast<std::uint64_t>(column.type)}}});
      ValueBytes frame;
      std::vector<std::uint64_t> seen;
      const format::EncodeTotals totals =
          plans().encode({.format = format,
                          .settings = {.block_bytes = block_bytes,
                                       .options = {{"type", static_cast<std::uint64_t>(column.type)}}},
                          .memory_bytes = memory},
                         format::reader_of(column.bytes), format::writer_to(frame),
                         [&](const format::StreamTotals& now) { seen.push_back(now.input_bytes); });
      EXPECT_TRUE(frame == codec_frame(format, column, block_bytes)) << blocks << " blocks a piece";
      EXPECT_EQ(totals.blocks, 13U);
      EXPECT_EQ(totals.output_bytes, frame.size());
      EXPECT_EQ(totals.how, how_of(format));
      ASSERT_FALSE(seen.empty());
      EXPECT_EQ(seen.front(), std::min<std::uint64_t>(blocks * block_bytes, column.bytes.size()));
      EXPECT_EQ(seen.back(), column.bytes.size());
    }
  }
}

// All values of two parameters together, but for what no GPU has the shared memory for.
TEST_P(IntegerEncodeTest, RefusesMoreSharedMemoryThanThereIs) {
  const auto& stage = stage::find_stage(GetParam().stage, stage::Operation::encode)->description;
  if (std::ranges::find(stage.parameters, "chains_per_warp", &stage::Parameter::name) ==
      stage.parameters.end()) {
    return;
  }
  std::mt19937_64 random(seed_of_encoded_columns);
  for (const Type type : {Type::i32, Type::i64}) {
    const Column column = {.bytes = bytes_of(values_of_width(1500, 9, random), type), .type = type};
    for (const std::int64_t threads : {64, 512}) {
      for (const std::int64_t chains : {1, 2}) {
        SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(chains) + " chains");
        const stage::ParameterValues parameters = {{"threads_per_block", threads},
                                                   {"chains_per_warp", chains}};
        if (type == Type::i64 && threads == 512 && chains == 2) {
          EXPECT_THROW(plans().plan_of({.format = for_format,
                                        .input_bytes = column.bytes.size(),
                                        .block_bytes = 1 << 20,
                                        .options = {{"type", static_cast<std::uint64_t>(type)}},
                                        .parameters = parameters}),
                       std::invalid_argument);
        } else {
          expect_codec_frames(column, 1 << 20, 0, parameters);
        }
        if (HasFatalFailure()) return;
      }
    }
  }
}

// The type of the codecs is the type of the encoder.
TEST_P(IntegerEncodeTest, TakesTheCodecsDefaultType) {
  std::mt19937_64 random(seed_of_encoded_columns);
  const Column column = {.bytes = bytes_of(values_of_width(300, 9, random), Type::i32), .type = Type::i32};
  ValueBytes frame;
  plans().encode({.format = dfor_format, .settings = {.block_bytes = 1 << 20}},
                 format::reader_of(column.bytes), format::writer_to(frame), {});
  EXPECT_TRUE(frame == codec_frame(dfor_format, column, 1 << 20));
}

TEST_P(IntegerEncodeTest, RefusesTheChecksumOfOneChain) {
  stage::FileToEncode file = {.format = for_format,
                              .settings = {.checksum_kind = format::ChecksumKind::xxh64}};
  EXPECT_THROW(plans().check(file), std::invalid_argument);
  file.settings.checksum_kind = format::ChecksumKind::xxh64_tree;
  EXPECT_NO_THROW(plans().check(file));
}

TEST_P(IntegerEncodeTest, RefusesWhatItDoesNotTake) {
  const InputToEncode right = {
      .format = for_format, .input_bytes = 100, .block_bytes = 10, .options = {{"type", 5}}};
  EXPECT_NO_THROW(plans().plan_of(right));
  const auto refuses = [&](const InputToEncode& input) {
    EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
    EXPECT_THROW(plans().describe(input), std::invalid_argument);
  };
  InputToEncode input = right;
  input.format = format::BlockFormat::splits;
  refuses(input);
  input = right;
  input.block_bytes = 0;
  refuses(input);
  input.block_bytes = format::max_block_bytes + 1;
  refuses(input);
  input = right;
  input.options = {{"type", 6}};
  refuses(input);
  input.options = {{"splits", 1}};
  refuses(input);
  input = right;
  input.parameters = {{"no_such_parameter", 1}};
  refuses(input);
  input = right;
  input.input_bytes = std::uint64_t{1} << 31;
  input.block_bytes = 1;
  refuses(input);
  // More blocks than a frame has.
  input.input_bytes = format::max_block_count + 1;
  refuses(input);
}

}  // namespace
}  // namespace gsst::tile_integer
