#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/memory_order.hpp"
#include "common/simt/cuda_on_cpu.hpp"
#include "common/simt/test_kernel_errors.hpp"

// Kernels whose blocks wait for each other, and the mistakes that such kernels have. Each mistake is a switch
// of a kernel that is right without it.
namespace gsst::simt {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool finds_races = true;
#else
constexpr bool finds_races = false;
#endif

constexpr unsigned every_lane = 0xffffffff;
// A report of a race takes long: another program looks for its lines.
constexpr std::uint64_t seed_count = finds_races ? 12 : 40;

std::string place(int line) {
  return std::string("waiting_blocks_test.cpp:") + std::to_string(line);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A prefix sum in one pass: each block adds up its tile, publishes the sum, and looks back over the tiles
// before it until it finds one whose sum from the first tile on is known. A tile's state has its sum in the
// lower bits.
enum class Tickets { taken, block_index };

constexpr std::uint64_t tile_sum = std::uint64_t{1} << 62;
constexpr std::uint64_t sum_up_to_tile = std::uint64_t{2} << 62;
constexpr std::uint64_t sum_bits = tile_sum - 1;

// The first warp's lanes look at 32 tiles at once.
__device__ std::uint64_t look_back(const std::uint64_t* states, unsigned tile) {
  std::uint64_t sum = 0;
  for (int last = static_cast<int>(tile) - 1; last >= 0; last -= 32) {
    const int mine = last - static_cast<int>(current_lane());
    std::uint64_t state = sum_up_to_tile;
    do {
      if (mine >= 0) state = device::load_relaxed(&states[mine]);
    } while (__any_sync(every_lane, state == 0));
    const std::uint32_t complete = __ballot_sync(every_lane, (state & sum_up_to_tile) != 0);
    const bool counts = (complete & ((1u << current_lane()) - 1)) == 0;
    std::uint64_t value = counts ? state & sum_bits : 0;
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(every_lane, value, distance);
    sum += value;
    if (complete != 0) break;
  }
  return sum;
}
constexpr int look_back_line = __LINE__ - 11;

template <Tickets Order>
__global__ void prefix_sum(const unsigned* input, unsigned count, unsigned* ticket, std::uint64_t* states,
                           std::uint64_t* output) {
  auto* const values = reinterpret_cast<std::uint64_t*>(shared_memory());
  std::uint64_t* const before = values + blockDim.x;
  unsigned* const tile_of_block = reinterpret_cast<unsigned*>(before + 1);
  if (threadIdx.x == 0) *tile_of_block = Order == Tickets::taken ? atomicAdd(ticket, 1u) : blockIdx.x;
  __syncthreads();
  const unsigned tile = *tile_of_block;
  const unsigned index = tile * blockDim.x + threadIdx.x;
  values[threadIdx.x] = index < count ? input[index] : 0;
  __syncthreads();
  std::uint64_t sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i) sum += values[i];
  if (threadIdx.x < 32) {
    std::uint64_t tile_total = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) tile_total += values[i];
    if (threadIdx.x == 0) device::store_relaxed(&states[tile], tile_sum | tile_total);
    const std::uint64_t sum_before = look_back(states, tile);
    if (threadIdx.x == 0) {
      *before = sum_before;
      device::store_relaxed(&states[tile], sum_up_to_tile | (sum_before + tile_total));
    }
  }
  __syncthreads();
  if (index < count) output[index] = *before + sum;
}

struct PrefixSum {
  explicit PrefixSum(unsigned blocks, unsigned threads)
      : launch{.grid = {.x = blocks}, .block = {.x = threads}, .shared_bytes = 8 * threads + 16},
        input(blocks * threads - threads / 2),
        states(blocks),
        output(input.size()) {
    for (unsigned i = 0; i < input.size(); ++i) input[i] = i * 2654435761u >> 20;
    std::uint64_t sum = 0;
    for (const unsigned value : input) expected.push_back(sum += value);
  }

