#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/simt/cuda_on_cpu.hpp"
#include "common/simt/test_kernel_errors.hpp"

// Kernels that race, and right ones beside them. Their lines are named in the reports: LINE_OF(x) is where x
// stands.
namespace gsst::simt {
namespace {

constexpr unsigned thread_count = 64;
constexpr Launch one_block = {.block = {.x = thread_count}, .shared_bytes = 256};

std::string place(int line) {
  return std::string("race_test.cpp:") + std::to_string(line);
}

// One thread writes a value for each round, all read it.
template <bool FirstBarrier, bool SecondBarrier>
__global__ void broadcast(unsigned* output) {
  auto* const value = reinterpret_cast<unsigned*>(shared_memory());
  for (unsigned round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) *value = round;
    if (FirstBarrier) __syncthreads();
    output[blockIdx.x * blockDim.x + threadIdx.x] += *value;
    if (SecondBarrier) __syncthreads();
  }
}
constexpr int broadcast_write = __LINE__ - 6;
constexpr int broadcast_read = __LINE__ - 5;

TEST(Race, BarriersOrderTheThreadsOfABlock) {
  std::vector<unsigned> output(thread_count);
  EXPECT_EQ(error_of(one_block, [&] { broadcast<true, true>(output.data()); }), "");
  EXPECT_EQ(output, std::vector<unsigned>(thread_count, 1));
}

TEST(Race, EachBlockHasSharedMemoryOfItsOwn) {
  std::vector<unsigned> output(std::size_t{2} * thread_count);
  Launch launch = one_block;
  launch.grid = {.x = 2};
  EXPECT_EQ(error_of(launch, [&] { broadcast<true, true>(output.data()); }), "");
}

TEST(Race, AMissingBarrierIsReportedWithThreadsAndLines) {
  std::vector<unsigned> output(thread_count);
  const std::string error = error_of(one_block, [&] { broadcast<false, true>(output.data()); });
  expect_part(error, "block (0, 0, 0) thread (1, 0, 0) reads byte 0 of shared memory at ");
  expect_part(error, place(broadcast_read));
  expect_part(error, "block (0, 0, 0) thread (0, 0, 0) writes the same byte at ");
  expect_part(error, place(broadcast_write));
  expect_part(error, "no barrier is between them");
  expect_part(error, "a __syncthreads() between ");
  expect_part(error, place(broadcast_write) + " and ");
  expect_part(error, place(broadcast_read) + " would order them");
}

TEST(Race, AMissingSecondBarrierIsReported) {
  std::vector<unsigned> output(thread_count);
  const std::string error = error_of(one_block, [&] { broadcast<true, false>(output.data()); });
  expect_part(error, "thread (1, 0, 0) reads byte 0 of shared memory at ");
  expect_part(error, "thread (0, 0, 0) writes the same byte at ");
  expect_part(error, place(broadcast_write));
  expect_part(error, place(broadcast_read));
  // The other one is there: the first thread is a turn ahead.
  expect_part(error, place(broadcast_read) + " and ");
  expect_part(error, place(broadcast_write) + " of the loop's next turn would order them");
}

// The kernel's lines are what a barrier belongs between, not those of the functions that it calls.
__device__ void put(unsigned* values, unsigned index) {
  values[index] = index;
}

__device__ unsigned get(const unsigned* values, unsigned index) {
  return values[index];
}

__global__ void exchange_by_functions(unsigned* output) {
  auto* const values = reinterpret_cast<unsigned*>(shared_memory());
  put(values, threadIdx.x);
  output[threadIdx.x] = get(values, threadIdx.x & ~1u);
}
constexpr int call_of_put = __LINE__ - 3;
constexpr int call_of_get = __LINE__ - 3;

TEST(Race, ABarrierBelongsBetweenLinesOfTheKernel) {
  std::vector<unsigned> output(thread_count);
  const std::string error = error_of(one_block, [&] { exchange_by_functions(output.data()); });
  expect_part(error, place(call_of_put) + " and ");
  expect_part(error, place(call_of_get) + " would order them");
}

__global__ void add_to_one(unsigned* output) {
  for (unsigned turn = 0; turn < 2; ++turn) *output += threadIdx.x;
}

TEST(Race, AccessesOfOneLineRaceBetweenTurnsOfALoop) {
  unsigned output = 0;
  const std::string error = error_of({.block = {.x = 2}}, [&] { add_to_one(&output); });
  expect_part(error, "both are at one line: a barrier would belong between two turns of its loop");
}

TEST(Race, EveryOrderOfThreadsShowsAMissingBarrier) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<unsigned> output(thread_count);
    Launch launch = one_block;
    launch.order_seed = seed;
    EXPECT_NE(error_of(launch, [&] { broadcast<false, true>(output.data()); }), "") << "seed " << seed;
    EXPECT_NE(error_of(launch, [&] { broadcast<true, false>(output.data()); }), "") << "seed " << seed;
    EXPECT_EQ(error_of(launch, [&] { broadcast<true, true>(output.data()); }), "") << "seed " << seed;
  }
}

