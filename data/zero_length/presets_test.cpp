// Holds the simulated data to Figures 18 and 19 of the thesis.
#include "data/zero_length/presets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "common/format/formats.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::data {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// What the thesis has of one set.
struct PublishedSet {
  std::string name;
  /// Section 3.6.
  double raw_mebibytes;
  /// Figure 18.
  double zero_bytes;
  /// Figure 19; of the last set, in which that finds none, Figure 18.
  double marker_bytes;
  /// Figure 19: runs of four zeros. Its cell of the first set is that number, of the others twice as many.
  double runs_of_four;

  friend void PrintTo(const PublishedSet& set, std::ostream* stream) { *stream << set.name; }
};

const std::vector<PublishedSet>& published_sets() {
  static const std::vector<PublishedSet> sets = {{"15", 12.25, 826465, 30325, 201319},
                                                 {"859", 756, 56331641, 421886, 25441706 / 2.0},
                                                 {"2562", 2182.25, 151542748, 5816415, 71948966 / 2.0},
                                                 {"5060", 4457.25, 326306261, 6455150, 150229168 / 2.0}};
  return sets;
}

/// The first dumps of a preset: shares of all bytes in percent, and the ratio of the bare form.
struct Measured {
  double zero_bytes = 0;
  double marker_bytes = 0;
  /// Of floats.
  double runs_of_four = 0;
  double ratio = 0;
  std::size_t values = 0;
};

constexpr std::uint64_t dumps_measured = 4;

std::vector<std::uint8_t> first_dumps(const Correlator& correlator) {
  const Parts parts = correlator_parts(correlator);
  std::vector<std::uint8_t> bytes(dumps_measured * parts.part_bytes);
  for (std::uint64_t dump = 0; dump < dumps_measured; ++dump) {
    parts.fill(dump, std::span(bytes).subspan(dump * parts.part_bytes, parts.part_bytes));
  }
  return bytes;
}

double bare_ratio(const std::vector<std::uint8_t>& bytes) {
  const reference::Codec& codec = reference::codec_of(*format::block_format_from_name("zle_bare"));
  const reference::EncodeSettings settings = {.block_bytes = mebibyte, .options = {}, .threads = 1};
  return static_cast<double>(reference::encode_file(codec, bytes, settings).size()) /
         static_cast<double>(bytes.size());
}

Measured measure(const Correlator& correlator) {
  const std::vector<std::uint8_t> bytes = first_dumps(correlator);
  std::array<std::size_t, 256> counts{};
  std::size_t runs_of_four = 0;
  std::size_t run = 0;
  for (const std::uint8_t byte : bytes) {
    ++counts[byte];
    if (byte != 0 && run == 4) ++runs_of_four;
    run = byte == 0 ? run + 1 : 0;
  }
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const auto percent = [&](std::size_t count) {
    return 100 * static_cast<double>(count) / static_cast<double>(bytes.size());
  };
  return {.zero_bytes = percent(counts[0]),
          .marker_bytes = percent(counts[255]),
          .runs_of_four = 4 * percent(runs_of_four),
          .ratio = bare_ratio(bytes),
          .values = words.size()};
}

const Preset& preset_named(const std::string& name) {
  return *std::ranges::find(presets(), name, &Preset::name);
}

class ZeroLengthPresets : public testing::TestWithParam<PublishedSet> {};

TEST_P(ZeroLengthPresets, AreAsLargeAsTheSetsOfTheThesis) {
  const std::uint64_t bytes = correlator_parts(preset_named(GetParam().name).correlator).bytes;
  EXPECT_EQ(static_cast<double>(bytes) / mebibyte, GetParam().raw_mebibytes);
}

TEST_P(ZeroLengthPresets, AgreeWithFigures18And19) {
  const PublishedSet& published = GetParam();
  const double bytes = published.raw_mebibytes * mebibyte;
  const Measured measured = measure(preset_named(published.name).correlator);
  std::cout << "zero bytes " << measured.zero_bytes << " %, 0xFF " << measured.marker_bytes
            << " %, runs of four " << measured.runs_of_four << " %, ratio " << measured.ratio << ", values "
            << measured.values << "\n";
  EXPECT_NEAR(measured.zero_bytes, 100 * published.zero_bytes / bytes, 0.05);
  EXPECT_NEAR(measured.marker_bytes, 100 * published.marker_bytes / bytes, 0.015);
  EXPECT_NEAR(measured.runs_of_four, 400 * published.runs_of_four / bytes, 0.08);
  EXPECT_GE(measured.zero_bytes, 6.4);
  EXPECT_LE(measured.zero_bytes, 7.15);
  // Section 5.3, Figures 17 and 23: 0.966 to 0.97, and what Figure 19's savings come to.
  EXPECT_GE(measured.ratio, 0.966);
  EXPECT_LE(measured.ratio, 0.971);
  // Section 5.11: about 9,000 different floats, whatever the size.
  EXPECT_GE(measured.values, 6500U);
  EXPECT_LE(measured.values, 12000U);
}

INSTANTIATE_TEST_SUITE_P(, ZeroLengthPresets, testing::ValuesIn(published_sets()),
                         [](const auto& info) { return "kat7_" + info.param.name; });

TEST(ZeroLengthListOfPresets, HasTheFourOfTheThesis) {
  ASSERT_EQ(presets().size(), published_sets().size());
  for (std::size_t index = 0; index < presets().size(); ++index) {
    EXPECT_EQ(presets()[index].name, published_sets()[index].name);
  }
}

}  // namespace
}  // namespace gsst::data
