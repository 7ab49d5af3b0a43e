#include "common/simt/access_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/simt/asynchronous_copy.hpp"
#include "common/simt/cuda_on_cpu.hpp"
#include "common/simt/executor.hpp"

// Kernels of whose accesses the costs are known. Their lines are named in the trace.
namespace gsst::simt {
namespace {

constexpr Launch one_warp = {.block = {.x = 32}, .shared_bytes = 8192};

// Memory that starts at a multiple of 4 KiB.
class TracedMemory {
public:
  std::uint8_t* bytes() {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    return storage_.data() + (4096 - address % 4096);
  }
  std::uint32_t* words() { return reinterpret_cast<std::uint32_t*>(bytes()); }

private:
  std::vector<std::uint8_t> storage_ = std::vector<std::uint8_t>(std::size_t{1} << 16);
};

std::vector<LineCounts> trace(const Launch& launch, const std::function<void()>& thread_body) {
  const AccessTrace trace;
  run_grid(launch, thread_body);
  return trace.lines();
}

AccessCounts counts_of(const std::vector<LineCounts>& lines, AccessClass access_class) {
  AccessCounts counts;
  for (const LineCounts& line : lines) {
    if (line.access_class == access_class) counts += line.counts;
  }
  return counts;
}

// What the lines do besides the classes that are looked at.
std::uint64_t requests_of_others(const std::vector<LineCounts>& lines, std::vector<AccessClass> classes) {
  std::uint64_t requests = 0;
  for (const LineCounts& line : lines) {
    if (std::ranges::find(classes, line.access_class) == classes.end()) requests += line.counts.requests;
  }
  return requests;
}

TEST(AccessTrace, ThisProgramTraces) {
  EXPECT_TRUE(can_trace());
}

TEST(AccessTrace, NewMemoryIsAlignedAsOnAGpu) {
  for (const std::size_t bytes : {256u, 257u, 1000u, 70001u}) {
    const std::vector<std::uint8_t> memory(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 256, 0u) << bytes;
  }
}

__global__ void store_words(std::uint32_t* output, unsigned stride, unsigned first) {
  output[first + threadIdx.x * stride] = threadIdx.x;
}
constexpr int store_line = __LINE__ - 2;

TEST(AccessTrace, AStoreHasTheSectorsOfItsStride) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  struct Case {
    unsigned stride;
    unsigned first;
    std::uint64_t sectors;
  };
  for (const Case& known : {Case{1, 0, 4}, Case{2, 0, 8}, Case{4, 0, 16}, Case{32, 0, 32}, Case{1, 1, 5}}) {
    const auto lines = trace(one_warp, [&] { store_words(words, known.stride, known.first); });
    const AccessCounts counts = counts_of(lines, AccessClass::global_store);
    EXPECT_EQ(counts.requests, 1u) << "stride " << known.stride;
    EXPECT_EQ(counts.sectors, known.sectors) << "stride " << known.stride << " from " << known.first;
    EXPECT_EQ(counts.lanes, 32u);
    EXPECT_EQ(requests_of_others(lines, {AccessClass::global_store}), 0u);
  }
}

TEST(AccessTrace, EachWarpAndBlockCounts) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  const auto lines =
      trace({.grid = {.x = 3}, .block = {.x = 80}}, [&] { store_words(words, 1, blockIdx.x * 80); });
  const AccessCounts counts = counts_of(lines, AccessClass::global_store);
  EXPECT_EQ(counts.requests, 9u);
  EXPECT_EQ(counts.lanes, 240u);
  EXPECT_EQ(counts.sectors, 30u);
}

TEST(AccessTrace, ALineIsNamed) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  const auto lines = trace(one_warp, [&] { store_words(words, 1, 0); });
  ASSERT_EQ(lines.size(), 1u);
  const std::string expected = "access_trace_test.cpp:" + std::to_string(store_line);
  EXPECT_NE(lines[0].place.find(expected), std::string::npos) << lines[0].place;
}

TEST(AccessTrace, WithoutATraceNothingIsCounted) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  run_grid(one_warp, [&] { store_words(words, 1, 0); });
  const AccessTrace trace;
  EXPECT_TRUE(trace.lines().empty());
  EXPECT_EQ(trace.launches(), 0u);
}

struct alignas(16) Vector {
  std::uint32_t values[4];
};

__global__ void copy_vectors(Vector* output, const Vector* input) {
  output[threadIdx.x] = input[threadIdx.x];
}

