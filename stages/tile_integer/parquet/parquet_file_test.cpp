#include "stages/tile_integer/parquet/parquet_file.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/frame/checksum.hpp"
#include "reference_cpu/tile_integer/parquet_values.hpp"
#include "stages/tile_integer/parquet/golden_columns.hpp"

// The metadata of the files of data/golden/parquet/, whose list has the same.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::ParquetColumn;
using format::tile_integer::ParquetError;
using format::tile_integer::ParquetStream;

std::string message_of(std::span<const std::uint8_t> file, const std::string& column = "c") {
  try {
    const ParquetFileColumn found = read_parquet_column(file, column);
    reference::tile_integer::decode_parquet(found.bytes(file), found.column);
    return "";
  } catch (const ParquetError& error) {
    return error.what();
  }
}

// A small file with a dictionary, one with definition levels, and one with GZIP and levels of version 2.
std::vector<std::vector<std::uint8_t>> small_files() {
  std::vector<std::vector<std::uint8_t>> files;
  for (const nlohmann::json& entry : listed_parquet_files("valid_gzip")) {
    if (entry.at("file") == "valid/gzip_nulls_v2.parquet") files.push_back(bytes_of_parquet_file(entry));
  }
  for (const nlohmann::json& entry : listed_parquet_files("invalid")) {
    const auto name = entry.at("file").get<std::string>();
    if (name == "invalid/run_index_5.parquet" || name == "invalid/levels_too_few_values.parquet") {
      files.push_back(bytes_of_parquet_file(entry));
    }
  }
  return files;
}

TEST(ParquetFile, MetadataSayWhatTheListSays) {
  for (const nlohmann::json& entry : listed_parquet_files("valid")) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const std::vector<std::uint8_t> file = bytes_of_parquet_file(entry);
    const ParquetColumn expected = listed_column(entry, file, values_of_listed_file(entry));
    const ParquetColumn found = read_parquet_column(file, "c").column;
    EXPECT_EQ(found.values, expected.values);
    EXPECT_EQ(found.is_nullable, expected.is_nullable);
    EXPECT_EQ(found.rows, expected.rows);
    EXPECT_EQ(found.value_count, expected.value_count);
    EXPECT_EQ(found.pages, expected.pages);
    ASSERT_EQ(found.streams.size(), expected.streams.size());
    for (std::size_t i = 0; i < found.streams.size(); ++i) {
      const ParquetStream& stream = found.streams[i];
      EXPECT_EQ(stream.kind, expected.streams[i].kind);
      EXPECT_EQ(stream.offset, expected.streams[i].offset);
      EXPECT_EQ(stream.bytes, expected.streams[i].bytes);
      EXPECT_EQ(stream.values, expected.streams[i].values);
      EXPECT_EQ(stream.dictionary_offset, expected.streams[i].dictionary_offset);
      EXPECT_EQ(stream.dictionary_values, expected.streams[i].dictionary_values);
    }
  }
}

std::string hexadecimal_checksum(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text += "0123456789abcdef"[format::checksum(bytes) >> shift & 15];
  }
  return text;
}

TEST(ParquetFile, PagesWithGzipDecodeToTheListedValues) {
  for (const nlohmann::json& entry : listed_parquet_files("valid_gzip")) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const std::vector<std::uint8_t> file = bytes_of_parquet_file(entry);
    const ParquetFileColumn found = read_parquet_column(file, "c");
    EXPECT_FALSE(found.decompressed.empty());
    const auto output = reference::tile_integer::decode_parquet(found.bytes(file), found.column);
    EXPECT_EQ(output.values.size(),
              entry.at("values").get<std::size_t>() * value_bytes_of(found.column.values));
    EXPECT_EQ(hexadecimal_checksum(output.values), entry.at("values_xxh64"));
    EXPECT_EQ(hexadecimal_checksum(output.levels), entry.at("levels_xxh64"));
  }
}

TEST(ParquetFile, EveryInvalidFileGivesItsError) {
  std::vector<nlohmann::json> entries = listed_parquet_files("invalid");
  const nlohmann::json with_gzip = listed_parquet_files("invalid_gzip");
  entries.insert(entries.end(), with_gzip.begin(), with_gzip.end());
  for (const nlohmann::json& entry : entries) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const std::string place = "page " + std::to_string(entry.at("page").get<std::uint64_t>()) + ": " +
                              entry.at("field").get<std::string>() + ": ";
    EXPECT_TRUE(message_of(bytes_of_parquet_file(entry)).starts_with(place));
  }
}

TEST(ParquetFile, CutFilesAreRefused) {
  for (const auto& file : small_files()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_NE(message_of(std::span(file).first(size)), "") << size << " bytes";
      // With the end of a file, whose length of the metadata is wrong then.
      std::vector<std::uint8_t> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      cut.insert(cut.end(), file.end() - 8, file.end());
      if (size + 8 < file.size()) {
        EXPECT_NE(message_of(cut), "") << size << " bytes and the last 8";
      }
    }
  }
}

// Whatever is wrong is a ParquetError or nothing that a decoder notices.
TEST(ParquetFile, ChangedBytesDoNoHarm) {
  std::size_t refused = 0;
  for (const auto& file : small_files()) {
    for (std::size_t i = 0; i < file.size(); ++i) {
      for (unsigned change = 1; change < 256; change = 2 * change + 1) {
        std::vector<std::uint8_t> changed = file;
        changed[i] = static_cast<std::uint8_t>(changed[i] ^ change);
        if (!message_of(changed).empty()) ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000U);
}

TEST(ParquetFile, OtherColumnsAreNone) {
  EXPECT_EQ(message_of(small_files().front(), "d"), "schema: has no column 'd'");
  // The root of the schema is no column.
  EXPECT_EQ(message_of(small_files().front(), "schema"), "schema: has no column 'schema'");
}

}  // namespace
}  // namespace gsst::tile_integer
