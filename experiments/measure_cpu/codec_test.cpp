#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes repeated_text() {
  const std::string line = "carefully final deposits sleep quickly above the ironic requests\n";
  Bytes bytes;
  for (int i = 0; i < 2000; ++i) bytes.insert(bytes.end(), line.begin() + i % 7, line.end());
  return bytes;
}

Bytes random_bytes(std::size_t size) {
  constexpr std::uint32_t seed = 7;
  testing::Test::RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 generator(seed);
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(generator());
  return bytes;
}

std::vector<Codec> all_codecs() {
  std::vector<Codec> codecs = reference_codecs();
  for (const Peer& peer : peers()) {
    if (peer.codecs == nullptr) continue;
    for (Codec& codec : peer.codecs()) codecs.push_back(std::move(codec));
  }
  return codecs;
}

std::string test_name(const testing::TestParamInfo<Codec>& info) {
  std::string name = info.param.stage + "_" + info.param.variant;
  for (char& letter : name)
    if (letter == '/' || letter == ' ') letter = '_';
  return name;
}

class EveryCodec : public testing::TestWithParam<Codec> {
protected:
  static Bytes round_trip(const Bytes& input) {
    Bytes output(input.size(), 0xa5);
    GetParam().decompress(GetParam().compress(input), output);
    return output;
  }
};

TEST_P(EveryCodec, TextRoundTripsAndBecomesSmaller) {
  const Bytes input = repeated_text();
  EXPECT_EQ(round_trip(input), input);
  EXPECT_LT(GetParam().compress(input).size(), input.size() / 2);
}

TEST_P(EveryCodec, IncompressibleInputRoundTrips) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{300'000}}) {
    const Bytes input = random_bytes(size);
    EXPECT_EQ(round_trip(input), input) << size << " bytes";
  }
}

TEST_P(EveryCodec, TruncatedInputIsAnError) {
  const Bytes input = repeated_text();
  Bytes compressed = GetParam().compress(input);
  compressed.resize(compressed.size() / 2);
  Bytes output(input.size());
  EXPECT_THROW(GetParam().decompress(compressed, output), std::exception);
}

TEST_P(EveryCodec, OutputOfAnotherSizeIsAnError) {
  const Bytes input = repeated_text();
  const Bytes compressed = GetParam().compress(input);
  Bytes longer(input.size() + 1);
  EXPECT_THROW(GetParam().decompress(compressed, longer), std::exception);
  Bytes shorter(input.size() - 1);
  EXPECT_THROW(GetParam().decompress(compressed, shorter), std::exception);
}

INSTANTIATE_TEST_SUITE_P(All, EveryCodec, testing::ValuesIn(all_codecs()), test_name);

}  // namespace
}  // namespace gsst::experiments