TEST(AccessTrace, AVectorOfSixteenBytesIsOneAccess) {
  TracedMemory memory;
  TracedMemory input;
  auto* const to = reinterpret_cast<Vector*>(memory.bytes());
  const auto* const from = reinterpret_cast<const Vector*>(input.bytes());
  const auto lines = trace(one_warp, [&] { copy_vectors(to, from); });
  for (const AccessClass access_class : {AccessClass::global_load, AccessClass::global_store}) {
    const AccessCounts counts = counts_of(lines, access_class);
    EXPECT_EQ(counts.requests, 1u);
    EXPECT_EQ(counts.sectors, 16u);
    EXPECT_EQ(counts.bytes, 512u);
  }
}

__global__ void read_shared(std::uint32_t* output, unsigned stride) {
  auto* const words = reinterpret_cast<std::uint32_t*>(shared_memory());
  words[threadIdx.x] = 1;
  __syncthreads();
  output[threadIdx.x] = words[threadIdx.x * stride];
}

TEST(AccessTrace, ALoadHasThePassesOfItsBanks) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  for (const unsigned stride : {0u, 1u, 2u, 4u, 32u, 33u}) {
    const auto lines = trace(one_warp, [&] { read_shared(words, stride); });
    const AccessCounts counts = counts_of(lines, AccessClass::shared_load);
    const std::uint64_t ways = stride == 0 || stride == 33 ? 1 : stride;
    EXPECT_EQ(counts.requests, 1u);
    EXPECT_EQ(counts.passes, ways) << "stride " << stride;
    EXPECT_EQ(counts.passes_without_conflicts, 1u);
    EXPECT_EQ(counts_of(lines, AccessClass::shared_store).passes, 1u);
  }
}

TEST(AccessTrace, LoggedRequestsHaveAddressesInTheirMemory) {
  const AccessTrace trace(100);
  std::vector<std::uint32_t> unused(1000);
  std::vector<std::uint32_t> words(1000);
  run_grid(one_warp, [&] { read_shared(words.data() + 8, 2); });
  const std::vector<LineCounts> lines = trace.lines();
  const std::vector<LineRequest> requests = trace.requests(lines);
  ASSERT_EQ(requests.size(), 3u);
  ASSERT_EQ(trace.memory().size(), 1u);
  EXPECT_EQ(trace.memory()[0].first, 0u);
  EXPECT_EQ(trace.memory()[0].bytes, 4000u);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    EXPECT_EQ(requests[0].request.addresses[lane], 4 * lane);
    EXPECT_EQ(requests[1].request.addresses[lane], 8 * lane);
    EXPECT_EQ(requests[2].request.addresses[lane], 32 + 4 * lane);
  }
  for (const LineRequest& one : requests) {
    EXPECT_EQ(lines[one.line].access_class, one.request.access_class);
    EXPECT_EQ(count_request(one.request), lines[one.line].counts);
  }
}

TEST(AccessTrace, LoggedRequestsAreThoseOfTheFirstWarpOfTheFirstLaunch) {
  const AccessTrace trace(2);
  std::vector<std::uint32_t> words(1000);
  const auto launch = [&](unsigned first) {
    run_grid({.grid = {.x = 2}, .block = {.x = 64}},
             [&, first] { store_words(words.data(), 1, first + blockIdx.x * 64); });
  };
  launch(32);
  launch(0);
  const std::vector<LineRequest> requests = trace.requests(trace.lines());
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].request.addresses[0], 128u);
  EXPECT_EQ(counts_of(trace.lines(), AccessClass::global_store).requests, 8u);
}

TEST(AccessTrace, NothingIsLoggedWithoutBeingAskedFor) {
  const AccessTrace trace;
  std::vector<std::uint32_t> words(1000);
  run_grid(one_warp, [&] { store_words(words.data(), 1, 0); });
  EXPECT_TRUE(trace.requests(trace.lines()).empty());
  EXPECT_TRUE(trace.memory().empty());
}

__global__ void store_odd_lanes(std::uint32_t* output) {
  if (threadIdx.x % 2 == 1) output[threadIdx.x] = 1;
  output[64 + threadIdx.x] = 2;
}

TEST(AccessTrace, LanesThatDoNotTakePartDoNotCount) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  const auto lines = trace(one_warp, [&] { store_odd_lanes(words); });
  const AccessCounts counts = counts_of(lines, AccessClass::global_store);
  EXPECT_EQ(counts.requests, 2u);
  EXPECT_EQ(counts.lanes, 48u);
  EXPECT_EQ(counts.sectors, 8u);
}

__global__ void store_as_often_as_the_lane(std::uint32_t* output) {
  for (unsigned turn = 0; turn <= threadIdx.x; ++turn) output[turn * 32 + threadIdx.x] = turn;
  output[threadIdx.x] = 7;
}