  template <Tickets Order>
  std::string error() {
    unsigned ticket = 0;
    states.assign(states.size(), 0);
    output.assign(output.size(), 0);
    return error_of(launch, [&] {
      prefix_sum<Order>(input.data(), static_cast<unsigned>(input.size()), &ticket, states.data(),
                        output.data());
    });
  }

  Launch launch;
  std::vector<unsigned> input;
  std::vector<std::uint64_t> states;
  std::vector<std::uint64_t> output;
  std::vector<std::uint64_t> expected;
};

TEST(WaitingBlocks, LookBackWithTicketsIsRightInEveryOrder) {
  for (const unsigned threads : {32u, 64u, 96u}) {
    for (const unsigned blocks : {1u, 2u, 3u, 7u, 40u, 100u}) {
      PrefixSum sum(blocks, threads);
      for (sum.launch.order_seed = 0; sum.launch.order_seed < seed_count / 2; ++sum.launch.order_seed) {
        ASSERT_EQ(sum.error<Tickets::taken>(), "")
            << blocks << " blocks of " << threads << " threads, seed " << sum.launch.order_seed;
        ASSERT_EQ(sum.output, sum.expected)
            << blocks << " blocks of " << threads << " threads, seed " << sum.launch.order_seed;
      }
    }
  }
}

// Blocks start in any order: the resident ones may all wait for one that is not.
TEST(WaitingBlocks, LookBackByBlockIndexCanHang) {
  PrefixSum sum(12, 32);
  unsigned hangs = 0;
  for (sum.launch.order_seed = 0; sum.launch.order_seed < seed_count; ++sum.launch.order_seed) {
    const std::string error = sum.error<Tickets::block_index>();
    if (error.empty()) continue;
    ++hangs;
    expect_part(error, "hang: ");
    expect_part(error, " reads 0 again and again at ");
    expect_part(error, place(look_back_line));
    expect_part(error, " of 12 blocks wait until one of ");
    expect_part(error, "(order seed " + std::to_string(sum.launch.order_seed) + ")");
  }
  EXPECT_GE(hangs, seed_count / 5);
}

// The block with the first ticket writes data for the one with the second, which waits for a flag.
enum class Publish { releasing_store, fence, no_fence, flag_first };
enum class Receive { acquiring_load, fence, no_fence };

struct Message {
  unsigned data = 0;
  unsigned flag = 0;
  unsigned ticket = 0;
  unsigned received = 0;
};

template <Publish How>
__device__ void publish(Message* message) {
  if (How == Publish::flag_first) device::store_release(&message->flag, 1);
  message->data = 7;
  if (How == Publish::releasing_store) device::store_release(&message->flag, 1);
  if (How == Publish::fence) __threadfence();
  if (How == Publish::fence || How == Publish::no_fence) device::store_relaxed(&message->flag, 1);
}
constexpr int write_data_line = __LINE__ - 5;

template <Publish Sender, Receive Receiver>
__global__ void pass_message(Message* message) {
  if (atomicAdd(&message->ticket, 1u) == 0) {
    publish<Sender>(message);
  } else {
    if (Receiver == Receive::acquiring_load) {
      while (device::load_acquire(&message->flag) == 0) {
      }
    } else {
      while (device::load_relaxed(&message->flag) == 0) {
      }
      if (Receiver == Receive::fence) __threadfence();
    }
    message->received = message->data;
  }
}
constexpr int read_data_line = __LINE__ - 3;

constexpr Launch two_blocks_of_one_thread = {.grid = {.x = 2}, .block = {.x = 1}};

template <Publish Sender, Receive Receiver>
void expect_message_arrives() {
  Launch launch = two_blocks_of_one_thread;
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    Message message;
    EXPECT_EQ(error_of(launch, [&] { pass_message<Sender, Receiver>(&message); }), "")
        << "seed " << launch.order_seed;
    EXPECT_EQ(message.received, 7u) << "seed " << launch.order_seed;
  }
}

