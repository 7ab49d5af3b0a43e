#include "experiments/measure_peers/peer_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

constexpr Blocks blocks_of_peers = {.bytes = 16'384, .threads = 2};
const Dataset text_of_peers = {.name = "text", .sha256 = std::string(64, 'a')};

TEST(PeerRows, EachCodecHasARowOfEachDirection) {
  const std::filesystem::path input = std::filesystem::path(testing::TempDir()) / "peers_input";
  const auto text = reference::test::make_text(100'000, 1);
  std::ofstream(input, std::ios::binary).write(reinterpret_cast<const char*>(text.data()), 100'000);
  const auto works =
      peer_works({.input = input, .block_bytes = 16'384, .threads = 2, .levels = {1, 3}, .repetitions = 3},
                 text_of_peers);
  std::filesystem::remove(input);
  ASSERT_EQ(works.size(), 1u);
  std::set<std::string> names;
  std::map<std::string, std::set<std::uint64_t>> sizes;
  const auto rows = works.front().measure();
  for (const auto& row : rows) {
    const std::string codec = row["stage"].get<std::string>() + " " + row["variant"].get<std::string>();
    names.insert(codec + " " + row["operation"].get<std::string>());
    sizes[codec].insert(row["compressed_bytes"].get<std::uint64_t>());
    EXPECT_EQ(row["uncompressed_bytes"], text.size());
    EXPECT_GE(row["seconds"]["repetitions"], 1);
    EXPECT_LE(row["seconds"]["repetitions"], 3);
    EXPECT_GT(row["ratio"], 1.0) << codec;
    EXPECT_EQ(row["parameters"]["block_bytes"], 16'384);
    EXPECT_EQ(row["parameters"]["threads"], 2);
    const bool is_fsst = row["stage"] == "reference_cpu/fast";
    EXPECT_EQ(row["parameters"]["checksum"] == "none", is_fsst) << codec;
  }
  std::size_t peers = 0;
  for (const LinkedPeer& peer : linked_peers()) {
    if (peer.compressors != nullptr) peers += peer.compressors().size();
  }
  EXPECT_EQ(names.size(), 2 * (4 + peers));
  EXPECT_EQ(rows.size(), names.size());
  EXPECT_TRUE(names.contains("library/tiles level 3 decode"));
  for (const auto& [codec, of_codec] : sizes) EXPECT_EQ(of_codec.size(), 1u) << codec;
}

// Stores bytes as they are; the n-th decompression loses one.
class FailingPeer final : public MemoryCodec {
public:
  explicit FailingPeer(int failing) : MemoryCodec({"test", "", {}}), failing_(failing) {}

  int decompressions() const { return decompressions_; }

  void compress(std::span<const std::uint8_t> input) override { stored_.assign(input.begin(), input.end()); }
  std::uint64_t compressed_bytes() const override { return stored_.size(); }
  void decompress(std::span<std::uint8_t> output) override {
    std::ranges::copy(stored_, output.begin());
    if (++decompressions_ == failing_) output.back() ^= 1;
  }

private:
  int failing_;
  int decompressions_ = 0;
  std::vector<std::uint8_t> stored_ = {};
};

TEST(PeerRows, EveryOutputIsCompared) {
  const auto text = reference::test::make_text(1'000, 1);
  // The first, three that are timed, and what the last compression has left.
  for (int failing = 1; failing <= 5; ++failing) {
    std::vector<std::unique_ptr<MemoryCodec>> codecs;
    codecs.push_back(std::make_unique<FailingPeer>(failing));
    EXPECT_THROW(peer_rows(codecs, text, blocks_of_peers, 3, text_of_peers), MismatchError) << failing;
  }
  std::vector<std::unique_ptr<MemoryCodec>> codecs;
  codecs.push_back(std::make_unique<FailingPeer>(0));
  EXPECT_EQ(peer_rows(codecs, text, blocks_of_peers, 3, text_of_peers).size(), 2u);
  EXPECT_EQ(static_cast<const FailingPeer&>(*codecs.front()).decompressions(), 5);
}

TEST(PeerRows, AWrongChecksumOfAPeerIsFound) {
  const auto text = reference::test::make_text(10'000, 1);
  for (const LinkedPeer& peer : linked_peers()) {
    if (peer.compressors == nullptr) continue;
    for (const BlockCompressor& compressor : peer.compressors()) {
      const BlockCoder coder = compressor.make_coder();
      std::vector<std::uint8_t> frame(compressor.most_bytes(text.size()));
      frame.resize(coder.compress(text, frame));
      std::vector<std::uint8_t> output(text.size());
      // Both have the checksum of the content at the end.
      frame.back() ^= 1;
      EXPECT_THROW(coder.decompress(frame, output), CodecError) << peer.name;
      frame.back() ^= 1;
      EXPECT_THROW(coder.decompress(std::span(frame).first(frame.size() / 2), output), CodecError)
          << peer.name;
      std::vector<std::uint8_t> longer(text.size() + 1);
      EXPECT_THROW(coder.decompress(frame, longer), CodecError) << peer.name;
      coder.decompress(frame, output);
      EXPECT_EQ(output, text) << peer.name;
    }
  }
}

TEST(PeerRows, NamesAFileThatIsNotThere) {
  EXPECT_THROW(peer_works({.input = "no such file"}, {}), InputError);
}

}  // namespace
}  // namespace gsst::experiments
