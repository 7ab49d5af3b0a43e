#include "common/simt/executor.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/simt/dimensions.hpp"
#include "common/simt/test_kernel_errors.hpp"

// block_executor.cpp has these for debuggers, under CUDA's names; other tests of the unit have macros of
// these names.
extern constinit thread_local gsst::simt::Dimensions shown_thread __asm__("threadIdx");
extern constinit thread_local gsst::simt::Dimensions shown_block __asm__("blockIdx");
extern constinit thread_local gsst::simt::Dimensions shown_block_size __asm__("blockDim");
extern constinit thread_local gsst::simt::Dimensions shown_grid_size __asm__("gridDim");

namespace gsst::simt {
namespace {

#define HERE (Place{__FILE__, __LINE__})

TEST(Executor, GivesEachThreadItsIndicesOnce) {
  std::vector<unsigned> seen(120);
  run_grid({.grid = {.x = 2, .y = 3}, .block = {.x = 4, .y = 5}}, [&] {
    const ThreadIndices& indices = current_thread();
    EXPECT_EQ(indices.grid_size.y, 3u);
    EXPECT_EQ(indices.block_size.x, 4u);
    const unsigned block = indices.block.y * 2 + indices.block.x;
    ++seen[block * 20 + indices.thread.y * 4 + indices.thread.x];
  });
  EXPECT_EQ(seen, std::vector<unsigned>(120, 1));
}

TEST(Executor, BarrierMakesEveryThreadsWritesVisible) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<unsigned> sums(64);
    run_grid({.block = {.x = 64}, .shared_bytes = 64 * sizeof(unsigned), .order_seed = seed}, [&] {
      auto* const shared = reinterpret_cast<unsigned*>(shared_memory());
      const unsigned thread = current_thread().thread.x;
      for (unsigned round = 1; round <= 3; ++round) {
        shared[thread] = thread * round;
        sync_threads(HERE);
        sums[thread] += std::accumulate(shared, shared + 64, 0u);
        sync_threads(HERE);
      }
    });
    EXPECT_EQ(sums, std::vector<unsigned>(64, 2016 * 6)) << "seed " << seed;
  }
}

// Without the barrier some order of threads gives another result: that is how a test sees that one is
// missing.
TEST(Executor, OrdersShowAMissingBarrier) {
  std::vector<unsigned> results;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    unsigned result = 0;
    run_grid({.block = {.x = 32}, .shared_bytes = 32, .order_seed = seed}, [&] {
      std::uint8_t* const shared = shared_memory();
      const unsigned thread = current_thread().thread.x;
      shared[thread] = static_cast<std::uint8_t>(thread);
      if (thread == 0) result = shared[31];
    });
    results.push_back(result);
  }
  EXPECT_EQ(results[0], 0xa5u) << "unwritten shared memory is poison";
  EXPECT_NE(results, std::vector<unsigned>(4, 0xa5));
}

TEST(Executor, SharedMemoryIsPoisonedForEachBlock) {
  unsigned poisoned = 0;
  run_grid({.grid = {.x = 3}, .block = {.x = 1}, .shared_bytes = 100}, [&] {
    std::uint8_t* const shared = shared_memory();
    poisoned += shared[0] == 0xa5 && shared[99] == 0xa5 ? 1 : 0;
    shared[0] = shared[99] = 1;
  });
  EXPECT_EQ(poisoned, 3u);
}

TEST(Executor, LaterThreadsMayReturnBeforeABarrier) {
  unsigned passed = 0;
  run_grid({.block = {.x = 64}}, [&] {
    if (current_thread().thread.x >= 40) return;
    sync_threads(HERE);
    ++passed;
  });
  EXPECT_EQ(passed, 40u);
}

TEST(Executor, ReportsABarrierInABranch) {
  const std::string error = error_of({.grid = {.x = 2}, .block = {.x = 32}}, [&] {
    if (current_thread().block.x == 1 && current_thread().thread.x == 3) {
      sync_threads(HERE);
    } else {
      sync_threads(HERE);
    }
  });
  EXPECT_NE(error.find("block (1, 0, 0) thread (0, 0, 0) at "), std::string::npos) << error;
  EXPECT_NE(error.find("thread (3, 0, 0) at " __FILE__ ":"), std::string::npos) << error;
}

TEST(Executor, WarpOperationsSeeAllLanes) {
  run_grid({.block = {.x = 64}, .order_seed = 5}, [&] {
    const unsigned thread = current_thread().thread.x;
    const unsigned lane = thread % 32;
    EXPECT_EQ(shuffle(0xffffffff, thread, lane ^ 1, HERE), thread ^ 1);
    EXPECT_EQ(ballot(0xffffffff, lane % 2 == 0, HERE), 0x55555555u);
    EXPECT_EQ(match_any(0xffffffff, lane / 8, HERE), 0xffu << (lane / 8 * 8));
    sync_warp(0xffffffff, HERE);
  });
}

