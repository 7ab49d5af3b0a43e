#include "common/simt/executor.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "common/simt/dimensions.hpp"
#include "common/simt/fiber.hpp"
#include "common/simt/race_detector.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace gsst::simt {
namespace {

constexpr unsigned warp_lanes = 32;
constexpr std::uint8_t poison = 0xa5;
constexpr std::size_t red_zone_bytes = 4096;
constexpr std::size_t shared_alignment = 128;

enum class WarpOperation { synchronize, shuffle, ballot, match };

// What a thread waits for.
struct Waiting {
  enum class Kind { nothing, block_barrier, warp } kind = Kind::nothing;
  Place place{};
  WarpOperation operation{};
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  unsigned source_lane = 0;
};

struct Thread {
  Fiber fiber;
  ThreadIndices indices;
  unsigned lane = 0;
  Waiting waiting;
  std::uint64_t result = 0;
  bool done = false;
  bool stopped = false;
};

std::string to_text(const ThreadIndices& indices) {
  return "block " + to_text(indices.block) + " thread " + to_text(indices.thread);
}

std::string to_text(const Place& place) {
  return std::string(place.file) + ":" + std::to_string(place.line);
}

bool same_place(const Place& left, const Place& right) {
  return left.line == right.line && (left.file == right.file || std::string_view(left.file) == right.file);
}

// The shared memory of the launches of a thread of the processor, one after the other: the red zone behind
// reaches over the most that a block can have. Nobody may access it but between open() and close().
class SharedMemory {
public:
  SharedMemory()
      : storage_(max_shared_bytes + red_zone_bytes + shared_alignment), first_(first_aligned(storage_)) {
    ASAN_POISON_MEMORY_REGION(storage_.data(), storage_.size());
  }
  ~SharedMemory() { ASAN_UNPOISON_MEMORY_REGION(storage_.data(), storage_.size()); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Returns the first of the launch's `bytes` bytes.
  std::uint8_t* open(std::size_t bytes) {
    ASAN_UNPOISON_MEMORY_REGION(first_, bytes);
    return first_;
  }
  void close(std::size_t bytes) { ASAN_POISON_MEMORY_REGION(first_, bytes); }

private:
  static std::uint8_t* first_aligned(std::vector<std::uint8_t>& storage) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
    return storage.data() + (shared_alignment - address % shared_alignment) % shared_alignment;
  }

  std::vector<std::uint8_t> storage_;
  std::uint8_t* first_;
};

thread_local SharedMemory shared_memory_of_launch;

// Fibers that have finished, for the next launch: making a stack and unwinding it costs more than a small
// kernel's thread.
thread_local std::vector<Fiber> idle_fibers;

Fiber take_fiber() {
  if (idle_fibers.empty()) return {};
  Fiber fiber = std::move(idle_fibers.back());
  idle_fibers.pop_back();
  return fiber;
}

class BlockExecutor {
public:
  BlockExecutor(const Launch& launch, const std::function<void()>& thread_body)
      : launch_(launch),
        thread_body_(thread_body),
        threads_(volume(launch.block)),
        warp_has_run_((threads_.size() + warp_lanes - 1) / warp_lanes),
        shared_(shared_memory_of_launch.open(launch.shared_bytes)),
        races_(launch, shared_) {
    ready_.reserve(threads_.size());
    for (Thread& thread : threads_) thread.fiber = take_fiber();
  }
  ~BlockExecutor() {
    for (Thread& thread : threads_) {
      if (thread.done) idle_fibers.push_back(std::move(thread.fiber));
      if (thread.stopped) thread.fiber.abandon();
    }
    // The others' stacks are unwound, which may still look at shared memory.
    threads_.clear();
    shared_memory_of_launch.close(launch_.shared_bytes);
  }
  BlockExecutor(const BlockExecutor&) = delete;
  BlockExecutor& operator=(const BlockExecutor&) = delete;

  void run(unsigned block);

  Thread& current() { return *current_; }

