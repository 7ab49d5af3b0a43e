#include "data/zero_length/correlator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace gsst::data {
namespace {

constexpr std::size_t floats = Correlator::floats_per_channel;

Correlator small_correlator() {
  return {.seed = 3, .dumps = 2, .gain = 2100, .source = 32, .scale = 1.0f / 1000};
}

// The bits of the floats of a dump.
std::vector<std::uint32_t> dump_of(const Correlator& correlator, std::uint64_t dump = 0) {
  const Parts parts = correlator_parts(correlator);
  std::vector<std::uint8_t> bytes(parts.part_bytes, 0x5A);
  parts.fill(dump, bytes);
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

// How many channels have +0.0 at each place.
std::array<std::size_t, floats> zeros_by_place(const std::vector<std::uint32_t>& words) {
  std::array<std::size_t, floats> zeros{};
  for (std::size_t index = 0; index < words.size(); ++index) zeros[index % floats] += words[index] == 0;
  return zeros;
}

// Places of the imaginary parts of XX and YY of the baselines of an antenna with itself.
std::set<std::size_t> places_that_are_zero() {
  std::set<std::size_t> places;
  std::size_t baseline = 0;
  for (std::size_t antenna = 0; antenna < 7; baseline += 7 - antenna++) {
    places.insert({8 * baseline + 1, 8 * baseline + 3});
  }
  return places;
}

TEST(ZeroLengthCorrelator, ImaginaryPartsOfAnInputWithItselfAreZeroAlways) {
  const std::array<std::size_t, floats> zeros = zeros_by_place(dump_of(small_correlator()));
  const std::set<std::size_t> places = places_that_are_zero();
  ASSERT_EQ(places.size(), 14U);
  for (std::size_t place = 0; place < floats; ++place) {
    if (places.contains(place)) {
      EXPECT_EQ(zeros[place], Correlator::channels) << "place " << place;
    } else {
      // Sums that happen to be 0: one in a thousand.
      EXPECT_LT(zeros[place], 20U) << "place " << place;
    }
  }
}

TEST(ZeroLengthCorrelator, ShuffledZerosAreAsFrequentAndHaveNoPlace) {
  Correlator correlator = small_correlator();
  std::size_t total = 0;
  for (const std::size_t zeros : zeros_by_place(dump_of(correlator))) total += zeros;
  correlator.shuffled = true;
  std::size_t total_shuffled = 0;
  for (const std::size_t zeros : zeros_by_place(dump_of(correlator))) {
    total_shuffled += zeros;
    // 64 and five standard deviations of 8.
    EXPECT_NEAR(static_cast<double>(zeros), 64, 40);
  }
  EXPECT_EQ(total_shuffled, total);
}

TEST(ZeroLengthCorrelator, ProductsAreHermitian) {
  // XY and YX of an antenna with itself are complex conjugates, and autocorrelations are positive.
  const std::vector<std::uint32_t> words = dump_of(small_correlator());
  for (std::size_t channel = 0; channel < Correlator::channels; ++channel) {
    std::array<float, 8> products;
    std::memcpy(products.data(), words.data() + channel * floats, sizeof(products));
    ASSERT_GT(products[0], 0);
    ASSERT_GT(products[2], 0);
    ASSERT_EQ(products[4], products[6]);
    ASSERT_EQ(products[5], -products[7]);
  }
}

TEST(ZeroLengthCorrelator, TheSourceIsSeenByAllAntennas) {
  const auto mean_of_first_product = [](std::uint32_t source) {
    Correlator correlator = small_correlator();
    correlator.source = source;
    const std::vector<std::uint32_t> words = dump_of(correlator);
    double sum = 0;
    // XX of the first two antennas in the channels before the source's phase at the second changes.
    for (std::size_t channel = 0; channel < 64; ++channel) {
      float product = 0;
      std::memcpy(&product, words.data() + channel * floats + 8, sizeof(product));
      sum += product;
    }
    return sum / 64;
  };
  // A source of a quarter of the noise's voltages is a sixteenth of its power.
  EXPECT_NEAR(mean_of_first_product(0), 0, 0.2);
  EXPECT_GT(mean_of_first_product(64), 0.2);
}

TEST(ZeroLengthCorrelator, FlaggedStretchesAreLongRunsOfZeros) {
  Correlator correlator = small_correlator();
  correlator.flagged_per_million = 500'000;
  const std::vector<std::uint32_t> words = dump_of(correlator);
  std::size_t stretches = 0;
  std::size_t run = 0;
  for (std::size_t index = 0; index < words.size(); ++index) {
    run = words[index] == 0 ? run + 1 : 0;
    EXPECT_LE(run, 160U);
    stretches += run == 16;
  }
  // Of 512, those that end with their channel after fewer than 16 floats are not counted.
  EXPECT_GT(stretches, 400U);
  EXPECT_LT(stretches, 550U);
}

TEST(ZeroLengthCorrelator, DumpsAndSeedsDiffer) {
  Correlator correlator = small_correlator();
  const std::vector<std::uint32_t> words = dump_of(correlator);
  EXPECT_EQ(words, dump_of(correlator));
  EXPECT_NE(words, dump_of(correlator, 1)) << "dumps 0 and 1";
  correlator.seed = 4;
  EXPECT_NE(words, dump_of(correlator)) << "seeds 3 and 4";
}

}  // namespace
}  // namespace gsst::data