TEST(Executor, WarpGroupsMayDiverge) {
  run_grid({.block = {.x = 32}}, [&] {
    const unsigned lane = current_thread().thread.x;
    if (lane < 8) {
      EXPECT_EQ(ballot(0x000000ff, true, HERE), 0x000000ffu);
    } else {
      EXPECT_EQ(ballot(0xffffff00, lane >= 16, HERE), 0xffff0000u);
    }
  });
}

TEST(Executor, ReportsAWarpThatNeverMeets) {
  const std::string error = error_of({.block = {.x = 32}}, [&] {
    if (current_thread().thread.x < 16) {
      sync_warp(0xffffffff, HERE);
    } else {
      sync_threads(HERE);
    }
  });
  EXPECT_NE(error.find("in a warp operation at "), std::string::npos) << error;
}

TEST(Executor, ReportsALaneOutsideItsMask) {
  const std::string error = error_of({.block = {.x = 32}}, [&] { sync_warp(0x1, HERE); });
  EXPECT_NE(error.find("its own lane is not in the mask"), std::string::npos) << error;
}

TEST(Executor, ShowsADebuggerTheIndicesOfTheThreadThatRuns) {
  run_grid({.grid = {.x = 3}, .block = {.x = 2, .y = 2}}, [] {
    for (int turn = 0; turn < 2; ++turn) {
      const ThreadIndices& now = current_thread();
      EXPECT_EQ(to_text(shown_thread), to_text(now.thread));
      EXPECT_EQ(to_text(shown_block), to_text(now.block));
      EXPECT_EQ(shown_block_size.y, 2U);
      EXPECT_EQ(shown_grid_size.x, 3U);
      sync_threads(HERE);
    }
  });
}

#if defined(__SANITIZE_ADDRESS__)
TEST(ExecutorDeathTest, AReportOfAddressSanitizerBeginsWithTheThreadAndTheDistance) {
  const auto access = [](std::ptrdiff_t byte) {
    run_grid({.grid = {.x = 2}, .block = {.x = 4}, .shared_bytes = 64}, [byte] {
      const ThreadIndices& indices = current_thread();
      volatile std::uint8_t* const shared = shared_memory();
      if (indices.block.x == 1 && indices.thread.x == 3) shared[byte] = 1;
    });
  };
  const std::string place = ", at .*executor_test.cpp:" + std::to_string(__LINE__ - 3);
  const std::string thread = R"(block \(1, 0, 0\) thread \(3, 0, 0\) writes 1 byte, )";
  EXPECT_DEATH(access(64), thread + "1 byte past the block's shared memory of 64 bytes" + place);
  EXPECT_DEATH(access(164), thread + "101 bytes past the block's shared memory of 64 bytes" + place);
}
#endif

TEST(Executor, PassesOnAnExceptionOfAThread) {
  EXPECT_THROW(run_grid({.block = {.x = 32}},
                        [] {
                          if (current_thread().thread.x == 9) throw std::out_of_range("thread 9");
                          sync_threads(HERE);
                        }),
               std::out_of_range);
}

// A launch goes on with fibers of the one before, but not with those of threads that had not returned.
TEST(Executor, RunsEveryThreadAfterALaunchThatFailed) {
  for (const unsigned thread_count : {64u, 32u, 96u}) {
    EXPECT_NE(error_of({.block = {.x = thread_count}},
                       [] {
                         if (current_thread().thread.x < 16) {
                           sync_threads(HERE);
                         } else {
                           sync_threads(HERE);
                         }
                       }),
              "");
    std::vector<unsigned> seen(thread_count);
    run_grid({.block = {.x = thread_count}}, [&] {
      sync_threads(HERE);
      ++seen[current_thread().thread.x];
    });
    EXPECT_EQ(seen, std::vector<unsigned>(thread_count, 1)) << thread_count << " threads";
  }
}

TEST(Executor, RefusesImpossibleLaunches) {
  EXPECT_THROW(run_grid({.block = {.x = 1025}}, [] {}), KernelError);
  EXPECT_THROW(run_grid({.grid = {.x = 0}}, [] {}), KernelError);
  EXPECT_THROW(run_grid({.shared_bytes = max_shared_bytes + 1}, [] {}), KernelError);
}

TEST(Executor, GivesNoMoreSharedMemoryThanALimitAllows) {
  const std::size_t usual = max_shared_bytes;
  {
    const SharedMemoryLimit limit(1000);
    EXPECT_THROW(run_grid({.shared_bytes = 1001}, [] {}), KernelError);
    run_grid({.shared_bytes = 1000}, [] { shared_memory()[999] = 1; });
  }
  EXPECT_EQ(max_shared_bytes, usual);
  run_grid({.shared_bytes = usual}, [] {});
}

}  // namespace
}  // namespace gsst::simt