__global__ void write_bytes(std::uint8_t* output, unsigned distance, unsigned bytes_each) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned byte = 0; byte < bytes_each; ++byte) output[thread * distance + byte] = 1;
}

TEST(Race, NeighbouringBytesAreNoConflict) {
  std::vector<std::uint8_t> output(256);
  EXPECT_EQ(error_of({.grid = {.x = 2}, .block = {.x = 32}}, [&] { write_bytes(output.data(), 3, 3); }), "");
}

TEST(Race, ThreadsThatWriteTheSameByteAreReported) {
  std::vector<std::uint8_t> output(256);
  const std::string error = error_of({.block = {.x = 32}}, [&] { write_bytes(output.data(), 2, 3); });
  expect_part(error, "thread (1, 0, 0) writes global memory");
  expect_part(error, "no barrier is between them");
}

TEST(Race, BlocksThatWriteTheSameByteAreReported) {
  std::vector<std::uint8_t> output(256);
  const std::string error =
      error_of({.grid = {.x = 2}, .block = {.x = 1}}, [&] { write_bytes(output.data(), 2, 3); });
  expect_part(error, "block (1, 0, 0) thread (0, 0, 0) writes global memory");
  expect_part(error, "block (0, 0, 0) thread (0, 0, 0) writes the same byte");
  expect_part(error, "nothing orders the blocks of a grid");
}

__global__ void read_what_block_0_wrote(std::uint8_t* output) {
  if (blockIdx.x == 0) output[0] = 1;
  __syncthreads();
  if (blockIdx.x == 1) output[1] = output[0];
}

TEST(Race, ABlockThatReadsWhatAnotherWroteIsReportedInSpiteOfBarriers) {
  std::vector<std::uint8_t> output(2);
  const std::string error =
      error_of({.grid = {.x = 2}, .block = {.x = 1}}, [&] { read_what_block_0_wrote(output.data()); });
  expect_part(error, "block (1, 0, 0) thread (0, 0, 0) reads global memory");
}

__global__ void write_what_block_0_read(std::uint8_t* output) {
  const std::uint8_t value = output[0];
  output[1 + blockIdx.x] = value;
  if (blockIdx.x == 2) output[0] = 7;
}

TEST(Race, ABlockThatWritesWhatAnotherReadIsReported) {
  std::vector<std::uint8_t> output(4);
  const std::string error =
      error_of({.grid = {.x = 3}, .block = {.x = 1}}, [&] { write_what_block_0_read(output.data()); });
  expect_part(error, "block (2, 0, 0) thread (0, 0, 0) writes global memory");
  expect_part(error, "block (0, 0, 0) thread (0, 0, 0) reads the same byte");
}

TEST(Race, AGridSeesWhatTheGridBeforeWrote) {
  std::vector<std::uint8_t> output(2);
  EXPECT_EQ(error_of({}, [&] { write_bytes(output.data(), 1, 2); }), "");
  EXPECT_EQ(error_of({}, [&] { write_bytes(output.data(), 1, 2); }), "");
}