TEST(WaitingBlocks, AFlagBehindItsDataOrdersTheBlocks) {
  expect_message_arrives<Publish::releasing_store, Receive::acquiring_load>();
  expect_message_arrives<Publish::releasing_store, Receive::fence>();
  expect_message_arrives<Publish::fence, Receive::acquiring_load>();
  expect_message_arrives<Publish::fence, Receive::fence>();
}

template <Publish Sender, Receive Receiver>
void expect_race_between_blocks() {
  Launch launch = two_blocks_of_one_thread;
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    Message message;
    const std::string error = error_of(launch, [&] { pass_message<Sender, Receiver>(&message); });
    expect_part(error, "race: block (");
    expect_part(error, place(write_data_line));
    expect_part(error, place(read_data_line));
  }
}

// Without a race detector stores are visible in order.
TEST(WaitingBlocks, AMissingFenceIsARace) {
  if (!finds_races) GTEST_SKIP() << "the race detector finds it";
  expect_race_between_blocks<Publish::no_fence, Receive::acquiring_load>();
  expect_race_between_blocks<Publish::no_fence, Receive::fence>();
  expect_race_between_blocks<Publish::releasing_store, Receive::no_fence>();
  expect_race_between_blocks<Publish::fence, Receive::no_fence>();
}

TEST(WaitingBlocks, AFlagBeforeItsDataIsFound) {
  if (finds_races) {
    expect_race_between_blocks<Publish::flag_first, Receive::acquiring_load>();
    return;
  }
  unsigned wrong = 0;
  Launch launch = two_blocks_of_one_thread;
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    Message message;
    run_grid(launch, [&] { pass_message<Publish::flag_first, Receive::acquiring_load>(&message); });
    wrong += message.received != 7 ? 1 : 0;
  }
  EXPECT_GE(wrong, seed_count / 20);
}

// Each block waits for the one with the ticket before or behind its own.
template <bool ForLater>
__global__ void wait_for_neighbour(unsigned* ticket, unsigned* flags) {
  const unsigned mine = atomicAdd(ticket, 1u);
  if (!ForLater && mine > 0) {
    while (device::load_acquire(&flags[mine - 1]) == 0) {
    }
  }
  if (ForLater && mine + 1 < gridDim.x) {
    while (device::load_acquire(&flags[mine + 1]) == 0) {
    }
  }
  device::store_release(&flags[mine], 1);
}
constexpr int wait_for_later_line = __LINE__ - 5;

TEST(WaitingBlocks, AWaitForALaterBlockHangs) {
  Launch launch = {.grid = {.x = 12}, .block = {.x = 1}};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned ticket = 0;
    std::vector<unsigned> flags(launch.grid.x);
    EXPECT_EQ(error_of(launch, [&] { wait_for_neighbour<false>(&ticket, flags.data()); }), "");
    ticket = 0;
    flags.assign(flags.size(), 0);
    const std::string error = error_of(launch, [&] { wait_for_neighbour<true>(&ticket, flags.data()); });
    expect_part(error, "hang: ");
    expect_part(error, "thread (0, 0, 0) reads 0 again and again at ");
    expect_part(error, place(wait_for_later_line));
  }
  // Neither does one hang that all have room for.
  launch = {.grid = {.x = 2}, .block = {.x = 1}};
  unsigned hangs = 0;
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned ticket = 0;
    std::vector<unsigned> flags(launch.grid.x);
    hangs += error_of(launch, [&] { wait_for_neighbour<true>(&ticket, flags.data()); }).empty() ? 0 : 1;
  }
  EXPECT_GT(hangs, 0u);
  EXPECT_LT(hangs, seed_count);
}

enum class Count { atomic, load_and_store, ordinary };

template <Count How>
__global__ void count_threads(unsigned* counter) {
  if (How == Count::atomic) atomicAdd(counter, 1u);
  if (How == Count::load_and_store) device::store_relaxed(counter, device::load_relaxed(counter) + 1);
  if (How == Count::ordinary) ++*counter;
}

