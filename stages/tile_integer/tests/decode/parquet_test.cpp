#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"
#include "common/frame/checksum.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/tile_integer/parquet_values.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/parquet/golden_columns.hpp"
#include "stages/tile_integer/parquet/run_column.hpp"

// The kernels of 12_parquet_delta and their oracle. Pages come from data/golden/parquet/, so that no metadata
// of files are read here.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::ParquetColumn;
using format::tile_integer::ParquetError;
using format::tile_integer::ParquetValues;
using reference::tile_integer::ParquetOutput;
using FileBytes = std::vector<std::uint8_t>;

constexpr std::size_t guard_bytes = 64;

// Which page and which field, as text: what the oracle and the kernels must agree on.
std::string place_of(std::optional<std::uint64_t> page, const std::string& field) {
  return "page " + (page ? std::to_string(*page) : "none") + ", " + field;
}

// What became of a column: its output, or where the first mistake is.
struct Decoded {
  ParquetOutput output;
  std::string error;
};

Decoded decode_by_oracle(std::span<const std::uint8_t> file, const ParquetColumn& column) {
  try {
    return {.output = reference::tile_integer::decode_parquet(file, column), .error = ""};
  } catch (const ParquetError& error) {
    return {.output = {}, .error = place_of(error.page(), error.field())};
  }
}

std::string digest_of(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[format::checksum(bytes) >> shift & 15];
  return text;
}

bool are_all(std::span<const std::uint8_t> bytes, std::uint8_t value) {
  return std::ranges::all_of(bytes, [value](std::uint8_t byte) { return byte == value; });
}

// The stage is not registered, so the suite's list does not have it.
std::vector<stage::StageCase> parquet_cases() {
  std::vector<stage::StageCase> cases;
  for (const stage::Executor executor : {stage::Executor::simt, stage::Executor::gpu}) {
    if (stage::is_available(executor)) cases.push_back({"tile_integer/12_parquet_delta", executor});
  }
  return cases;
}

class ParquetStageTest : public testing::TestWithParam<stage::StageCase> {
protected:
  // The kernels do what the oracle does, whatever was in their memory, wherever the file is, and in whatever
  // order threads take turns.
  static void expect_as_oracle(const FileBytes& file, const ParquetColumn& column, std::size_t shift) {
    const Decoded expected = decode_by_oracle(file, column);
    const auto poison = static_cast<std::uint8_t>(shift % 2 == 0 ? 0x5a : 0xff);
    const simt::OrderSeed order(shift);
    const DecodedColumn found =
        run_column(GetParam().executor, file, column,
                   {.guard_bytes = guard_bytes, .poison = poison, .frame_offset = shift});
    for (const FileBytes* guarded : {&found.guarded_values, &found.guarded_levels}) {
      const std::span all(*guarded);
      ASSERT_TRUE(are_all(all.first(guard_bytes), poison)) << "bytes before the output were written";
      ASSERT_TRUE(are_all(all.last(guard_bytes), poison)) << "bytes past the end of the output were written";
    }
    const auto& problem = found.outcome.problem;
    ASSERT_EQ(problem ? place_of(problem->item, problem->field) : "", expected.error);
    ASSERT_EQ(found.outcome.is_complete, expected.error.empty());
    if (problem) return;
    ASSERT_TRUE(std::ranges::equal(found.values(), expected.output.values));
    ASSERT_TRUE(std::ranges::equal(found.levels(), expected.output.levels));
    ASSERT_EQ(found.outcome.count, expected.output.values.size());
  }