  std::uint8_t* shared_memory() { return shared_; }

  // Called by the running thread: stops it until `waiting` is over, and returns the warp operation's result.
  std::uint64_t wait(const Waiting& waiting) {
    Thread& thread = *current_;
    thread.waiting = waiting;
    thread.fiber.suspend();
    return thread.result;
  }

  // Called by the running thread, which does not come back.
  [[noreturn]] void stop(const std::string& problem) {
    if (!failure_) failure_ = std::make_exception_ptr(KernelError(problem));
    current_->stopped = true;
    current_->fiber.suspend();
    std::abort();
  }

private:
  using Lanes = std::uint32_t;

  void start_threads(unsigned block);
  void run_ready_threads();
  void look_for_races();
  void release_warps();
  void release_groups_of_warp(unsigned first_lane);
  void release_block_barrier();
  void complete(unsigned first_lane, Lanes group, const Waiting& operation);
  void make_ready(unsigned index);
  void shuffle_ready_threads();
  std::string describe_waiting(const Thread& thread) const;

  const Launch& launch_;
  const std::function<void()>& thread_body_;
  std::vector<Thread> threads_;
  // The numbers of the threads that wait for nothing. All others can do nothing until these have run.
  std::vector<unsigned> ready_;
  // Of each warp, whether one of its threads has run since its groups were last looked at.
  std::vector<char> warp_has_run_;
  std::size_t threads_left_ = 0;
  // Launch::shared_bytes bytes.
  std::uint8_t* shared_;
  RaceDetector races_;
  Thread* current_ = nullptr;
  std::uint64_t order_state_ = 0;
  std::exception_ptr failure_;
};

// The block that runs: kernels call free functions, as in CUDA.
thread_local BlockExecutor* running_block = nullptr;

void BlockExecutor::start_threads(unsigned block) {
  std::fill_n(shared_, launch_.shared_bytes, poison);
  races_.start_block(block);
  threads_left_ = threads_.size();
  for (unsigned index = 0; index < threads_.size(); ++index) {
    Thread& thread = threads_[index];
    thread.indices = {.thread = unflatten(index, launch_.block),
                      .block = unflatten(block, launch_.grid),
                      .block_size = launch_.block,
                      .grid_size = launch_.grid};
    thread.lane = index % warp_lanes;
    thread.done = false;
    make_ready(index);
    // An exception cannot leave a fiber's stack; the first one is thrown by run(). Only errors are caught: a
    // fiber that is destroyed while it waits unwinds its stack by an exception of its own, which must pass.
    thread.fiber.start([this] {
      races_.start_thread(__builtin_frame_address(0));
      try {
        thread_body_();
      } catch (const std::exception&) {
        if (!failure_) failure_ = std::current_exception();
      }
    });
  }
}

void BlockExecutor::run(unsigned block) {
  order_state_ = launch_.order_seed * 0x9e3779b97f4a7c15 + block;
  start_threads(block);
  running_block = this;
  while (true) {
    run_ready_threads();
    if (!failure_) look_for_races();
    if (failure_ || threads_left_ == 0) break;
    release_warps();
    if (ready_.empty() && !failure_) release_block_barrier();
    if (failure_) break;
  }
  running_block = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void BlockExecutor::make_ready(unsigned index) {
  threads_[index].waiting.kind = Waiting::Kind::nothing;
  ready_.push_back(index);
}

void BlockExecutor::shuffle_ready_threads() {
  if (launch_.order_seed == 0) return;
  for (std::size_t i = ready_.size(); i > 1; --i) {
    order_state_ = order_state_ * 6364136223846793005 + 1442695040888963407;
    std::swap(ready_[i - 1], ready_[(order_state_ >> 33) % i]);
  }
}

void BlockExecutor::run_ready_threads() {
  shuffle_ready_threads();
  for (const unsigned index : ready_) {
    Thread& thread = threads_[index];
    current_ = &thread;
    races_.enter_thread(index);
    thread.done = thread.fiber.resume();
    races_.leave_thread();
    if (thread.done) --threads_left_;
    warp_has_run_[index / warp_lanes] = 1;
  }
  current_ = nullptr;
  ready_.clear();
}

// After all threads have run: an access cannot throw, so a thread goes on to its next barrier.
void BlockExecutor::look_for_races() {
  if (races_.has_problem()) failure_ = std::make_exception_ptr(KernelError(races_.problem()));
}

void BlockExecutor::release_warps() {
  for (unsigned warp = 0; warp < warp_has_run_.size(); ++warp) {
    if (std::exchange(warp_has_run_[warp], 0) != 0) release_groups_of_warp(warp * warp_lanes);
  }
}

// Releases each group of lanes that wait at the same place with the same mask, if no other lane in the mask
// is still to come.
void BlockExecutor::release_groups_of_warp(unsigned first_lane) {
  const auto lanes = std::min<unsigned>(warp_lanes, static_cast<unsigned>(threads_.size()) - first_lane);
  Lanes not_done = 0;
  Lanes waiting = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const Thread& thread = threads_[first_lane + lane];
    if (!thread.done) not_done |= Lanes{1} << lane;
    if (!thread.done && thread.waiting.kind == Waiting::Kind::warp) waiting |= Lanes{1} << lane;
  }
  Lanes released = 0;
  while (waiting != 0) {
    const Waiting& expected = threads_[first_lane + static_cast<unsigned>(std::countr_zero(waiting))].waiting;
    Lanes group = 0;
    for (Lanes left = waiting; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const Thread& thread = threads_[first_lane + lane];
      if (thread.waiting.mask != expected.mask || !same_place(thread.waiting.place, expected.place)) continue;
      if ((expected.mask >> lane & 1) == 0) {
        failure_ = std::make_exception_ptr(
            KernelError(describe_waiting(thread) + ": its own lane is not in the mask"));
        return;
      }
      group |= Lanes{1} << lane;
    }
    waiting &= ~group;
    if (group != (expected.mask & not_done)) continue;
    complete(first_lane, group, expected);
    released |= group;
  }
  for (; released != 0; released &= released - 1) {
    make_ready(first_lane + static_cast<unsigned>(std::countr_zero(released)));
  }
}

// Does what the lanes of `group` came together for, each with its own value.
void BlockExecutor::complete(unsigned first_lane, Lanes group, const Waiting& operation) {
  const auto for_each_lane = [&](auto&& function) {
    for (Lanes left = group; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      function(lane, threads_[first_lane + lane]);
    }
  };
  const auto lanes_where = [&](auto&& condition) {
    Lanes found = 0;
    for_each_lane([&](unsigned lane, const Thread& thread) {
      if (condition(thread.waiting.value)) found |= Lanes{1} << lane;
    });
    return found;
  };
  switch (operation.operation) {
    case WarpOperation::synchronize:
      races_.synchronize_warp(first_lane, operation.mask);
      break;
    case WarpOperation::shuffle:
      for_each_lane([&](unsigned, Thread& thread) {
        // A lane outside the mask gives an undefined value on a GPU: here the poison, so that a test sees it.
        const unsigned source = thread.waiting.source_lane;
        const bool takes_part = source < warp_lanes && (group >> source & 1) != 0;
        thread.result = takes_part ? threads_[first_lane + source].waiting.value : 0xa5a5a5a5a5a5a5a5;
      });
      break;
    case WarpOperation::ballot: {
      const Lanes voters = lanes_where([](std::uint64_t value) { return value != 0; });
      for_each_lane([&](unsigned, Thread& thread) { thread.result = voters; });
      break;
    }
    case WarpOperation::match:
      for_each_lane([&](unsigned, Thread& thread) {
        thread.result = lanes_where([&](std::uint64_t value) { return value == thread.waiting.value; });
      });
      break;
  }
}

void BlockExecutor::release_block_barrier() {
  const Thread* first = nullptr;
  for (const Thread& thread : threads_) {
    if (thread.done) continue;
    if (first == nullptr) first = &thread;
    const bool together = thread.waiting.kind == Waiting::Kind::block_barrier &&
                          first->waiting.kind == Waiting::Kind::block_barrier &&
                          same_place(thread.waiting.place, first->waiting.place);
    if (!together) {
      failure_ = std::make_exception_ptr(
          KernelError("threads wait for each other at different places: " + describe_waiting(*first) + "; " +
                      describe_waiting(thread)));
      return;
    }
  }
  for (unsigned index = 0; index < threads_.size(); ++index) {
    if (!threads_[index].done) make_ready(index);
  }
  races_.synchronize_block();
}

std::string BlockExecutor::describe_waiting(const Thread& thread) const {
  const char* const what = thread.waiting.kind == Waiting::Kind::warp ? " in a warp operation at " : " at ";
  return to_text(thread.indices) + what + to_text(thread.waiting.place);
}

BlockExecutor& running() {
  if (running_block == nullptr) throw std::logic_error("called outside of a kernel");
  return *running_block;
}

}  // namespace