template <Count How>
unsigned wrong_counts(std::string* error) {
  unsigned wrong = 0;
  Launch launch = {.grid = {.x = 4}, .block = {.x = 2}};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned counter = 0;
    *error += error_of(launch, [&] { count_threads<How>(&counter); });
    wrong += counter != 8 ? 1 : 0;
  }
  return wrong;
}

TEST(WaitingBlocks, ALostUpdateIsFound) {
  std::string error;
  EXPECT_EQ(wrong_counts<Count::atomic>(&error), 0u);
  EXPECT_EQ(error, "");
  EXPECT_GE(wrong_counts<Count::load_and_store>(&error), seed_count / 2);
  EXPECT_EQ(error, "") << "atomic accesses do not race";
  wrong_counts<Count::ordinary>(&error);
  EXPECT_EQ(contains(error, "race: "), finds_races) << error;
}

// Lane 0 waits for what lane 1 writes before or behind the place where both meet.
template <bool Before>
__global__ void wait_inside_warp(unsigned* flag) {
  if (threadIdx.x == 1 && Before) device::store_release(flag, 1);
  if (threadIdx.x == 0) {
    while (device::load_acquire(flag) == 0) {
    }
  }
  __syncwarp();
  if (threadIdx.x == 1 && !Before) device::store_release(flag, 1);
}
constexpr int wait_in_warp_line = __LINE__ - 6;
constexpr int meet_in_warp_line = __LINE__ - 4;

TEST(WaitingBlocks, AWaitForALaneThatWaitsForTheWarpHangs) {
  Launch launch = {.block = {.x = 32}};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned flag = 0;
    EXPECT_EQ(error_of(launch, [&] { wait_inside_warp<true>(&flag); }), "");
    flag = 0;
    const std::string error = error_of(launch, [&] { wait_inside_warp<false>(&flag); });
    expect_part(error, "block (0, 0, 0) thread (0, 0, 0) reads 0 again and again at ");
    expect_part(error, place(wait_in_warp_line));
    expect_part(error, "block (0, 0, 0) thread (1, 0, 0) in a warp operation at ");
    expect_part(error, place(meet_in_warp_line));
  }
}

// The block with the first ticket meets at a barrier, or does not, while the others wait for it.
enum class Barrier { of_all, without_thread_0, in_a_branch };

template <Barrier How>
__global__ void wait_for_block_at_barrier(unsigned* ticket, unsigned* flags) {
  auto* const mine = reinterpret_cast<unsigned*>(shared_memory());
  if (threadIdx.x == 0) *mine = atomicAdd(ticket, 1u);
  __syncthreads();
  if (*mine == 0) {
    if (How == Barrier::without_thread_0 && threadIdx.x == 0) {
      while (device::load_acquire(&flags[1]) == 0) {
      }
    }
    if (How == Barrier::in_a_branch && threadIdx.x == 40) {
      __syncthreads();
    } else {
      __syncthreads();
    }
    if (threadIdx.x == 63) device::store_release(&flags[0], 1);
  } else {
    while (device::load_acquire(&flags[0]) == 0) {
    }
    if (threadIdx.x == 0) device::store_release(&flags[1], 1);
  }
}

TEST(WaitingBlocks, BarriersWorkWhileOtherBlocksWait) {
  Launch launch = {.grid = {.x = 3}, .block = {.x = 64}, .shared_bytes = 4};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned ticket = 0;
    std::vector<unsigned> flags(2);
    EXPECT_EQ(error_of(launch, [&] { wait_for_block_at_barrier<Barrier::of_all>(&ticket, flags.data()); }),
              "");
    ticket = 0;
    flags.assign(2, 0);
    const std::string hang = error_of(
        launch, [&] { wait_for_block_at_barrier<Barrier::without_thread_0>(&ticket, flags.data()); });
    expect_part(hang, "hang: ");
    expect_part(hang, " thread (0, 0, 0) reads 0 again and again at ");
    expect_part(hang, " thread (1, 0, 0) at ");
    ticket = 0;
    flags.assign(2, 0);
    expect_part(
        error_of(launch, [&] { wait_for_block_at_barrier<Barrier::in_a_branch>(&ticket, flags.data()); }),
        "threads wait for each other at different places: ");
  }
}