  // Nothing, where a page is refused before kernels see it.
  static std::optional<ParquetColumn> accepted_column(const nlohmann::json& entry, const FileBytes& file,
                                                      ParquetValues values, std::uint32_t missing = 0) {
    try {
      return listed_column(entry, file, values, missing);
    } catch (const ParquetError&) {
      return std::nullopt;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ParquetStageTest, testing::ValuesIn(parquet_cases()), stage::case_name);

TEST(ParquetOracle, EveryValidFileGivesItsDigests) {
  const nlohmann::json files = listed_parquet_files("valid");
  ASSERT_GT(files.size(), 15U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const FileBytes file = bytes_of_parquet_file(entry);
    const ParquetColumn column = listed_column(entry, file, values_of_listed_file(entry));
    EXPECT_EQ(column.value_count, entry.at("values").get<std::uint64_t>());
    const ParquetOutput output = reference::tile_integer::decode_parquet(file, column);
    EXPECT_EQ(digest_of(output.values), entry.at("values_xxh64").get<std::string>());
    EXPECT_EQ(digest_of(output.levels), entry.at("levels_xxh64").get<std::string>());
  }
}

TEST(ParquetOracle, EveryInvalidFileGivesItsError) {
  const nlohmann::json files = listed_parquet_files("invalid");
  ASSERT_GT(files.size(), 40U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const FileBytes file = bytes_of_parquet_file(entry);
    try {
      reference::tile_integer::decode_parquet(file, listed_column(entry, file, values_of_listed_file(entry)));
      ADD_FAILURE() << "decoded without an error";
    } catch (const ParquetError& error) {
      EXPECT_EQ(error.field(), entry.at("field").get<std::string>()) << error.what();
      EXPECT_EQ(error.page(), entry.at("page").get<std::uint64_t>()) << error.what();
    }
  }
}

TEST_P(ParquetStageTest, DecodesEveryListedFileAsTheOracle) {
  std::size_t decoded = 0;
  for (const char* const list : {"valid", "invalid"}) {
    for (const nlohmann::json& entry : listed_parquet_files(list)) {
      SCOPED_TRACE(entry.at("file").get<std::string>());
      const FileBytes file = bytes_of_parquet_file(entry);
      const auto column = accepted_column(entry, file, values_of_listed_file(entry));
      if (!column) continue;
      expect_as_oracle(file, *column, decoded++ % 17);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(decoded, 35U);
}

// As of a column of strings, whose dictionary is read elsewhere.
TEST_P(ParquetStageTest, DecodesIndicesAsTheOracle) {
  std::size_t decoded = 0;
  for (const char* const list : {"valid", "invalid"}) {
    for (const nlohmann::json& entry : listed_parquet_files(list)) {
      SCOPED_TRACE(entry.at("file").get<std::string>());
      const FileBytes file = bytes_of_parquet_file(entry);
      const auto column = accepted_column(entry, file, ParquetValues::indices);
      if (!column) continue;
      expect_as_oracle(file, *column, decoded++ % 17);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(decoded, 5U);
}

// Every byte of the pages of small files, changed in its lowest bit, in its highest one and in all.
TEST_P(ParquetStageTest, DecodesChangedBytesAsTheOracle) {
  std::size_t decoded = 0;
  std::size_t refused = 0;
  for (const char* const name : {"valid/undamaged.parquet", "invalid/run_index_5.parquet",
                                 "invalid/groups_end.parquet", "invalid/levels_too_few_values.parquet"}) {
    const nlohmann::json files =
        listed_parquet_files(std::string(name).starts_with("valid") ? "valid" : "invalid");
    const auto entry =
        *std::ranges::find_if(files, [name](const nlohmann::json& one) { return one.at("file") == name; });
    const FileBytes file = bytes_of_parquet_file(entry);
    const auto& last = entry.at("pages").back();
    const auto begin = last.at("offset").get<std::size_t>();
    for (std::size_t i = begin; i < begin + last.at("bytes").get<std::size_t>(); ++i) {
      for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
        SCOPED_TRACE(std::string(name) + ", byte " + std::to_string(i) + " changed by " +
                     std::to_string(change));
        FileBytes changed = file;
        changed[i] = static_cast<std::uint8_t>(changed[i] ^ change);
        const auto column = accepted_column(entry, changed, values_of_listed_file(entry));
        if (!column) {
          ++refused;
          continue;
        }
        expect_as_oracle(changed, *column, decoded++ % 5);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(decoded, 200U);
  EXPECT_GT(refused, 10U);
}

// Pages that end before each of their bytes.
TEST_P(ParquetStageTest, DecodesCutPagesAsTheOracle) {
  const nlohmann::json files = listed_parquet_files("valid");
  for (const nlohmann::json& entry : files) {
    const FileBytes file = bytes_of_parquet_file(entry);
    constexpr std::size_t small_file = 1500;
    if (file.size() > small_file) continue;
    const auto bytes = entry.at("pages").back().at("bytes").get<std::uint32_t>();
    // Every byte of a small page, else some.
    const std::uint32_t step = bytes < 100 ? 1 : 17;
    for (std::uint32_t missing = 1; missing <= bytes; missing += step) {
      SCOPED_TRACE(entry.at("file").get<std::string>() + " without " + std::to_string(missing) + " bytes");
      const auto column = accepted_column(entry, file, values_of_listed_file(entry), missing);
      if (column) expect_as_oracle(file, *column, missing % 3);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
