#include "stages/codag/orc/array_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/stream.hpp"
#include "stages/codag/chunks/chunk_memory.hpp"
#include "stages/codag/orc/golden_orc_files.hpp"
#include "stages/codag/orc/orc_file.hpp"
#include "stages/codag/orc/orc_values.hpp"

// Columns of the ORC files that pyarrow has written, from memory of an executor to arrays there.
namespace gsst::codag::orc {
namespace {

using chunks::ChunkBytes;
using chunks::GuardedChunkMemory;

constexpr std::uint64_t seed_of_arrays = 2024;

// What Arrow has of a column.
struct OrcArray {
  ChunkBytes values;
  ChunkBytes validity;
  std::uint64_t nulls = 0;
};

struct RunOfArray {
  OrcArray array;
  std::vector<std::uint32_t> status;
};

void set_bit(ChunkBytes& bits, std::size_t row) {
  bits[row / 8] |= static_cast<std::uint8_t>(1U << row % 8);
}

ChunkBytes decoded_on_cpu(std::span<const std::uint8_t> file, const OrcColumn& column, std::int64_t null) {
  ChunkBytes values;
  decode_orc_column(file, column, null, format::writer_to(values));
  return values;
}

// Of the CPU: rows that are null have another value where another one is asked for.
OrcArray array_of_cpu(std::span<const std::uint8_t> file, const OrcColumn& column) {
  const ChunkBytes zeros = decoded_on_cpu(file, column, 0);
  const ChunkBytes ones = decoded_on_cpu(file, column, 1);
  const std::size_t width = value_bytes_of(column.values);
  const std::size_t rows = zeros.size() / width;
  OrcArray array = {.values = zeros, .validity = ChunkBytes(bytes_of_bits(rows))};
  for (std::size_t row = 0; row < rows; ++row) {
    if (std::equal(&zeros[row * width], &zeros[row * width] + width, &ones[row * width])) {
      set_bit(array.validity, row);
    } else {
      ++array.nulls;
    }
  }
  if (column.values != OrcValues::boolean) return array;
  array.values.assign(bytes_of_bits(rows), 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (zeros[row] != 0) set_bit(array.values, row);
  }
  return array;
}

class OrcArrays : public testing::TestWithParam<stage::Executor> {
protected:
  // The whole file is the input.
  static RunOfArray run(std::span<const std::uint8_t> file, const OrcColumn& column) {
    const stage::Executor executor = GetParam();
    const OrcArrayPlan plan(executor, column);
    EXPECT_LE(plan.input_bytes(), file.size());
    GuardedChunkMemory input(executor, file.first(static_cast<std::size_t>(plan.input_bytes())), 1);
    GuardedChunkMemory values(executor, plan.values_bytes());
    GuardedChunkMemory validity(executor, plan.validity_bytes());
    GuardedChunkMemory nulls(executor, sizeof(std::uint64_t));
    GuardedChunkMemory state(executor, plan.state_bytes());
    GuardedChunkMemory scratch(executor, plan.scratch_bytes());
    GuardedChunkMemory status(executor, plan.status_count() * sizeof(std::uint32_t));
    plan.prepare(state.data(), nullptr);
    const OrcArrayMemory memory = {.input = input.data(),
                                   .values = values.data(),
                                   .validity = reinterpret_cast<std::uint32_t*>(validity.data()),
                                   .nulls = reinterpret_cast<std::uint64_t*>(nulls.data()),
                                   .state = state.data(),
                                   .scratch = scratch.data(),
                                   .status = reinterpret_cast<std::uint32_t*>(status.data())};
    // What is in memory does not matter, what an earlier execution has left neither.
    for (int i = 0; i < 2; ++i) plan.enqueue(memory, nullptr);
    stage::wait_for(executor);
    for (const GuardedChunkMemory* const used : {&values, &validity, &nulls, &state, &scratch, &status}) {
      EXPECT_TRUE(used->is_intact());
    }
    RunOfArray found = {.array = {.values = values.read(), .validity = validity.read()}, .status = {}};
    std::memcpy(&found.array.nulls, nulls.read().data(), sizeof(found.array.nulls));
    const ChunkBytes words = status.read();
    found.status.resize(words.size() / sizeof(std::uint32_t));
    if (!words.empty()) std::memcpy(found.status.data(), words.data(), words.size());
    return found;
  }
  static std::vector<std::uint32_t> problems(std::span<const std::uint8_t> file, const OrcColumn& column) {
    std::vector<std::uint32_t> status = run(file, column).status;
    std::erase(status, 0U);
    return status;
  }
};

std::vector<std::string> files_without_compression() {
  std::vector<std::string> names;
  for (const nlohmann::json& entry : listed_orc_files()) {
    const auto name = entry.at("file").get<std::string>();
    if (name.find("uncompressed") != std::string::npos) names.push_back(name);
  }
  return names;
}

void for_every_column(const std::function<void(const ChunkBytes& file, const OrcColumn& column)>& check) {
  std::size_t columns = 0;
  for (const nlohmann::json& entry : listed_orc_files()) {
    const auto name = entry.at("file").get<std::string>();
    if (name == "snappy.orc" || name == "not_decoded.orc") continue;
    const ChunkBytes file = bytes_of_orc_file(name);
    for (const nlohmann::json& listed : entry.at("columns")) {
      const OrcColumn column = read_orc_column(file, listed.at("name").get<std::string>());
      if (column.compression != OrcCompression::none) continue;
      SCOPED_TRACE(name + ", column " + column.name);
      check(file, column);
      ++columns;
    }
  }
  EXPECT_GT(columns, 30U);
  EXPECT_GT(files_without_compression().size(), 3U);
}

TEST_P(OrcArrays, ColumnsHaveTheValuesValidityAndNullsOfTheCpu) {
  std::uint64_t nulls = 0;
  for_every_column([&](const ChunkBytes& file, const OrcColumn& column) {
    const RunOfArray found = run(file, column);
    const OrcArray expected = array_of_cpu(file, column);
    EXPECT_TRUE(found.array.values == expected.values);
    EXPECT_TRUE(found.array.validity == expected.validity);
    EXPECT_EQ(found.array.nulls, expected.nulls);
    EXPECT_EQ(std::ranges::count(found.status, 0U), static_cast<std::ptrdiff_t>(found.status.size()));
    nulls += expected.nulls;
  });
  EXPECT_GT(nulls, 1000U);
}

// One byte of a stream is another one: whatever it does, the CPU finds a mistake where the kernels do, or
// both have the same array.
TEST_P(OrcArrays, ChangedBytesAreRefusedWhereTheCpuRefusesThem) {
  std::mt19937_64 random(seed_of_arrays);
  std::size_t refused = 0;
  for_every_column([&](const ChunkBytes& file, const OrcColumn& column) {
    if (column.stripes.empty()) return;
    // Files with row indexes have positions that the CPU does not look at.
    OrcColumn without_index = column;
    for (OrcStripe& stripe : without_index.stripes) stripe.row_groups.clear();
    for (int i = 0; i < 2; ++i) {
      const OrcStripe& stripe = column.stripes[random() % column.stripes.size()];
      const OrcStream& stream = stripe.present && i == 0 ? *stripe.present : stripe.data;
      if (stream.bytes == 0) continue;
      ChunkBytes changed = file;
      const std::size_t place = static_cast<std::size_t>(stream.offset + random() % stream.bytes);
      changed[place] ^= static_cast<std::uint8_t>(1U << random() % 8);
      SCOPED_TRACE("seed " + std::to_string(seed_of_arrays) + ", byte " + std::to_string(place));
      std::optional<OrcArray> expected;
      try {
        expected = array_of_cpu(changed, without_index);
      } catch (const OrcError&) {
        ++refused;
      }
      const RunOfArray found = run(changed, without_index);
      const auto problem = std::ranges::find_if(found.status, [](std::uint32_t word) { return word != 0; });
      EXPECT_EQ(problem == found.status.end(), expected.has_value());
      if (problem != found.status.end()) {
        EXPECT_EQ(describe_row_group_word(*problem).find("unknown"), std::string::npos) << *problem;
      } else if (expected) {
        EXPECT_TRUE(found.array.values == expected->values && found.array.validity == expected->validity);
      }
    }
  });
  EXPECT_GT(refused, 10U);
}

const std::uint32_t word_of_position = static_cast<std::uint32_t>(OrcArrayStatus::position_in_data);
const std::uint32_t word_of_present_position =
    static_cast<std::uint32_t>(OrcArrayStatus::position_in_present);

TEST_P(OrcArrays, PositionsThatAreWrongAreReported) {
  const ChunkBytes file = bytes_of_orc_file("v12_uncompressed.orc");
  const OrcColumn column = read_orc_column(file, "big_or_null");
  ASSERT_GT(column.stripes[0].row_groups.size(), 1U);
  const auto words_with = [&](const std::function<void(OrcRowGroup&)>& change) {
    OrcColumn changed = column;
    change(changed.stripes[0].row_groups[1]);
    return problems(file, changed);
  };
  EXPECT_EQ(words_with([](OrcRowGroup&) {}), std::vector<std::uint32_t>{});
  const auto far = words_with([](OrcRowGroup& group) { group.data.byte = 0x7fffffff; });
  // None of the stripe's row groups is decoded.
  EXPECT_EQ(far, std::vector<std::uint32_t>(column.stripes[0].row_groups.size(), word_of_position));
  const auto many = words_with([](OrcRowGroup& group) { group.data.values = 0x7fffffff; });
  EXPECT_TRUE(std::ranges::count(many, word_of_position) > 0);
  const auto bits = words_with([](OrcRowGroup& group) { group.present->bits ^= 1; });
  EXPECT_TRUE(std::ranges::count(bits, word_of_present_position) > 0);
  // Within a run.
  EXPECT_FALSE(words_with([](OrcRowGroup& group) { ++group.data.byte; }).empty());
  EXPECT_FALSE(words_with([](OrcRowGroup& group) { ++group.data.values; }).empty());
}

TEST_P(OrcArrays, AValueThatTheTypeDoesNotHaveIsReportedWithItsNumber) {
  const ChunkBytes file = bytes_of_orc_file("v12_uncompressed.orc");
  OrcColumn column = read_orc_column(file, "big_or_null");
  column.values = OrcValues::int16;
  const std::vector<std::uint32_t> words = problems(file, column);
  ASSERT_FALSE(words.empty());
  EXPECT_EQ(words[0] & 0xff, static_cast<std::uint32_t>(OrcArrayStatus::value_out_of_range));
  EXPECT_NE(describe_row_group_word(words[0]).find("none of the type"), std::string::npos);
}

TEST_P(OrcArrays, AColumnWithoutRowsHasNone) {
  const RunOfArray found = run({}, {.name = "none",
                                    .values = OrcValues::int32,
                                    .compression = OrcCompression::none,
                                    .chunk_bytes = 0,
                                    .rows = 0,
                                    .stripes = {}});
  EXPECT_TRUE(found.array.values.empty() && found.array.validity.empty() && found.status.empty());
  EXPECT_EQ(found.array.nulls, 0U);
}

INSTANTIATE_TEST_SUITE_P(OnExecutors, OrcArrays, testing::ValuesIn(chunks::executors_of_chunks()),
                         [](const auto& run) { return std::string(stage::executor_name(run.param)); });

TEST(OrcArrayMetadata, ThatContradictsItselfIsRefusedByItsStripe) {
  const ChunkBytes file = bytes_of_orc_file("v12_uncompressed.orc");
  const OrcColumn column = read_orc_column(file, "big_or_null");
  const auto expect_no_plan = [&](const std::function<void(OrcColumn&)>& change, const std::string& word) {
    OrcColumn changed = column;
    change(changed);
    try {
      OrcArrayPlan(stage::Executor::simt, changed);
      ADD_FAILURE() << "planned; expected: " << word;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  constexpr std::uint64_t most = 0x7fffffff;
  expect_no_plan([](OrcColumn& made) { made.compression = OrcCompression::zlib; }, "compressed");
  expect_no_plan([](OrcColumn& made) { made.stripes[1].coding = OrcCoding::run_lengths_v1; },
                 "stripe 1: is coded");
  expect_no_plan([](OrcColumn& made) { made.values = OrcValues::int8; }, "stripe 0: the coding");
  expect_no_plan([=](OrcColumn& made) { made.stripes[1].rows = most + 1; }, "stripe 1: has more than 2^31");
  expect_no_plan([=](OrcColumn& made) { made.stripes[1].data.bytes = most + 1; }, "stripe 1: stream DATA");
  expect_no_plan([](OrcColumn& made) { made.stripes[0].present->offset = ~std::uint64_t{0}; },
                 "stripe 0: stream PRESENT begins");
  expect_no_plan([](OrcColumn& made) { ++made.stripes[1].row_groups[0].rows; }, "stripe 1: row group");
  expect_no_plan([](OrcColumn& made) { --made.stripes[1].row_groups[0].rows; },
                 "stripe 1: the row groups have");
  expect_no_plan([](OrcColumn& made) { made.stripes[1].row_groups[0].rows = ~std::uint64_t{0}; },
                 "stripe 1: row group 0 has more rows");
  expect_no_plan([](OrcColumn& made) { made.stripes[0].row_groups[1].present.reset(); },
                 "stripe 0: row group 1 has no position in stream PRESENT");
  expect_no_plan([](OrcColumn& made) { made.stripes[0].row_groups[1].data.chunk = 3; }, "compressed stream");
  expect_no_plan([=](OrcColumn& made) { made.stripes[0].row_groups[1].data.byte = most + 1; },
                 "row group 1 has a position after");
  expect_no_plan([](OrcColumn& made) { made.stripes[0].row_groups[0].data.values = 1; },
                 "row group 0 does not begin");
}

TEST(OrcArrayMetadata, EveryWordOfARowGroupHasAText) {
  for (const std::uint32_t number : {1U, 7U, 65U, 71U, 128U, 129U, 130U}) {
    EXPECT_EQ(describe_row_group_word(5U << 8 | number).find("unknown"), std::string::npos) << number;
  }
  EXPECT_NE(describe_row_group_word(66).find("PRESENT"), std::string::npos);
  EXPECT_NE(describe_row_group_word(200).find("unknown"), std::string::npos);
  EXPECT_EQ(word_of_row_group(0, 0, 0), 0U);
  EXPECT_EQ(word_of_row_group(0, 0, 7), 6U << 8 | 130U);
  EXPECT_EQ(word_of_row_group(3U << 8 | 2U, 1, 7), 3U << 8 | 66U);
  EXPECT_EQ(word_of_row_group(0, wrong_position, 7), 128U);
  EXPECT_EQ(word_of_row_group(wrong_position, 1, 7), 129U);
}

}  // namespace
}  // namespace gsst::codag::orc
