#include "cpu/block_size/block_size_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"
#include "cpu/tiles/frame_encoder.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::cpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Words in other letters: the same text, and nothing of it for the tables of others.
Bytes text_in_letters(std::size_t bytes, std::uint64_t seed, std::uint8_t letters) {
  Bytes text = reference::test::make_text(bytes, seed);
  for (std::uint8_t& byte : text) byte = static_cast<std::uint8_t>(byte + letters);
  return text;
}

// A text whose letters change after each `piece` bytes.
Bytes changing_text(std::size_t pieces, std::size_t piece) {
  Bytes text;
  for (std::size_t i = 0; i < pieces; ++i) {
    const Bytes next = text_in_letters(piece, i, static_cast<std::uint8_t>(37 * i));
    text.insert(text.end(), next.begin(), next.end());
  }
  return text;
}

std::uint64_t chosen_for(const Bytes& input, std::uint64_t code_bits = 8) {
  return choose_block_size(input, {.options = {{"code-bits", code_bits}}}).block_bytes;
}

std::uint64_t encoded_bytes(const Bytes& input, std::uint64_t block_bytes) {
  const auto discard = [](std::span<const std::uint8_t> /*bytes*/) {};
  return tiles::encode_frame(format::reader_of(input), discard, {.block_bytes = block_bytes, .threads = 1})
      .output_bytes;
}

TEST(BlockSizeChoice, BlocksAreLargeWhereNothingChanges) {
  for (const std::size_t bytes : {1'000, 300'000, 5'000'000, 40'000'000}) {
    EXPECT_EQ(chosen_for(reference::test::make_text(bytes, 1)), large_block_bytes) << bytes;
    EXPECT_EQ(chosen_for(reference::test::make_random(bytes, 1)), large_block_bytes) << bytes;
    EXPECT_EQ(chosen_for(Bytes(bytes, 'a')), large_block_bytes) << bytes;
  }
}

TEST(BlockSizeChoice, BlocksAreSmallWhereTheTextChanges) {
  for (const std::size_t piece : {400'000, 700'000, 1'500'000}) {
    const Bytes text = changing_text(8, piece);
    EXPECT_EQ(chosen_for(text), small_block_bytes) << piece;
    EXPECT_EQ(chosen_for(text, 12), medium_block_bytes) << piece;
    EXPECT_LT(encoded_bytes(text, small_block_bytes), encoded_bytes(text, large_block_bytes)) << piece;
  }
}

// Of which each large block has another.
TEST(BlockSizeChoice, BlocksAreLargeWhereEachHasOneKindOfText) {
  EXPECT_EQ(chosen_for(changing_text(4, large_block_bytes)), large_block_bytes);
}

// Rows of several columns.
TEST(BlockSizeChoice, BlocksAreLargeWhereTheTextChangesAllTheTime) {
  const Bytes row = changing_text(8, 100);
  Bytes rows;
  for (std::size_t i = 0; i < 10'000; ++i) rows.insert(rows.end(), row.begin(), row.end());
  EXPECT_EQ(chosen_for(rows), large_block_bytes);
}

TEST(BlockSizeChoice, TheReasonNamesTheSize) {
  EXPECT_EQ(choose_block_size(Bytes(), {}).reason.find("blocks of 4194304 bytes chosen: "), 0u);
  EXPECT_EQ(choose_block_size(changing_text(8, 500'000), {}).reason.find("blocks of 262144 bytes chosen: "),
            0u);
}

TEST(BlockSizeChoice, ReadsAFewBytesOfTheInputAndNoneBehindIt) {
  for (const std::size_t bytes : {0, 1, 511, 512, 16'383, 16'385, 17'000, 3'000'000}) {
    std::uint64_t read_bytes = 0;
    choose_block_size(bytes,
                      [&](std::uint64_t offset, std::span<std::uint8_t> buffer) {
                        EXPECT_LE(offset + buffer.size(), bytes);
                        std::ranges::fill(buffer, 'a');
                        read_bytes += buffer.size();
                      },
                      {});
    EXPECT_LE(read_bytes, std::max<std::uint64_t>(1'024, bytes / 31)) << bytes;
  }
}

TEST(BlockSizeChoice, TheStartOfALongInputDecides) {
  Bytes text = reference::test::make_text(most_looked_at_bytes, 1);
  const Bytes end = changing_text(8, 500'000);
  text.insert(text.end(), end.begin(), end.end());
  EXPECT_EQ(chosen_for(text), large_block_bytes);
  EXPECT_EQ(chosen_for(end), small_block_bytes);
}

// A column at most loses what its headers take, and all columns as one file are nearly as small as with the
// best size of blocks.
TEST(BlockSizeChoice, ColumnsOfDbtextAreNearlyAsSmallAsTheyCanBe) {
  const auto folder = reference::test::dbtext_folder();
  if (!folder) GTEST_SKIP() << "DBText is not there";
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) paths.insert(entry.path());
  Bytes all;
  for (const std::filesystem::path& path : paths) {
    const Bytes column = reference::test::read_file(path);
    all.insert(all.end(), column.begin(), column.end());
    EXPECT_LE(encoded_bytes(column, chosen_for(column)), encoded_bytes(column, large_block_bytes) * 201 / 200)
        << path;
  }
  const std::uint64_t chosen = chosen_for(all);
  const auto bytes = static_cast<double>(encoded_bytes(all, chosen));
  for (const std::uint64_t other : {chosen / 4, chosen / 2, chosen * 2, large_block_bytes}) {
    EXPECT_LE(bytes, static_cast<double>(encoded_bytes(all, other)) * 1.02) << other;
  }
}

}  // namespace
}  // namespace gsst::cpu