void run_grid(const Launch& launch, const std::function<void()>& thread_body) {
  if (volume(launch.block) < 1 || volume(launch.block) > 1024 || volume(launch.grid) < 1) {
    throw KernelError("launch: the grid is " + to_text(launch.grid) + " and the block " +
                      to_text(launch.block) +
                      "; a block has 1 to 1024 threads and a grid at least one block");
  }
  if (launch.shared_bytes > max_shared_bytes) {
    throw KernelError("launch: " + std::to_string(launch.shared_bytes) +
                      " bytes of shared memory, a block can have " + std::to_string(max_shared_bytes));
  }
  BlockExecutor executor(launch, thread_body);
  for (unsigned block = 0; block < volume(launch.grid); ++block) executor.run(block);
}

const ThreadIndices& current_thread() {
  return running().current().indices;
}

unsigned current_lane() {
  return running().current().lane;
}

std::uint8_t* shared_memory() {
  return running().shared_memory();
}

void require_multiple(std::uintptr_t value, std::size_t alignment, const char* what, Place place) {
  if (value % alignment == 0) return;
  throw KernelError(to_text(current_thread()) + " at " + to_text(place) + ": " + what +
                    " is not a multiple of " + std::to_string(alignment));
}

void stop_thread(const std::string& problem) {
  if (running_block == nullptr) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    std::abort();
  }
  running().stop(to_text(current_thread()) + " " + problem);
}