TEST(AccessTrace, ALoopHasTheTurnsOfItsLongestLane) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  const auto lines = trace(one_warp, [&] { store_as_often_as_the_lane(words); });
  const AccessCounts counts = counts_of(lines, AccessClass::global_store);
  EXPECT_EQ(counts.requests, 33u);
  EXPECT_EQ(counts.lanes, 32u * 33 / 2 + 32);
}

__global__ void add_to(unsigned* counter, unsigned* of_lanes) {
  atomicAdd(counter, 1u);
  atomicAdd(&of_lanes[threadIdx.x], 1u);
  auto* const shared = reinterpret_cast<unsigned*>(shared_memory());
  shared[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&shared[0], 1u);
}

TEST(AccessTrace, AtomicFunctionsAreOneAccessEach) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  const auto lines = trace(one_warp, [&] { add_to(words, words + 32); });
  const AccessCounts global = counts_of(lines, AccessClass::global_atomic);
  EXPECT_EQ(global.requests, 2u);
  EXPECT_EQ(global.sectors, 1u + 4u);
  const AccessCounts shared = counts_of(lines, AccessClass::shared_atomic);
  EXPECT_EQ(shared.requests, 1u);
  EXPECT_EQ(shared.passes, 32u);
  EXPECT_EQ(requests_of_others(
                lines, {AccessClass::global_atomic, AccessClass::shared_atomic, AccessClass::shared_store}),
            0u);
}

__global__ void copy_asynchronously(std::uint8_t* output, const std::uint8_t* input) {
  std::uint8_t* const shared = shared_memory();
  auto copies = cuda::make_pipeline();
  cuda::memcpy_async(shared + 16 * threadIdx.x, input + 16 * threadIdx.x, cuda::aligned_size_t<16>(16),
                     copies);
  copies.producer_commit();
  copies.consumer_wait();
  output[threadIdx.x] = shared[16 * threadIdx.x];
}

TEST(AccessTrace, AnAsynchronousCopyCountsAtItsWidth) {
  TracedMemory memory;
  TracedMemory input;
  std::uint8_t* const to = memory.bytes();
  const std::uint8_t* const from = input.bytes();
  const auto lines = trace(one_warp, [&] { copy_asynchronously(to, from); });
  const AccessCounts global = counts_of(lines, AccessClass::global_copy);
  EXPECT_EQ(global.requests, 1u);
  EXPECT_EQ(global.sectors, 16u);
  EXPECT_EQ(counts_of(lines, AccessClass::shared_copy).passes, 4u);
  EXPECT_EQ(counts_of(lines, AccessClass::shared_load).passes, 4u);
  EXPECT_EQ(counts_of(lines, AccessClass::global_store).sectors, 1u);
  EXPECT_EQ(requests_of_others(lines, {AccessClass::global_copy, AccessClass::shared_copy,
                                       AccessClass::shared_load, AccessClass::global_store}),
            0u);
}

// As kernels have bulk copies: lane 0 says the operands, fills the destination with noise and copies byte by
// byte at the wait.
__global__ void copy_in_bulk(std::uint8_t* output, const std::uint8_t* input, unsigned bytes) {
  std::uint8_t* const shared = shared_memory();
  if (threadIdx.x == 0) {
    require_multiple(reinterpret_cast<std::uintptr_t>(shared), 16, "a bulk copy's destination");
    require_multiple(reinterpret_cast<std::uintptr_t>(input), 16, "a bulk copy's source");
    require_multiple(bytes, 16, "a bulk copy's size");
    for (unsigned byte = 0; byte < bytes; ++byte) shared[byte] = 0xa5;
    for (unsigned byte = 0; byte < bytes; ++byte) shared[byte] = input[byte];
  }
  __syncwarp();
  output[threadIdx.x] = shared[threadIdx.x];
}

TEST(AccessTrace, ABulkCopyIsOneAccess) {
  TracedMemory memory;
  TracedMemory input;
  std::uint8_t* const to = memory.bytes();
  const std::uint8_t* const from = input.bytes();
  const auto lines = trace(one_warp, [&] { copy_in_bulk(to, from, 512); });
  const AccessCounts global = counts_of(lines, AccessClass::global_copy);
  EXPECT_EQ(global.requests, 1u);
  EXPECT_EQ(global.bytes, 512u);
  EXPECT_EQ(global.sectors, 16u);
  EXPECT_EQ(counts_of(lines, AccessClass::shared_copy).passes, 4u);
  EXPECT_EQ(counts_of(lines, AccessClass::shared_load).requests, 1u);
  EXPECT_EQ(counts_of(lines, AccessClass::global_store).requests, 1u);
  EXPECT_EQ(requests_of_others(lines, {AccessClass::global_copy, AccessClass::shared_copy,
                                       AccessClass::shared_load, AccessClass::global_store}),
            0u);
}

