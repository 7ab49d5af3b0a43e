#include "reference_cpu/codag/deflate_encoder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

// Measuring programs link the library, whose installed archive refuses to encode Deflate.
namespace gsst::measure {
namespace {

TEST(MeasuringPrograms, EncodeDeflateThoughTheInstalledLibraryRefusesIt) {
  const std::vector<std::uint8_t> input(1000, 'a');
  EXPECT_LT(reference::codag::encode_deflate(input, {}, input.size()).size(), input.size());
}

}  // namespace
}  // namespace gsst::measure
