#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_test.hpp"

// Every decoder of format `for`, besides what the common suite asks of it.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::for_format;
using format::tile_integer::type_count;
using format::tile_integer::type_shapes;
using ColumnBytes = std::vector<std::uint8_t>;

constexpr std::uint64_t seed_of_columns = 77;

class ForStageTest : public stage::StageTest {
protected:
  ColumnBytes frame_of(const ColumnBytes& column, std::size_t type, std::uint64_t block_bytes) const {
    return reference::encode_file(reference::codec_of(for_format), column,
                                  {.block_bytes = block_bytes, .options = {{"type", type}}, .threads = 1});
  }

  // With the defaults and with each value of each parameter.
  void expect_decodes_column(const ColumnBytes& column, std::size_t type, std::uint64_t block_bytes,
                             std::size_t shift) const {
    SCOPED_TRACE(std::string(type_shapes[type].name) + ", " + std::to_string(column.size()) +
                 " bytes in blocks of " + std::to_string(block_bytes) + ", seed " +
                 std::to_string(seed_of_columns));
    const ColumnBytes frame = frame_of(column, type, block_bytes);
    expect_decodes(frame, column, {}, shift);
    for (const stage::Parameter& parameter : stage().description.parameters) {
      for (const std::int64_t value : parameter.values) {
        SCOPED_TRACE(parameter.name + " = " + std::to_string(value));
        if (!HasFatalFailure()) expect_decodes(frame, column, {{parameter.name, value}}, shift);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ForStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode, for_format)),
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

TEST_P(ForStageTest, DecodesEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_columns);
  for (std::size_t type = 0; type < type_count; ++type) {
    for (unsigned width = 0; width <= type_shapes[type].max_width(); ++width) {
      expect_decodes_column(column_of_width(300, width, type, random), type, 1 << 20, width % 17);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ForStageTest, DecodesLengthsAroundEveryBorder) {
  std::mt19937_64 random(seed_of_columns);
  for (std::size_t type = 0; type < type_count; ++type) {
    for (const std::size_t count : {1, 31, 32, 33, 95, 96, 97, 127, 128, 129, 511, 512, 513, 1025}) {
      ColumnBytes column = column_of_width(count, 5, type, random);
      column.insert(column.end(), count % type_shapes[type].value_bytes, 0x5a);
      expect_decodes_column(column, type, 1 << 20, count % 16);
      // Blocks that end within packed blocks, and a last one that is shorter.
      expect_decodes_column(column, type, 40 * type_shapes[type].value_bytes, count % 13);
      if (HasFatalFailure()) return;
    }
  }
}

// Each miniblock with a width of its own, constants next to extremes, and blocks that are stored raw.
TEST_P(ForStageTest, DecodesMixedBlocks) {
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

}  // namespace
}  // namespace gsst::tile_integer
