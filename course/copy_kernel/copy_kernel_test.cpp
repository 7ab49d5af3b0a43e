#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/simt/cuda_on_cpu.hpp"
#include "common/simt/test_kernel_errors.hpp"
// After cuda_on_cpu.hpp, which gives the kernels CUDA's words.
#include "course/copy_kernel/kernel.cuh"
#include "course/copy_kernel/planted.cuh"

// The kernel of the course's second lesson on the CPU, and what finds the mistakes that were planted in it.
namespace {

using gsst::simt::error_of;
using gsst::simt::expect_part;

constexpr std::uint32_t threads = 64;
// Whole thread blocks, and a last one that is not full.
constexpr std::uint32_t whole = 2 * threads;
constexpr std::uint32_t with_rest = 2 * threads + 10;

struct Copied {
  std::string error;
  std::vector<std::uint32_t> output;
};

template <typename Kernel>
Copied run(Kernel kernel, std::uint32_t count, std::uint64_t order_seed = 0) {
  std::vector<std::uint32_t> input(count);
  std::iota(input.begin(), input.end(), 1u);
  std::vector<std::uint32_t> output(count);
  std::string error = error_of({.grid = {.x = (count + threads - 1) / threads},
                                .block = {.x = threads},
                                .shared_bytes = threads * sizeof(std::uint32_t),
                                .order_seed = order_seed},
                               [&] { kernel(input.data(), output.data(), count); });
  return {std::move(error), std::move(output)};
}

std::vector<std::uint32_t> expected(std::uint32_t count) {
  std::vector<std::uint32_t> words(count);
  std::iota(words.begin(), words.end(), 1u);
  for (std::uint32_t first = 0; first < count; first += threads)
    std::reverse(words.begin() + first, words.begin() + std::min(first + threads, count));
  return words;
}

TEST(CopyKernel, CopiesInEveryOrderOfThreads) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Copied right = run(copy_reversed, with_rest, seed);
    EXPECT_EQ(right.error, "");
    EXPECT_EQ(right.output, expected(with_rest)) << "seed " << seed;
  }
}

#if defined(__SANITIZE_THREAD__)
// The lesson shows these words.
TEST(CopyKernel, ARaceNamesTheReadThatTheMissingBarrierIsFor) {
  const Copied missing_barrier = run(planted_1::copy_reversed, whole);
  expect_part(missing_barrier.error, "block (0, 0, 0) thread (0, 0, 0) reads byte 252 of shared memory");
  expect_part(missing_barrier.error, "planted.cuh:");
  expect_part(missing_barrier.error, "which no thread of the block has written");
}
#else
TEST(CopyKernel, WithoutTheBarrierBytesAreWrong) {
  EXPECT_NE(run(planted_1::copy_reversed, whole).output, expected(whole));
}
#endif

// In a block that is not full the word is in the block's memory, and was never written.
TEST(CopyKernel, AnIndexThatIsOneTooLargeGivesWrongBytes) {
  const Copied one_too_many = run(planted_2::copy_reversed, 10);
  EXPECT_TRUE(!one_too_many.error.empty() || one_too_many.output != expected(10));
}

TEST(CopyKernel, TwoBarriersForTwoWaysAreAnErrorOnceABlockIsNotFull) {
  EXPECT_EQ(run(planted_3::copy_reversed, whole).error, "");
  expect_part(run(planted_3::copy_reversed, with_rest).error,
              "threads wait for each other at different places");
}

}  // namespace