// Each block writes a part; the last to be done adds them up.
template <bool FenceBefore, bool FenceBehind>
__global__ void sum_in_last_block(unsigned* parts, unsigned* done, unsigned* sum) {
  parts[blockIdx.x] = blockIdx.x + 1;
  if (FenceBefore) __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  if (FenceBehind) __threadfence();
  for (unsigned i = 0; i < gridDim.x; ++i) *sum += parts[i];
}

template <bool FenceBefore, bool FenceBehind>
void expect_last_block(const std::string& error_part) {
  Launch launch = {.grid = {.x = 9}, .block = {.x = 1}};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    std::vector<unsigned> parts(launch.grid.x);
    unsigned done = 0;
    unsigned sum = 0;
    const std::string error =
        error_of(launch, [&] { sum_in_last_block<FenceBefore, FenceBehind>(parts.data(), &done, &sum); });
    if (error_part.empty()) {
      EXPECT_EQ(error, "");
      EXPECT_EQ(sum, 45u);
    } else {
      expect_part(error, error_part);
    }
  }
}

TEST(WaitingBlocks, TheLastBlockSeesWhatAllOthersReleased) {
  expect_last_block<true, true>("");
  expect_last_block<false, true>(finds_races ? "race: " : "");
  expect_last_block<true, false>(finds_races ? "race: " : "");
}

// Thread 0 acquires; all threads read, behind a barrier or not. The blocks pass a value on, so the last one
// reads what it knows by all others only.
template <bool Barrier>
__global__ void read_what_thread_0_acquired(unsigned* ticket, unsigned* flags, unsigned* values) {
  auto* const mine = reinterpret_cast<unsigned*>(shared_memory());
  if (threadIdx.x == 0) *mine = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned tile = *mine;
  if (threadIdx.x == 0 && tile > 0) {
    while (device::load_acquire(&flags[tile - 1]) == 0) {
    }
  }
  if (Barrier) __syncthreads();
  values[tile * blockDim.x + threadIdx.x] = tile == 0 ? threadIdx.x : values[threadIdx.x ^ 1];
  __syncthreads();
  if (threadIdx.x == 0) device::store_release(&flags[tile], 1);
}

TEST(WaitingBlocks, ABarrierPassesOnWhatAThreadAcquired) {
  Launch launch = {.grid = {.x = 5}, .block = {.x = 64}, .shared_bytes = 4};
  unsigned races = 0;
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned ticket = 0;
    std::vector<unsigned> flags(launch.grid.x);
    std::vector<unsigned> values(std::size_t{launch.grid.x} * launch.block.x);
    EXPECT_EQ(
        error_of(launch, [&] { read_what_thread_0_acquired<true>(&ticket, flags.data(), values.data()); }),
        "");
    EXPECT_EQ(values[4 * 64 + 10], 11u);
    ticket = 0;
    flags.assign(flags.size(), 0);
    races +=
        contains(error_of(launch,
                          [&] { read_what_thread_0_acquired<false>(&ticket, flags.data(), values.data()); }),
                 "race: ")
            ? 1
            : 0;
  }
  EXPECT_EQ(races, finds_races ? seed_count : 0);
}

// A lock: one thread at a time changes the counter.
template <bool Unlock>
__global__ void count_under_lock(unsigned* lock, unsigned* counter) {
  while (atomicCAS(lock, 0u, 1u) != 0) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  if (Unlock) atomicExch(lock, 0u);
}
constexpr int lock_line = __LINE__ - 7;

