#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

/// Runs a grid of CUDA threads on the CPU, one fiber per thread. It tests a kernel's logic and gives no
/// timing. Errors name the block, the thread and the line of the kernel.
///
/// Blocks may wait for each other by the accesses of common/device/memory_order.hpp and by CUDA's atomic
/// functions. As on a GPU, a block that has not started runs only when one that is resident ends, and blocks
/// may start in any order: a kernel that waits for a block that may not be resident can hang. It does so here
/// and is reported: a thread that reads the same word again waits until an atomic access changes some word,
/// and the grid hangs when nobody can change one any more.
///
/// What this cannot find: threads that change words for ever without getting on, and loops that wait by
/// ordinary loads, do not end. Ordinary stores are visible at once, in order: of a flag that is not released,
/// and of ordinary accesses that nothing orders, only the build of preset `race` tells (race_detector.cpp).
namespace gsst::simt {

/// As CUDA's dim3.
struct Dimensions {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

/// What a kernel did that a GPU would answer with a hang, a wrong result or nothing at all.
class KernelError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A place in a kernel's source.
struct Place {
  const char* file;
  int line;
};

/// The order seed of launches with order seed 0: 0, but while an OrderSeed lives. Nothing else writes it.
inline std::uint64_t default_order_seed = 0;

/// While it lives, launches with order seed 0 have `seed` instead. For tests: no kernel may run while one is
/// made or ends.
class OrderSeed {
public:
  explicit OrderSeed(std::uint64_t seed) : before_(default_order_seed) { default_order_seed = seed; }
  ~OrderSeed() { default_order_seed = before_; }
  OrderSeed(const OrderSeed&) = delete;
  OrderSeed& operator=(const OrderSeed&) = delete;

private:
  std::uint64_t before_;
};

/// How a grid is launched.
struct Launch {
  Dimensions grid = {};
  Dimensions block = {};
  /// Bytes of shared memory of each block.
  std::size_t shared_bytes = 0;
  /// Decides in which order threads and blocks take turns. 0: one block after the other, by rising index, and
  /// so its threads. Any other: 1 to 6 blocks are resident at once, which start by rising index or shuffled;
  /// their threads take turns, which end where they wait and, now and then, before and behind atomic
  /// accesses. A kernel that is right gives the same result with every order.
  std::uint64_t order_seed = 0;
};

/// Most shared memory that a thread block can have, in bytes: that of compute capability 9.0, but while a
/// SharedMemoryLimit lives. Nothing else writes it.
inline std::size_t max_shared_bytes = std::size_t{227} << 10;

/// While it lives, a thread block can have `bytes` bytes of shared memory at most, as on another GPU. For
/// tests: no kernel may run while one is made or ends.
class SharedMemoryLimit {
public:
  explicit SharedMemoryLimit(std::size_t bytes) : before_(max_shared_bytes) { max_shared_bytes = bytes; }
  ~SharedMemoryLimit() { max_shared_bytes = before_; }
  SharedMemoryLimit(const SharedMemoryLimit&) = delete;
  SharedMemoryLimit& operator=(const SharedMemoryLimit&) = delete;

private:
  std::size_t before_;
};

/// Calls `thread_body` once for each thread of the grid. Throws KernelError.
void run_grid(const Launch& launch, const std::function<void()>& thread_body);

/// The index of the running CUDA thread, and the sizes it sees. For calls from inside run_grid() only.
struct ThreadIndices {
  Dimensions thread;
  Dimensions block = {};
  Dimensions block_size;
  Dimensions grid_size;
};
const ThreadIndices& current_thread();

/// The running thread's lane: its number in its warp, 0 to 31.
unsigned current_lane();

/// The block's shared memory, Launch::shared_bytes bytes: the same for all its threads, and filled with a
/// poison pattern when the block starts. AddressSanitizer reports accesses behind its end.
std::uint8_t* shared_memory();

/// Throws KernelError that names the running thread and the place of the call unless `alignment` divides
/// `value`, an address or a number of bytes. For what stands in for instructions that need that; of all other
/// accesses the compiler tells (alignment.cpp).
void require_multiple(std::uintptr_t value, std::size_t alignment, const char* what,
                      Place place = {__builtin_FILE(), __builtin_LINE()});

/// What stands in for an asynchronous copy of global memory to shared memory calls where the kernel starts
/// it.
void start_copy(const void* to, const void* from, std::size_t bytes);

/// Ends the kernel with an error that names the running thread and `problem`, from where no exception may be
/// thrown: the thread stops there for good. Ends the program where no kernel runs.
[[noreturn]] void stop_thread(const std::string& problem);

/// What an atomic access to a word of 4 or 8 bytes calls before and after it: other threads may run there.
/// Where no kernel runs only the address is looked at.
///
/// Throws KernelError unless `bytes` divides the address.
void begin_atomic_access(const void* address, std::size_t bytes, Place place);
/// The thread has read `value` at `address`, and not changed it.
void after_atomic_read(const void* address, std::uint64_t value, Place place);
/// The thread has given a word another value.
void after_atomic_change();
/// The word of `bytes` bytes at `address`, read without the race detector's knowledge.
std::uint64_t word_at(const void* address, std::size_t bytes);

/// __threadfence().
void fence();

/// __syncthreads(): waits for all threads of the block that have not returned.
void sync_threads(Place place);

/// What the lanes of a warp do together. Each waits until all lanes in `mask` have come to the same place.
void sync_warp(std::uint32_t mask, Place place);
std::uint64_t shuffle(std::uint32_t mask, std::uint64_t value, unsigned source_lane, Place place);
std::uint32_t ballot(std::uint32_t mask, bool predicate, Place place);
std::uint32_t match_any(std::uint32_t mask, std::uint64_t value, Place place);

}  // namespace gsst::simt
