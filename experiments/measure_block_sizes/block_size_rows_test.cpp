#include "experiments/measure_block_sizes/block_size_rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cpu/block_size/block_size_choice.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_peers/block_compressor.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

const Dataset text_of_sizes = {.name = "text", .sha256 = std::string(64, 'a')};

TEST(BlockSizeRows, EachSizeAndTheChosenOneHaveARowOfEachDirection) {
  const std::filesystem::path input = std::filesystem::path(testing::TempDir()) / "block_sizes_input";
  const auto text = reference::test::make_text(300'000, 1);
  std::ofstream(input, std::ios::binary)
      .write(reinterpret_cast<const char*>(text.data()), static_cast<std::streamsize>(text.size()));
  const auto works =
      block_size_works({.input = input, .block_bytes = {65'536, 1 << 20}, .repetitions = 2}, text_of_sizes);
  std::filesystem::remove(input);
  ASSERT_EQ(works.size(), 1u);
  const auto rows = works.front().measure();
  std::size_t peers = 0;
  for (const LinkedPeer& peer : linked_peers()) {
    if (peer.name == "zstd" && peer.compressors != nullptr) peers += peer.compressors().size();
  }
  ASSERT_EQ(rows.size(), 2 * (3 + peers));
  const std::vector<std::uint64_t> named = {65'536, 1 << 20, 0};
  const std::vector<std::uint64_t> stored = {65'536, 1 << 20, cpu::large_block_bytes};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["operation"], i % 2 == 0 ? "encode" : "decode");
    EXPECT_EQ(rows[i]["uncompressed_bytes"], text.size());
    EXPECT_GT(rows[i]["ratio"], 1.0);
    if (i >= 2 * named.size()) {
      EXPECT_EQ(rows[i]["stage"], "peer/zstd");
      continue;
    }
    EXPECT_EQ(rows[i]["stage"], "library/tiles");
    EXPECT_EQ(rows[i]["variant"], named[i / 2] == 0 ? "chosen" : "named");
    EXPECT_EQ(rows[i]["named_block_bytes"], named[i / 2]);
    EXPECT_EQ(rows[i]["parameters"]["block_bytes"], stored[i / 2]);
  }
}

TEST(BlockSizeRows, NamesAFileThatIsNotThere) {
  EXPECT_THROW(block_size_works({.input = "no such file"}, {}), InputError);
}

}  // namespace
}  // namespace gsst::experiments