void sync_threads(Place place) {
  running().wait({.kind = Waiting::Kind::block_barrier, .place = place});
}

void sync_warp(std::uint32_t mask, Place place) {
  running().wait(
      {.kind = Waiting::Kind::warp, .place = place, .operation = WarpOperation::synchronize, .mask = mask});
}

std::uint64_t shuffle(std::uint32_t mask, std::uint64_t value, unsigned source_lane, Place place) {
  return running().wait({.kind = Waiting::Kind::warp,
                         .place = place,
                         .operation = WarpOperation::shuffle,
                         .mask = mask,
                         .value = value,
                         .source_lane = source_lane});
}

std::uint32_t ballot(std::uint32_t mask, bool predicate, Place place) {
  return static_cast<std::uint32_t>(running().wait({.kind = Waiting::Kind::warp,
                                                    .place = place,
                                                    .operation = WarpOperation::ballot,
                                                    .mask = mask,
                                                    .value = predicate ? 1u : 0u}));
}

std::uint32_t match_any(std::uint32_t mask, std::uint64_t value, Place place) {
  return static_cast<std::uint32_t>(running().wait({.kind = Waiting::Kind::warp,
                                                    .place = place,
                                                    .operation = WarpOperation::match,
                                                    .mask = mask,
                                                    .value = value}));
}

}  // namespace gsst::simt
