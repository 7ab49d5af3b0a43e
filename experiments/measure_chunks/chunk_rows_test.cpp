#include "experiments/measure_chunks/chunk_rows.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/format/formats.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {
namespace {

using FileBytes = std::vector<std::uint8_t>;

class MeasureChunkRows : public testing::Test {
protected:
  ~MeasureChunkRows() override { std::filesystem::remove(path_); }

  nlohmann::ordered_json row_of(const FileBytes& bytes, const ChunkCoding& coding) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    const nlohmann::ordered_json rows =
        chunk_rows(path_, coding, {.name = "test/bytes", .sha256 = std::string(64, 'a')});
    EXPECT_EQ(rows.size(), 1U);
    return rows.at(0);
  }

private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("gsst_chunk_rows_" + std::to_string(getpid()));
};

TEST_F(MeasureChunkRows, BytesAndSymbolsOfRunLengthsAreCounted) {
  // A run of four, and a list of two values of one byte and one of two bytes, which zigzag makes of it.
  const FileBytes chunk = {7, 7, 7, 7, 1, 9, 100};
  FileBytes bytes = chunk;
  bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  const nlohmann::ordered_json zigzag =
      row_of(bytes, {.format = "orc_rle_v1", .type = "i8", .chunk_bytes = chunk.size()});
  EXPECT_EQ(zigzag["compressed_bytes"], 2 * (3 + 5));
  EXPECT_EQ(zigzag["uncompressed_bytes"], bytes.size());
  EXPECT_EQ(zigzag["chunks"], 2);
  EXPECT_EQ(zigzag["values"], bytes.size());
  EXPECT_EQ(zigzag["symbols"], 4);
  EXPECT_EQ(zigzag["parameters"], (nlohmann::ordered_json{{"block_bytes", chunk.size()}, {"type", "i8"}}));
  const nlohmann::ordered_json plain =
      row_of(bytes, {.format = "orc_rle_v1", .type = "u8", .chunk_bytes = chunk.size()});
  EXPECT_EQ(plain["compressed_bytes"], 2 * (3 + 4));
}

TEST_F(MeasureChunkRows, BytesThatGrowAreCounted) {
  const nlohmann::ordered_json row =
      row_of({100, 50, 99, 0x80}, {.format = "orc_rle_v1", .type = "i8", .chunk_bytes = 4});
  EXPECT_EQ(row["compressed_bytes"], 1 + 2 + 1 + 2 + 2);
}

TEST_F(MeasureChunkRows, OtherFormatsHaveNoSymbols) {
  const FileBytes bytes(64, 3);
  const nlohmann::ordered_json v2 =
      row_of(bytes, {.format = "orc_rle_v2", .type = "u64", .chunk_bytes = bytes.size()});
  // Eight equal values: a short repeat of eight bytes.
  EXPECT_EQ(v2["compressed_bytes"], 1 + 8);
  EXPECT_FALSE(v2.contains("symbols"));
  const nlohmann::ordered_json of_bytes = row_of(bytes, {.format = "byte_rle", .chunk_bytes = bytes.size()});
  EXPECT_EQ(of_bytes["compressed_bytes"], 2);
  EXPECT_EQ(of_bytes["parameters"], (nlohmann::ordered_json{{"block_bytes", bytes.size()}}));
}

// Of another series, which has levels.
TEST_F(MeasureChunkRows, CodecsWithLevelsHaveThePapers) {
  FileBytes bytes;
  for (int i = 0; i < 5000; ++i) bytes.push_back(static_cast<std::uint8_t>('a' + i % 7 * (i % 11) % 23));
  const nlohmann::ordered_json row = row_of(bytes, {.format = "blocks", .chunk_bytes = bytes.size()});
  const auto file = reference::encode_file(reference::codec_of(*format::block_format_from_name("blocks")),
                                           bytes, {.block_bytes = bytes.size(), .level = 9});
  EXPECT_EQ(row["compressed_bytes"], format::parse_frame(file).payload(0).size());
  EXPECT_EQ(row["parameters"], (nlohmann::ordered_json{{"block_bytes", bytes.size()}, {"level", 9}}));
}

TEST_F(MeasureChunkRows, WhatCannotBeCountedIsRefused) {
  const ChunkCoding coding = {.format = "orc_rle_v1", .type = "u32", .chunk_bytes = 8};
  EXPECT_THROW(row_of({}, coding), InputError);
  EXPECT_THROW(row_of({1, 2, 3}, coding), InputError);
  EXPECT_THROW(row_of({1, 2, 3, 255, 4, 5, 6, 255}, coding), InputError) << "stored raw";
  EXPECT_THROW(row_of({1}, {.format = "nothing", .type = "i8", .chunk_bytes = 1}), InputError);
  EXPECT_THROW(row_of({1}, {.format = "orc_rle_v1", .type = "u16", .chunk_bytes = 1}), InputError);
}

}  // namespace
}  // namespace gsst::experiments