TEST(WaitingBlocks, ALockWorksAndOneThatIsNotGivenBackHangs) {
  Launch launch = {.grid = {.x = 4}, .block = {.x = 8}};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned lock = 0;
    unsigned counter = 0;
    EXPECT_EQ(error_of(launch, [&] { count_under_lock<true>(&lock, &counter); }), "");
    EXPECT_EQ(counter, 32u) << "seed " << launch.order_seed;
    const std::string error = error_of(launch, [&] { count_under_lock<false>(&lock, &counter); });
    expect_part(error, " reads 1 again and again at ");
    expect_part(error, place(lock_line));
  }
}

// Block 0 releases its data with a swap that fails, and thus nothing.
template <bool Succeeds>
__global__ void release_by_swap(unsigned* ticket, unsigned* flag, unsigned* data) {
  if (atomicAdd(ticket, 1u) == 0) {
    *data = 7;
    __threadfence();
    atomicCAS(flag, Succeeds ? 1u : 2u, 3u);
  } else {
    while (device::load_acquire(flag) != (Succeeds ? 3u : 1u)) {
    }
    *data += 1;
  }
}

TEST(WaitingBlocks, ASwapThatFailsReleasesNothing) {
  if (!finds_races) GTEST_SKIP() << "the race detector finds it";
  Launch launch = two_blocks_of_one_thread;
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    unsigned ticket = 0;
    unsigned flag = 1;
    unsigned data = 0;
    EXPECT_EQ(error_of(launch, [&] { release_by_swap<true>(&ticket, &flag, &data); }), "");
    ticket = 0;
    flag = 1;
    expect_part(error_of(launch, [&] { release_by_swap<false>(&ticket, &flag, &data); }), "race: ");
  }
}

// A thread that gives up after some attempts does not hang.
__global__ void try_a_few_times(const unsigned* flag, unsigned* attempts) {
  for (unsigned i = 0; i < 100 && device::load_relaxed(flag) == 0; ++i) ++attempts[blockIdx.x];
}

TEST(WaitingBlocks, AThreadMayGiveUp) {
  Launch launch = {.grid = {.x = 3}, .block = {.x = 1}};
  for (launch.order_seed = 0; launch.order_seed < seed_count; ++launch.order_seed) {
    const unsigned flag = 0;
    std::vector<unsigned> attempts(3);
    EXPECT_EQ(error_of(launch, [&] { try_a_few_times(&flag, attempts.data()); }), "");
    EXPECT_EQ(attempts, std::vector<unsigned>(3, 100));
  }
}

__global__ void take_tickets(unsigned* ticket, std::vector<unsigned>* order) {
  for (unsigned i = 0; i < 3; ++i) {
    atomicAdd(ticket, 1u);
    order->push_back(blockIdx.x * blockDim.x + threadIdx.x);
  }
}

std::vector<unsigned> order_of(std::uint64_t seed) {
  unsigned ticket = 0;
  std::vector<unsigned> order;
  // Not a kernel's access.
  order.reserve(4 * 4 * 3);
  static_cast<void>(error_of({.grid = {.x = 4}, .block = {.x = 4}, .order_seed = seed},
                             [&] { take_tickets(&ticket, &order); }));
  return order;
}

TEST(WaitingBlocks, ASeedDecidesTheOrder) {
  if (finds_races) GTEST_SKIP() << "the list of what happens is a race";
  unsigned unlike = 0;
  for (std::uint64_t seed = 0; seed < seed_count; ++seed) {
    EXPECT_EQ(order_of(seed), order_of(seed)) << "seed " << seed;
    unlike += order_of(seed) != order_of(seed + 1) ? 1 : 0;
  }
  EXPECT_EQ(unlike, seed_count);
  const std::vector<unsigned> with_seed = order_of(5);
  const OrderSeed seed(5);
  EXPECT_EQ(order_of(0), with_seed);
}

}  // namespace
}  // namespace gsst::simt