__global__ void read_shared(unsigned byte, std::uint8_t* output) {
  std::uint8_t* const shared = shared_memory();
  if (blockIdx.x == 0) shared[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) output[blockIdx.x] = shared[byte];
}
constexpr int shared_read = __LINE__ - 2;

TEST(Race, SharedMemoryThatNobodyWroteIsReportedWhenRead) {
  std::vector<std::uint8_t> output(2);
  const std::string error = error_of(one_block, [&] { read_shared(thread_count, output.data()); });
  expect_part(error, "block (0, 0, 0) thread (0, 0, 0) reads byte 64 of shared memory at ");
  expect_part(error, place(shared_read));
  expect_part(error, "which no thread of the block has written");
  EXPECT_EQ(error_of(one_block, [&] { read_shared(thread_count - 1, output.data()); }), "");
}

TEST(Race, WhatAnotherBlockWroteIntoSharedMemoryIsGone) {
  std::vector<std::uint8_t> output(2);
  Launch launch = one_block;
  launch.grid = {.x = 2};
  const std::string error = error_of(launch, [&] { read_shared(5, output.data()); });
  expect_part(error, "block (1, 0, 0) thread (0, 0, 0) reads byte 5 of shared memory");
}

// Each lane reads what its neighbour wrote.
template <bool Barrier>
__global__ void exchange_in_warp(unsigned distance, unsigned* output) {
  auto* const values = reinterpret_cast<unsigned*>(shared_memory());
  values[threadIdx.x] = threadIdx.x;
  if (Barrier) {
    __syncwarp();
  } else {
    __shfl_sync(0xffffffff, 1u, 0);
  }
  output[threadIdx.x] = values[threadIdx.x ^ distance];
}

TEST(Race, AWarpBarrierOrdersTheLanesOfAWarpOnly) {
  std::vector<unsigned> output(thread_count);
  EXPECT_EQ(error_of(one_block, [&] { exchange_in_warp<true>(31, output.data()); }), "");
  Launch launch = one_block;
  for (launch.order_seed = 0; launch.order_seed < 4; ++launch.order_seed) {
    EXPECT_NE(error_of(launch, [&] { exchange_in_warp<true>(32, output.data()); }), "")
        << "between warps, seed " << launch.order_seed;
  }
}

__global__ void exchange_after_barrier(unsigned* output) {
  auto* const value = reinterpret_cast<unsigned*>(shared_memory());
  __syncwarp();
  if (threadIdx.x == 0) *value = 1;
  if (threadIdx.x == 1) *output = *value;
}

TEST(Race, AWarpBarrierDoesNotOrderWhatComesAfterIt) {
  unsigned output = 0;
  expect_part(error_of(one_block, [&] { exchange_after_barrier(&output); }), "no barrier is between them");
}

TEST(Race, AShuffleOrdersNothing) {
  std::vector<unsigned> output(thread_count);
  expect_part(error_of(one_block, [&] { exchange_in_warp<false>(1, output.data()); }), "no barrier");
}

// Half a warp synchronises itself, then one lane reads what another one of `writer`'s half wrote.
__global__ void exchange_in_halves(unsigned reader, unsigned writer, unsigned* output) {
  auto* const values = reinterpret_cast<unsigned*>(shared_memory());
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) {
    __syncwarp(0x0000ffff);
  } else {
    __syncwarp(0xffff0000);
  }
  if (threadIdx.x == reader) *output = values[writer];
}

TEST(Race, AWarpBarrierOrdersTheLanesOfItsMaskOnly) {
  unsigned output = 0;
  const Launch launch = {.block = {.x = 32}, .shared_bytes = 128};
  EXPECT_EQ(error_of(launch, [&] { exchange_in_halves(3, 15, &output); }), "");
  EXPECT_EQ(error_of(launch, [&] { exchange_in_halves(30, 16, &output); }), "");
  EXPECT_NE(error_of(launch, [&] { exchange_in_halves(30, 15, &output); }), "");
}

