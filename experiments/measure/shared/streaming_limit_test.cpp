#include "experiments/measure/shared/streaming_limit.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/cuda/device_buffer.hpp"

// What the variants read is not seen from outside; tile_ranges_test.cpp checks the ranges.
namespace gsst::experiments {
namespace {

class StreamingVariants : public testing::Test {
protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(StreamingVariants, WriteTheWholeOutputAndNothingBehindIt) {
  constexpr std::uint8_t poison = 0xe5;
  constexpr std::size_t guard_bytes = 4096;
  // More is read than written, and the reverse.
  for (const std::size_t read_bytes : {std::size_t{16}, std::size_t{1'000'016}, std::size_t{40'000'000}}) {
    constexpr std::size_t written_bytes = 9'000'048;
    cuda::DeviceBuffer input(read_bytes);
    input.fill(0);
    for (const StreamingVariant& variant : streaming_variants()) {
      cuda::DeviceBuffer output(written_bytes + guard_bytes);
      output.fill(poison);
      variant.enqueue({.input = input.data(),
                       .read_bytes = read_bytes,
                       .output = output.data(),
                       .written_bytes = written_bytes});
      const std::vector<std::uint8_t> bytes = output.to_host();
      const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(written_bytes);
      EXPECT_EQ(std::count(bytes.begin(), end, poison), 0)
          << variant.name << ", " << read_bytes << " bytes read";
      EXPECT_EQ(std::count(end, bytes.end(), poison), static_cast<std::ptrdiff_t>(guard_bytes))
          << variant.name;
    }
  }
}

}  // namespace
}  // namespace gsst::experiments
