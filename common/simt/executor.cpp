#include "common/simt/executor.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
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
  Waiting waiting;
  std::uint64_t result = 0;
  bool done = false;
};

std::string to_text(const Place& place) {
  return std::string(place.file) + ":" + std::to_string(place.line);
}

bool same_place(const Place& left, const Place& right) {
  return left.line == right.line && std::string_view(left.file) == right.file;
}

std::uint8_t* first_aligned(std::vector<std::uint8_t>& storage) {
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  return storage.data() + (shared_alignment - address % shared_alignment) % shared_alignment;
}

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
        order_(threads_.size()),
        shared_storage_(max_shared_bytes + red_zone_bytes + shared_alignment),
        shared_(first_aligned(shared_storage_)),
        races_(launch, shared_) {
    std::iota(order_.begin(), order_.end(), 0u);
    ASAN_POISON_MEMORY_REGION(shared_ + launch.shared_bytes,
                              max_shared_bytes - launch.shared_bytes + red_zone_bytes);
    for (Thread& thread : threads_) thread.fiber = take_fiber();
  }
  ~BlockExecutor() {
    for (Thread& thread : threads_) {
      if (thread.done) idle_fibers.push_back(std::move(thread.fiber));
    }
    ASAN_UNPOISON_MEMORY_REGION(shared_storage_.data(), shared_storage_.size());
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

private:
  void start_threads(unsigned block);
  void run_ready_threads();
  void look_for_races();
  bool release_warps();
  bool release_warp_group(unsigned first_lane, unsigned leader);
  void release_block_barrier();
  void complete(unsigned first_lane, unsigned leader);
  void shuffle_order();
  std::string describe_waiting(const Thread& thread) const;
  bool all_done() const {
    return std::all_of(threads_.begin(), threads_.end(), [](const Thread& thread) { return thread.done; });
  }

  const Launch& launch_;
  const std::function<void()>& thread_body_;
  std::vector<Thread> threads_;
  std::vector<unsigned> order_;
  std::vector<std::uint8_t> shared_storage_;
  // Launch::shared_bytes bytes; the red zone behind them reaches over the most that a block can have.
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
  for (unsigned index = 0; index < threads_.size(); ++index) {
    Thread& thread = threads_[index];
    thread.indices = {.thread = unflatten(index, launch_.block),
                      .block = unflatten(block, launch_.grid),
                      .block_size = launch_.block,
                      .grid_size = launch_.grid};
    thread.waiting = {};
    thread.done = false;
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
    if (failure_) break;
    if (all_done()) break;
    if (!release_warps()) release_block_barrier();
    if (failure_) break;
  }
  running_block = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void BlockExecutor::shuffle_order() {
  if (launch_.order_seed == 0) return;
  for (std::size_t i = order_.size(); i > 1; --i) {
    order_state_ = order_state_ * 6364136223846793005 + 1442695040888963407;
    std::swap(order_[i - 1], order_[(order_state_ >> 33) % i]);
  }
}

void BlockExecutor::run_ready_threads() {
  shuffle_order();
  for (const unsigned index : order_) {
    Thread& thread = threads_[index];
    if (thread.done || thread.waiting.kind != Waiting::Kind::nothing) continue;
    current_ = &thread;
    races_.enter_thread(index);
    thread.done = thread.fiber.resume();
    races_.leave_thread();
  }
  current_ = nullptr;
}

// After all threads have run: an access cannot throw, so a thread goes on to its next barrier.
void BlockExecutor::look_for_races() {
  const std::string problem = races_.problem();
  if (!problem.empty()) failure_ = std::make_exception_ptr(KernelError(problem));
}

bool BlockExecutor::release_warps() {
  bool released = false;
  for (unsigned first_lane = 0; first_lane < threads_.size(); first_lane += warp_lanes) {
    const auto lanes = std::min<unsigned>(warp_lanes, static_cast<unsigned>(threads_.size()) - first_lane);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (threads_[first_lane + lane].waiting.kind == Waiting::Kind::warp) {
        released = release_warp_group(first_lane, lane) || released;
      }
    }
  }
  return released;
}

// Releases the lanes that `leader` names in its mask, if all that have not returned wait at the same place.
bool BlockExecutor::release_warp_group(unsigned first_lane, unsigned leader) {
  const Waiting& expected = threads_[first_lane + leader].waiting;
  if ((expected.mask >> leader & 1) == 0) {
    failure_ = std::make_exception_ptr(
        KernelError(describe_waiting(threads_[first_lane + leader]) + ": its own lane is not in the mask"));
    return false;
  }
  for (unsigned lane = 0; lane < warp_lanes && first_lane + lane < threads_.size(); ++lane) {
    if ((expected.mask >> lane & 1) == 0) continue;
    const Thread& thread = threads_[first_lane + lane];
    if (thread.done) continue;
    const bool together = thread.waiting.kind == Waiting::Kind::warp &&
                          same_place(thread.waiting.place, expected.place) &&
                          thread.waiting.mask == expected.mask;
    if (!together) return false;
  }
  complete(first_lane, leader);
  return true;
}

// Does what the lanes that `leader` names in its mask came together for.
void BlockExecutor::complete(unsigned first_lane, unsigned leader) {
  const std::uint32_t mask = threads_[first_lane + leader].waiting.mask;
  const auto participates = [&](unsigned lane) {
    return lane < warp_lanes && (mask >> lane & 1) != 0 && first_lane + lane < threads_.size() &&
           !threads_[first_lane + lane].done;
  };
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (!participates(lane)) continue;
    Thread& thread = threads_[first_lane + lane];
    thread.result = 0;
    if (thread.waiting.operation == WarpOperation::shuffle) {
      // A lane outside the mask gives an undefined value on a GPU: here the poison, so that a test sees it.
      const unsigned source = thread.waiting.source_lane;
      thread.result = participates(source) ? threads_[first_lane + source].waiting.value : 0xa5a5a5a5a5a5a5a5;
    }
    for (unsigned other = 0; other < warp_lanes; ++other) {
      if (!participates(other)) continue;
      const std::uint64_t value = threads_[first_lane + other].waiting.value;
      const bool counts =
          thread.waiting.operation == WarpOperation::ballot
              ? value != 0
              : thread.waiting.operation == WarpOperation::match && value == thread.waiting.value;
      if (counts) thread.result |= std::uint64_t{1} << other;
    }
  }
  const bool is_barrier = threads_[first_lane + leader].waiting.operation == WarpOperation::synchronize;
  if (is_barrier) races_.synchronize_warp(first_lane, mask);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (participates(lane)) threads_[first_lane + lane].waiting.kind = Waiting::Kind::nothing;
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
  for (Thread& thread : threads_) thread.waiting.kind = Waiting::Kind::nothing;
  races_.synchronize_block();
}

std::string BlockExecutor::describe_waiting(const Thread& thread) const {
  const char* const what = thread.waiting.kind == Waiting::Kind::warp ? " in a warp operation at " : " at ";
  return "block " + to_text(thread.indices.block) + " thread " + to_text(thread.indices.thread) + what +
         to_text(thread.waiting.place);
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
  const ThreadIndices& indices = current_thread();
  return (indices.thread.x +
          indices.block_size.x * (indices.thread.y + indices.block_size.y * indices.thread.z)) %
         warp_lanes;
}

std::uint8_t* shared_memory() {
  return running().shared_memory();
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
