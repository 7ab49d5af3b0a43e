#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/stream.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/tile_integer/tests/decode/integer_stages.hpp"
#include "stages/tile_integer/tests/decode/patterns.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Every decoder of the series, besides what the common suite asks of it.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::type_count;
using format::tile_integer::type_shapes;
using ColumnBytes = std::vector<std::uint8_t>;

constexpr std::uint64_t seed_of_columns = 77;

class IntegerStageTest : public stage::StageTest {
protected:
  ColumnBytes frame_of(const ColumnBytes& column, std::size_t type, std::uint64_t block_bytes) const {
    return reference::encode_file(reference::codec_of(stage().description.format), column,
                                  {.block_bytes = block_bytes, .options = {{"type", type}}, .threads = 1});
  }

  // As those below, a frame of one type.
  void expect_decodes_column(const ColumnBytes& column, std::size_t type, std::uint64_t block_bytes,
                             std::size_t shift) const {
    SCOPED_TRACE(std::string(type_shapes[type].name) + ", " + std::to_string(column.size()) +
                 " bytes in blocks of " + std::to_string(block_bytes) + ", seed " +
                 std::to_string(seed_of_columns));
    expect_decodes_with_every_parameter(frame_of(column, type, block_bytes), column, shift);
  }

  // With the defaults and with each value of each parameter.
  void expect_decodes_with_every_parameter(const ColumnBytes& frame, const ColumnBytes& column,
                                           std::size_t shift) const {
    expect_decodes(frame, column, {}, shift);
    for (const stage::Parameter& parameter : stage().description.parameters) {
      for (const std::int64_t value : parameter.values) {
        SCOPED_TRACE(parameter.name + " = " + std::to_string(value));
        if (!HasFatalFailure()) expect_decodes(frame, column, {{parameter.name, value}}, shift);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, IntegerStageTest, testing::ValuesIn(integer_decoders()),
                         stage::case_name);

void append_value(ColumnBytes& column, std::uint64_t value, std::size_t value_bytes) {
  for (std::size_t byte = 0; byte < value_bytes; ++byte) {
    column.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
  }
}

// `count` values of up to `width` bits above 1000.
ColumnBytes column_of_width(std::size_t count, unsigned width, std::size_t type, std::mt19937_64& random) {
  const std::size_t value_bytes = type_shapes[type].value_bytes;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  ColumnBytes column;
  for (std::size_t i = 0; i < count; ++i) append_value(column, 1000 + (random() & mask), value_bytes);
  return column;
}

TEST_P(IntegerStageTest, DecodesEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_columns);
  for (std::size_t type = 0; type < type_count; ++type) {
    for (unsigned width = 0; width <= type_shapes[type].max_width(); ++width) {
      expect_decodes_column(column_of_width(300, width, type, random), type, 1 << 20, width % 17);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(IntegerStageTest, DecodesLengthsAroundEveryBorder) {
  std::mt19937_64 random(seed_of_columns);
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (std::size_t type = 0; type < type_count; ++type) {
    for (const std::size_t count :
         {1, 31, 32, 33, 95, 96, 97, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025}) {
      if (!sample.has(number++)) continue;
      ColumnBytes column = column_of_width(count, 5, type, random);
      column.insert(column.end(), count % type_shapes[type].value_bytes, 0x5a);
      expect_decodes_column(column, type, 1 << 20, count % 16);
      // Blocks that end within packed blocks, and a last one that is shorter.
      expect_decodes_column(column, type, std::uint64_t{40} * type_shapes[type].value_bytes, count % 13);
      if (HasFatalFailure()) return;
    }
    // So that a part has other lengths of the next type.
    ++number;
  }
}

// Each miniblock with a width of its own, constants next to extremes, and blocks that are stored raw.
TEST_P(IntegerStageTest, DecodesMixedBlocks) {
  std::mt19937_64 random(seed_of_columns);
  for (std::size_t type = 0; type < type_count; ++type) {
    const unsigned bits = type_shapes[type].max_width();
    ColumnBytes column;
    for (unsigned miniblock = 0; miniblock < 200; ++miniblock) {
      const unsigned width = miniblock % 40 < 33 ? miniblock % (bits + 1) : bits;
      const ColumnBytes values = column_of_width(32, width, type, random);
      column.insert(column.end(), values.begin(), values.end());
    }
    for (const std::uint64_t block_bytes :
         {std::uint64_t{1024}, std::uint64_t{4096}, std::uint64_t{1} << 20}) {
      expect_decodes_column(column, type, block_bytes, 3);
      if (HasFatalFailure()) return;
    }
  }
}

// Lengths at the borders of packed blocks, chains and tiles of every size.
TEST_P(IntegerStageTest, DecodesPatternsOfEveryLength) {
  std::mt19937_64 random(seed_of_columns);
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (std::size_t type = 0; type < type_count; ++type) {
    for (const Pattern& pattern : patterns) {
      SCOPED_TRACE(pattern.name);
      for (const std::size_t count :
           {1, 2, 33, 128, 129, 385, 511, 512, 513, 1024, 2047, 2049, 4095, 4096, 4097}) {
        if (!sample.has(number++)) continue;
        ColumnBytes column;
        for (std::size_t i = 0; i < count; ++i) {
          append_value(column, pattern.value(i, smallest_value(all_types[type]), random),
                       type_shapes[type].value_bytes);
        }
        expect_decodes_column(column, type, 1 << 20, count % 16);
        if (HasFatalFailure()) return;
      }
      // So that a part has other lengths of the next pattern.
      number += 2;
    }
  }
}

// `count` values in runs of `least` to `most` values of up to `width` bits.
ColumnBytes column_of_runs(std::size_t count, std::size_t least, std::size_t most, unsigned width,
                           std::size_t type, std::mt19937_64& random) {
  ColumnBytes column;
  std::uint64_t value = 0;
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i, --left) {
    if (left == 0) {
      left = least + random() % (most - least + 1);
      value = lowest_bits(random(), width);
    }
    append_value(column, value, type_shapes[type].value_bytes);
  }
  return column;
}

struct RunLengths {
  std::size_t least;
  std::size_t most;
};

// Means of 1.5, 2, 4 and 100, up to 2000, and about the length of a run block.
constexpr std::array<RunLengths, 9> run_lengths = {
    {{1, 1}, {1, 2}, {1, 3}, {2, 2}, {1, 7}, {1, 199}, {1, 2000}, {511, 513}, {2000, 2000}}};

TEST_P(IntegerStageTest, DecodesRunsOfEveryLength) {
  std::mt19937_64 random(seed_of_columns);
  // To other formats runs are values like any others: what depends on lengths alone is seen above.
  const bool packs_runs = stage().description.format == format::tile_integer::rfor_format;
  const std::vector<std::size_t> counts =
      packs_runs ? std::vector<std::size_t>{1, 32, 33, 510, 511, 512, 513, 1023, 1024, 1025, 3001}
                 : std::vector<std::size_t>{32, 2049};
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (std::size_t type = 0; type < type_count; ++type) {
    for (const RunLengths& of_runs : run_lengths) {
      SCOPED_TRACE("runs of " + std::to_string(of_runs.least) + " to " + std::to_string(of_runs.most));
      for (const std::size_t count : counts) {
        if (!sample.has(number++)) continue;
        // Of all bits, and of so few that not even runs of one value are stored raw.
        const unsigned width = count % 2 == 0 ? 3 : type_shapes[type].max_width();
        const ColumnBytes column = column_of_runs(count, of_runs.least, of_runs.most, width, type, random);
        expect_decodes_column(column, type, 1 << 20, count % 16);
        // Blocks that end within run blocks, and a last one that is shorter.
        if (packs_runs) {
          expect_decodes_column(column, type, std::uint64_t{600} * type_shapes[type].value_bytes, count % 13);
        }
        if (HasFatalFailure()) return;
      }
      // So that a part has other lengths of the next runs, also one of two parts.
      number += 1 + counts.size() % 2;
    }
  }
}

// Decoders of a format that packs runs.
class RunStageTest : public IntegerStageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, RunStageTest, testing::ValuesIn(run_decoders()), stage::case_name);

// Every number of runs that needs another number of miniblocks or of words of widths.
TEST_P(RunStageTest, DecodesEveryNumberOfRuns) {
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (std::size_t type = 0; type < type_count; ++type) {
    for (const std::size_t values : {512, 300}) {
      for (std::size_t runs = 1; runs <= values; runs += runs < 66 ? 1 : 31) {
        if (!sample.has(number++)) continue;
        ColumnBytes column;
        for (std::size_t i = 0; i < values; ++i) {
          append_value(column, i * runs / values % 7, type_shapes[type].value_bytes);
        }
        expect_decodes_column(column, type, 1 << 20, runs % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// A frame of blocks of several types: shared memory is for the largest, tiles are for the smallest.
TEST_P(IntegerStageTest, DecodesBlocksOfDifferentTypes) {
  std::mt19937_64 random(seed_of_columns);
  constexpr std::array<std::size_t, 6> types = {4, 0, 3, 1, 5, 2};
  constexpr std::size_t block_bytes = 24000;
  ColumnBytes column;
  for (const std::size_t type : types) {
    const ColumnBytes block = column_of_width(block_bytes / type_shapes[type].value_bytes, 5, type, random);
    column.insert(column.end(), block.begin(), block.end());
  }
  std::size_t block_number = 0;
  ColumnBytes frame;
  reference::tile_integer::write_frame_file(
      stage().description.format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        const ColumnBytes alone = frame_of({block.begin(), block.end()}, types[block_number++], block_bytes);
        const format::FrameView view = format::parse_frame(alone);
        return reference::tile_integer::BlockPayload{
            .layout = view.index.entries[0].record.layout,
            .payload = {view.payload(0).begin(), view.payload(0).end()}};
      });
  ASSERT_EQ(block_number, types.size());
  for (const format::IndexEntry& entry : format::parse_frame(frame).index.entries) {
    ASSERT_NE(entry.record.layout, format::BlockLayout::raw);
  }
  expect_decodes_with_every_parameter(frame, column, 5);
}

}  // namespace
}  // namespace gsst::tile_integer