// What stands in for a GPU's hardware may keep lists: they are no memory of the GPU's.
__global__ void keep_a_list(std::uint32_t* output) {
  std::vector<std::uint32_t> list;
  for (unsigned i = 0; i < 100; ++i) list.push_back(i);
  output[threadIdx.x] = list[threadIdx.x];
}

// Memory that a thread has freed holds what the tracer remembers of the next.
TEST(AccessTrace, ThreadsMayFreeMemoryOfTheHostAndAllocateInItsPlace) {
  std::vector<std::unique_ptr<char[]>> of_host(200);
  for (std::unique_ptr<char[]>& each : of_host) each = std::make_unique<char[]>(4096);
  std::vector<std::unique_ptr<char[]>> of_threads(of_host.size());
  const std::vector<LineCounts> lines = trace(one_warp, [&] {
    for (std::size_t i = threadIdx.x; i < of_host.size(); i += 32) {
      for (const std::size_t bytes : {32, 48, 64}) std::make_unique<char[]>(bytes).reset();
      of_host[i].reset();
      of_threads[i] = std::make_unique<char[]>(4000);
    }
  });
  const auto stores = counts_of(lines, AccessClass::global_store);
  EXPECT_GE(stores.lanes, of_host.size());
}

TEST(AccessTrace, MemoryThatAThreadAllocatesIsNoneOfTheGpu) {
  TracedMemory memory;
  std::uint32_t* const words = memory.words();
  const auto lines = trace(one_warp, [&] { keep_a_list(words); });
  EXPECT_EQ(counts_of(lines, AccessClass::global_store).requests, 1u);
  EXPECT_EQ(requests_of_others(lines, {AccessClass::global_store}), 0u);
  // The same memory may be the host's later.
  std::vector<std::vector<std::uint32_t>> of_host(200, std::vector<std::uint32_t>(128));
  for (std::vector<std::uint32_t>& each : of_host) {
    std::uint32_t* const output = each.data();
    EXPECT_EQ(counts_of(trace(one_warp, [&] { store_words(output, 1, 0); }), AccessClass::global_store).lanes,
              32u);
  }
}

// In each turn another lane stores, by code that the compiler may put behind the loop.
__global__ void store_in_turns(std::uint32_t* output, const std::uint32_t* input) {
  std::uint32_t sum = 0;
  for (unsigned turn = 0; turn < 32; ++turn) {
    sum += input[32 * turn + threadIdx.x];
    if (turn == threadIdx.x) {
      output[threadIdx.x] = sum;
      output[32 + threadIdx.x] = sum;
    }
  }
  output[64 + threadIdx.x] = sum;
}

TEST(AccessTrace, LanesMeetInEachTurnOfALoop) {
  TracedMemory memory;
  TracedMemory input;
  std::uint32_t* const words = memory.words();
  const std::uint32_t* const from = input.words();
  const auto lines = trace(one_warp, [&] { store_in_turns(words, from); });
  EXPECT_EQ(counts_of(lines, AccessClass::global_load).requests, 32u);
  EXPECT_EQ(counts_of(lines, AccessClass::global_load).sectors, 128u);
  EXPECT_EQ(counts_of(lines, AccessClass::global_store).requests, 65u);
}

__global__ void sum_of_lanes(std::uint32_t* output, const std::uint32_t* input) {
  std::uint32_t sum = 0;
  for (unsigned turn = 0; turn < 4; ++turn) {
    sum += __shfl_xor_sync(0xffffffffu, input[32 * turn + threadIdx.x], 1);
  }
  output[threadIdx.x] = sum;
}

TEST(AccessTrace, ShufflesAreNoAccesses) {
  TracedMemory memory;
  TracedMemory input;
  std::uint32_t* const words = memory.words();
  const std::uint32_t* const from = input.words();
  const auto lines = trace(one_warp, [&] { sum_of_lanes(words, from); });
  EXPECT_EQ(counts_of(lines, AccessClass::global_load).requests, 4u);
  EXPECT_EQ(counts_of(lines, AccessClass::global_store).requests, 1u);
  EXPECT_EQ(requests_of_others(lines, {AccessClass::global_load, AccessClass::global_store}), 0u);
}

}  // namespace
}  // namespace gsst::simt
