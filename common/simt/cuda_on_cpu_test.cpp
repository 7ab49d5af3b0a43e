#include "common/simt/cuda_on_cpu.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace gsst::simt {
namespace {

constexpr unsigned all_lanes = 0xffffffff;

// Two warps in an order that is not the lanes'.
constexpr Launch two_warps = {.block = {.x = 16, .y = 4}, .order_seed = 3};

unsigned thread_number() {
  return threadIdx.y * blockDim.x + threadIdx.x;
}

TEST(CudaOnCpu, LaneCountsAlongXFirst) {
  run_grid(two_warps, [] { EXPECT_EQ(current_lane(), thread_number() % 32); });
}

TEST(CudaOnCpu, ShuffleReadsTheNamedLaneOfTheGroup) {
  run_grid(two_warps, [] {
    const unsigned thread = thread_number();
    EXPECT_EQ(__shfl_sync(all_lanes, thread, 5), thread / 32 * 32 + 5);
    EXPECT_EQ(__shfl_sync(all_lanes, thread, 5, 4), thread / 4 * 4 + 1);
    EXPECT_EQ(__shfl_sync(all_lanes, thread, 34), thread / 32 * 32 + 2)
        << "counted from the group's first lane";
  });
}

TEST(CudaOnCpu, ShuffleUpAndDownStayInTheGroup) {
  run_grid(two_warps, [] {
    const unsigned thread = thread_number();
    EXPECT_EQ(__shfl_up_sync(all_lanes, thread, 3u), thread % 32 < 3 ? thread : thread - 3);
    EXPECT_EQ(__shfl_up_sync(all_lanes, thread, 3u, 8), thread % 8 < 3 ? thread : thread - 3);
    EXPECT_EQ(__shfl_down_sync(all_lanes, thread, 3u), thread % 32 >= 29 ? thread : thread + 3);
    EXPECT_EQ(__shfl_down_sync(all_lanes, thread, 3u, 8), thread % 8 >= 5 ? thread : thread + 3);
  });
}

TEST(CudaOnCpu, ShuffleXorReadsEarlierGroupsOnly) {
  run_grid(two_warps, [] {
    const unsigned thread = thread_number();
    EXPECT_EQ(__shfl_xor_sync(all_lanes, thread, 1), thread ^ 1);
    EXPECT_EQ(__shfl_xor_sync(all_lanes, thread, 4, 4), thread % 8 < 4 ? thread : thread - 4);
  });
}

TEST(CudaOnCpu, ShufflePassesNumbersOf32And64BitsUnchanged) {
  run_grid(two_warps, [] {
    const unsigned lane = current_lane();
    const std::uint64_t wide = 0x123456789abcdef0 + lane;
    EXPECT_EQ(__shfl_sync(all_lanes, wide, 7), 0x123456789abcdef7);
    EXPECT_EQ(__shfl_sync(all_lanes, -static_cast<int>(lane), 7), -7);
    EXPECT_EQ(__shfl_sync(all_lanes, lane + 0.5, 7), 7.5);
    EXPECT_EQ(__shfl_sync(all_lanes, static_cast<float>(lane) + 0.5f, 7), 7.5f);
  });
}

TEST(CudaOnCpu, ShuffleRefusesAWidthThatIsNoPowerOfTwo) {
  for (const int width : {0, 3, 64, -4}) {
    try {
      run_grid(two_warps, [&] { __shfl_sync(all_lanes, 1u, 0, width); });
      ADD_FAILURE() << "width " << width << " was accepted";
    } catch (const KernelError& error) {
      EXPECT_NE(std::string(error.what()).find("cuda_on_cpu_test.cpp"), std::string::npos) << error.what();
    }
  }
}

TEST(CudaOnCpu, VotesSeeAllLanesOfTheMask) {
  run_grid(two_warps, [] {
    const unsigned lane = current_lane();
    EXPECT_EQ(__ballot_sync(all_lanes, lane & 2), 0xccccccccu);
    EXPECT_EQ(__any_sync(all_lanes, lane == 9), 1);
    EXPECT_EQ(__any_sync(all_lanes, lane == 99), 0);
    EXPECT_EQ(__all_sync(all_lanes, lane < 32), 1);
    EXPECT_EQ(__all_sync(all_lanes, lane < 31), 0);
    EXPECT_EQ(__match_any_sync(all_lanes, lane % 16), 0x00010001u << lane % 16);
    EXPECT_EQ(__match_any_sync(all_lanes, std::uint64_t{lane / 16} << 40), lane < 16 ? 0xffffu : 0xffff0000u);
    if (lane < 4) {
      EXPECT_EQ(__ballot_sync(0xfu, 1), 0xfu);
      EXPECT_EQ(__all_sync(0xfu, lane < 4), 1);
    }
  });
}

TEST(CudaOnCpu, WarpBarrierTakesAMask) {
  std::vector<unsigned> values(32);
  run_grid({.block = {.x = 32}, .order_seed = 7}, [&] {
    const unsigned lane = threadIdx.x;
    if (lane < 8) {
      values[lane] = lane;
      __syncwarp(0xff);
      EXPECT_EQ(values[lane ^ 1], lane ^ 1);
    }
    __syncwarp();
  });
}

template <typename Word>
void expect_atomics_work() {
  Word sum = 0;
  Word largest = 3;
  Word bits = 0;
  std::vector<Word> sums_before(64);
  run_grid({.grid = {.x = 2}, .block = {.x = 32}, .order_seed = 2}, [&] {
    const Word thread = blockIdx.x * 32 + threadIdx.x;
    sums_before[thread] = atomicAdd(&sum, Word{2});
    const Word before = atomicMax(&largest, thread);
    EXPECT_GE(largest, before);
    atomicOr(&bits, Word{1} << threadIdx.x);
  });
  EXPECT_EQ(sum, Word{128});
  EXPECT_EQ(largest, Word{63});
  EXPECT_EQ(bits, Word{0xffffffff});
  EXPECT_EQ(std::accumulate(sums_before.begin(), sums_before.end(), Word{0}), Word{4032});
}

TEST(CudaOnCpu, AtomicsReturnWhatWasThereBefore) {
  expect_atomics_work<unsigned>();
  expect_atomics_work<unsigned long long>();
}

TEST(CudaOnCpu, PicksBytesAndBitsOfTwoWords) {
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7240), 0x77224400u);
  EXPECT_EQ(__funnelshift_r(0x33221100, 0x77665544, 8), 0x44332211u);
  // The lowest 5 bits of the shift count.
  EXPECT_EQ(__funnelshift_r(0x33221100, 0x77665544, 32), 0x33221100u);
}

TEST(CudaOnCpu, ComparesAndSwaps) {
  unsigned value = 3;
  EXPECT_EQ(atomicCAS(&value, 2u, 7u), 3u);
  EXPECT_EQ(value, 3u);
  EXPECT_EQ(atomicCAS(&value, 3u, 7u), 3u);
  EXPECT_EQ(value, 7u);
}

}  // namespace
}  // namespace gsst::simt