template <bool Atomic>
__global__ void count(unsigned* counter) {
  if (Atomic || threadIdx.x != 7) {
    atomicAdd(counter, 1);
  } else {
    ++*counter;
  }
}

TEST(Race, AtomicsDoNotRaceWithAtomics) {
  unsigned counter = 0;
  EXPECT_EQ(error_of({.grid = {.x = 3}, .block = {.x = 32}}, [&] { count<true>(&counter); }), "");
  EXPECT_EQ(counter, 96u);
}

TEST(Race, AtomicsRaceWithPlainAccesses) {
  unsigned counter = 0;
  expect_part(error_of({.block = {.x = 32}}, [&] { count<false>(&counter); }),
              "atomically changes the same byte");
}

enum class Call { memcpy, memmove, memset };

template <Call Function>
__global__ void fill_shared(const std::uint8_t* input, std::size_t bytes, std::uint8_t* output) {
  std::uint8_t* const shared = shared_memory();
  if (threadIdx.x == 0) {
    if (Function == Call::memcpy) std::memcpy(shared, input, bytes);
    if (Function == Call::memmove) std::memmove(shared, input, bytes);
    if (Function == Call::memset) std::memset(shared, 1, bytes);
  }
  if (threadIdx.x == 1) output[0] = shared[bytes - 1];
}

template <Call Function>
void expect_call_is_seen() {
  const std::vector<std::uint8_t> input(100);
  std::vector<std::uint8_t> output(1);
  const std::string error =
      error_of(one_block, [&] { fill_shared<Function>(input.data(), input.size(), output.data()); });
  expect_part(error, "thread (1, 0, 0) reads byte 99 of shared memory");
  expect_part(error, "thread (0, 0, 0) writes the same byte");
}

TEST(Race, CallsOfTheCLibraryAreSeen) {
  expect_call_is_seen<Call::memcpy>();
  expect_call_is_seen<Call::memmove>();
  expect_call_is_seen<Call::memset>();
}

template <Call Function>
__global__ void copy_from_shared(std::uint8_t* output, std::size_t bytes) {
  if (threadIdx.x != 0) return;
  if (Function == Call::memcpy) std::memcpy(output, shared_memory(), bytes);
  if (Function == Call::memmove) std::memmove(output, shared_memory(), bytes);
}

TEST(Race, CallsOfTheCLibraryThatReadUnwrittenSharedMemoryAreReported) {
  std::vector<std::uint8_t> output(100);
  const std::string expected = "reads byte 0 of shared memory";
  expect_part(error_of(one_block, [&] { copy_from_shared<Call::memcpy>(output.data(), output.size()); }),
              expected);
  expect_part(error_of(one_block, [&] { copy_from_shared<Call::memmove>(output.data(), output.size()); }),
              expected);
}

// Each thread has arrays of its own, on its stack and allocated.
__global__ void use_own_memory(unsigned* output) {
  unsigned values[64];
  // The compiler instruments no access to a local array that it can follow.
  unsigned* volatile pointer = values;
  for (unsigned i = 0; i < 64; ++i) pointer[i] = threadIdx.x + i;
  std::vector<unsigned> allocated;
  for (unsigned i = 0; i < 64; ++i) allocated.push_back(pointer[63 - i]);
  output[blockIdx.x * blockDim.x + threadIdx.x] = allocated[pointer[5] % 64];
}

TEST(Race, AThreadsOwnMemoryIsNotCompared) {
  // Threads of the second block get the stacks of the first one's.
  std::vector<unsigned> output(std::size_t{2} * thread_count);
  const Launch launch = {.grid = {.x = 2}, .block = {.x = thread_count}};
  EXPECT_EQ(error_of(launch, [&] { use_own_memory(output.data()); }), "");
}

}  // namespace
}  // namespace gsst::simt
