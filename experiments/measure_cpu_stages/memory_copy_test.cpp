#include "experiments/measure_cpu_stages/memory_copy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "experiments/measure_cpu_stages/host_buffer.hpp"

namespace gsst::experiments {
namespace {

TEST(MeasureMemoryCopy, EveryByteIsCopiedAndNoneAfterTheLast) {
  for (const std::size_t size : {0u, 1u, 2u, 3u, 64u, 1000u, 65'537u}) {
    std::vector<std::uint8_t> from(size);
    std::iota(from.begin(), from.end(), std::uint8_t{1});
    for (const unsigned threads : {1u, 2u, 3u, 7u, 16u}) {
      HostBuffer to(size);
      copy_memory(from, to.bytes(), threads);
      EXPECT_TRUE(std::equal(from.begin(), from.end(), to.bytes().begin())) << size << " " << threads;
      EXPECT_TRUE(to.is_intact()) << size << " " << threads;
    }
  }
}

TEST(MeasureHostBuffer, AWriteAfterTheLastByteIsSeen) {
  HostBuffer buffer(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % (std::size_t{2} << 20), 0);
  EXPECT_TRUE(buffer.is_intact());
  buffer.bytes().data()[99] = 0;
  EXPECT_TRUE(buffer.is_intact());
  buffer.bytes().data()[100] = 0;
  EXPECT_FALSE(buffer.is_intact());
}

}  // namespace
}  // namespace gsst::experiments
