#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

/// Runs a grid of CUDA threads on the CPU: one fiber per thread, one thread block after the other. It tests a
/// kernel's logic and gives no timing. Errors name the block, the thread and the line of the kernel.
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

/// How a grid is launched.
struct Launch {
  Dimensions grid = {};
  Dimensions block = {};
  /// Bytes of shared memory of each block.
  std::size_t shared_bytes = 0;
  /// Threads of a block take turns in an order that this number decides; 0 is by rising index. A kernel that
  /// is right gives the same result with every order.
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

/// Ends the kernel with an error that names the running thread and `problem`, from where no exception may be
/// thrown: the thread stops there for good. Ends the program where no kernel runs.
[[noreturn]] void stop_thread(const std::string& problem);

/// __syncthreads(): waits for all threads of the block that have not returned.
void sync_threads(Place place);

/// What the lanes of a warp do together. Each waits until all lanes in `mask` have come to the same place.
void sync_warp(std::uint32_t mask, Place place);
std::uint64_t shuffle(std::uint32_t mask, std::uint64_t value, unsigned source_lane, Place place);
std::uint32_t ballot(std::uint32_t mask, bool predicate, Place place);
std::uint32_t match_any(std::uint32_t mask, std::uint64_t value, Place place);

}  // namespace gsst::simt
