#include "common/simt/block_executor.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "common/simt/source_line.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

// What a debugger prints for these words of a kernel's source, where they are macros: those of the thread
// that runs, or ran last. Nothing reads them.
// NOLINTBEGIN(readability-identifier-naming,cppcoreguidelines-avoid-non-const-global-variables)
thread_local gsst::simt::Dimensions threadIdx;
thread_local gsst::simt::Dimensions blockIdx;
thread_local gsst::simt::Dimensions blockDim;
thread_local gsst::simt::Dimensions gridDim;
// NOLINTEND(readability-identifier-naming,cppcoreguidelines-avoid-non-const-global-variables)

namespace gsst::simt {

namespace {

constexpr std::uint8_t poison = 0xa5;
constexpr std::size_t red_zone_bytes = 4096;
constexpr std::size_t shared_alignment = 128;

bool same_place(const Place& left, const Place& right) {
  return left.line == right.line && (left.file == right.file || std::string_view(left.file) == right.file);
}

}  // namespace

// The shared memory of launches, one after the other: the red zone behind reaches over the most that a block
// can have. Nobody may access it but between open() and close().
class SharedMemory {
public:
  SharedMemory()
      : storage_(max_shared_bytes + red_zone_bytes + shared_alignment), first_(first_aligned(storage_)) {
    ASAN_POISON_MEMORY_REGION(storage_.data(), storage_.size());
  }
  ~SharedMemory() { ASAN_UNPOISON_MEMORY_REGION(storage_.data(), storage_.size()); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Whether a block of today's limit has room.
  bool is_large_enough() const {
    return storage_.size() >= max_shared_bytes + red_zone_bytes + shared_alignment;
  }

  // Returns the first of the launch's `bytes` bytes.
  std::uint8_t* open(std::size_t bytes) {
    ASAN_UNPOISON_MEMORY_REGION(first_, bytes);
    return first_;
  }
  void close(std::size_t bytes) { ASAN_POISON_MEMORY_REGION(first_, bytes); }

  // Whether it is shared memory, or near it.
  bool has(const void* address) const {
    const auto* const byte = static_cast<const std::uint8_t*>(address);
    return byte >= storage_.data() && byte < storage_.data() + storage_.size();
  }

private:
  static std::uint8_t* first_aligned(std::vector<std::uint8_t>& storage) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
    return storage.data() + (shared_alignment - address % shared_alignment) % shared_alignment;
  }

  std::vector<std::uint8_t> storage_;
  std::uint8_t* first_;
};

namespace {

// Fibers that have finished, and shared memory, for the next launch: making a stack and unwinding it costs
// more than a small kernel's thread.
thread_local std::vector<Fiber> idle_fibers;
thread_local std::vector<std::unique_ptr<SharedMemory>> idle_shared_memories;

Fiber take_fiber() {
  if (idle_fibers.empty()) return {};
  Fiber fiber = std::move(idle_fibers.back());
  idle_fibers.pop_back();
  return fiber;
}

std::unique_ptr<SharedMemory> take_shared_memory() {
  std::unique_ptr<SharedMemory> memory;
  if (!idle_shared_memories.empty()) {
    memory = std::move(idle_shared_memories.back());
    idle_shared_memories.pop_back();
  }
  if (!memory || !memory->is_large_enough()) memory = std::make_unique<SharedMemory>();
  return memory;
}

void show_to_debugger(const ThreadIndices& indices) {
  ::threadIdx = indices.thread;
  ::blockIdx = indices.block;
  ::blockDim = indices.block_size;
  ::gridDim = indices.grid_size;
}

std::string count_of_bytes(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string describe(const ThreadIndices& indices, const Waiting& waiting) {
  const std::string thread = to_text(indices);
  if (waiting.kind == Waiting::Kind::change) {
    return thread + " reads " + std::to_string(waiting.value) + " again and again at " +
           to_text(waiting.place);
  }
  return thread + (waiting.kind == Waiting::Kind::warp ? " in a warp operation at " : " at ") +
         to_text(waiting.place);
}

}  // namespace

BlockExecutor::BlockExecutor(GridState& grid, unsigned slot)
    : grid_(grid),
      slot_(slot),
      threads_(volume(grid.launch.block)),
      warp_has_run_((threads_.size() + warp_lanes - 1) / warp_lanes),
      shared_memory_(take_shared_memory()),
      shared_(shared_memory_->open(grid.launch.shared_bytes)) {
  ready_.reserve(threads_.size());
  turn_.reserve(threads_.size());
  for (Thread& thread : threads_) thread.fiber = take_fiber();
}

BlockExecutor::~BlockExecutor() {
  for (Thread& thread : threads_) {
    if (thread.done) idle_fibers.push_back(std::move(thread.fiber));
    if (thread.stopped) thread.fiber.abandon();
  }
  // The others' stacks are unwound, which may still look at shared memory.
  threads_.clear();
  shared_memory_->close(grid_.launch.shared_bytes);
  idle_shared_memories.push_back(std::move(shared_memory_));
}

void BlockExecutor::start(unsigned block) {
  const Launch& launch = grid_.launch;
  random_ = RandomNumbers(launch.order_seed * 0x9e3779b97f4a7c15 + block);
  std::fill_n(shared_, launch.shared_bytes, poison);
  grid_.observer.start_block(slot_, block, shared_);
  threads_left_ = threads_.size();
  for (unsigned index = 0; index < threads_.size(); ++index) {
    Thread& thread = threads_[index];
    thread.indices = {.thread = unflatten(index, launch.block),
                      .block = unflatten(block, launch.grid),
                      .block_size = launch.block,
                      .grid_size = launch.grid};
    thread.lane = index % warp_lanes;
    thread.done = false;
    thread.words_read.clear();
    make_ready(index);
    // An exception cannot leave a fiber's stack; the first one is thrown by take_turn(). Only errors are
    // caught: a fiber that is destroyed while it waits unwinds its stack by an exception of its own, which
    // must pass.
    thread.fiber.start([this] {
      grid_.observer.start_thread(__builtin_frame_address(0));
      try {
        grid_.thread_body();
      } catch (const std::exception&) {
        if (!failure_) failure_ = std::current_exception();
      }
    });
  }
}

bool BlockExecutor::can_run() const {
  return !ready_.empty() || (!parked_.empty() && parked_at_ != grid_.changes);
}

void BlockExecutor::wake() {
  for (const unsigned index : parked_) make_ready(index);
  parked_.clear();
}

void BlockExecutor::take_turn() {
  if (parked_at_ != grid_.changes) wake();
  run_threads();
  if (!failure_) look_for_races();
  if (!failure_ && !has_ended()) {
    release_warps();
    if (ready_.empty() && parked_.empty() && !failure_) release_block_barrier();
  }
  if (failure_) std::rethrow_exception(failure_);
}

std::uint64_t BlockExecutor::wait(const Waiting& waiting) {
  Thread& thread = *current_;
  thread.waiting = waiting;
  thread.fiber.suspend();
  return thread.result;
}

void BlockExecutor::give_way_by_seed() {
  if (grid_.launch.order_seed != 0 && random_.below(2) == 0) wait({.kind = Waiting::Kind::turn});
}

void BlockExecutor::has_read(const void* address, std::uint64_t value, Place place) {
  Thread& thread = *current_;
  // What the set does to its memory is not the kernel's.
  grid_.observer.leave_thread();
  if (std::exchange(thread.read_at, grid_.changes) != grid_.changes) thread.words_read.clear();
  const bool is_new = thread.words_read.insert(address).second;
  grid_.observer.enter_thread(slot_, static_cast<unsigned>(&thread - threads_.data()));
  if (is_new) {
    grid_.vain_rounds = 0;
  } else {
    wait({.kind = Waiting::Kind::change, .place = place, .value = value});
  }
}

void BlockExecutor::has_changed() {
  ++grid_.changes;
  grid_.vain_rounds = 0;
}

void BlockExecutor::stop(const std::string& problem) {
  if (!failure_) failure_ = std::make_exception_ptr(KernelError(problem));
  current_->stopped = true;
  current_->fiber.suspend();
  std::abort();
}

void BlockExecutor::make_ready(unsigned index) {
  threads_[index].waiting.kind = Waiting::Kind::nothing;
  ready_.push_back(index);
}

void BlockExecutor::shuffle_ready_threads() {
  if (grid_.launch.order_seed == 0) return;
  for (std::size_t i = ready_.size(); i > 1; --i) std::swap(ready_[i - 1], ready_[random_.below(i)]);
}

void BlockExecutor::run_threads() {
  shuffle_ready_threads();
  const std::size_t count = grid_.slots == 1 ? ready_.size() : 1 + random_.below(ready_.size());
  const auto end = ready_.begin() + static_cast<std::ptrdiff_t>(count);
  turn_.assign(ready_.begin(), end);
  ready_.erase(ready_.begin(), end);
  for (const unsigned index : turn_) {
    Thread& thread = threads_[index];
    current_ = &thread;
    show_to_debugger(thread.indices);
    grid_.observer.enter_thread(slot_, index);
    thread.done = thread.fiber.resume();
    grid_.observer.leave_thread();
    warp_has_run_[index / warp_lanes] = 1;
    if (thread.done) {
      --threads_left_;
      grid_.vain_rounds = 0;
    } else if (thread.waiting.kind == Waiting::Kind::turn) {
      make_ready(index);
    } else if (thread.waiting.kind == Waiting::Kind::change) {
      if (parked_.empty()) parked_at_ = thread.read_at;
      parked_.push_back(index);
    }
  }
  current_ = nullptr;
}

// After the turn: an access cannot throw, so a thread goes on to its next barrier.
void BlockExecutor::look_for_races() {
  if (grid_.observer.has_problem()) failure_ = std::make_exception_ptr(KernelError(grid_.observer.problem()));
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
            KernelError(describe(thread.indices, thread.waiting) + ": its own lane is not in the mask"));
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
  grid_.observer.converge_warp(slot_, first_lane, group);
  switch (operation.operation) {
    case WarpOperation::synchronize:
      grid_.observer.synchronize_warp(slot_, first_lane, operation.mask);
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
      failure_ = std::make_exception_ptr(KernelError(
          "threads wait for each other at different places: " + describe(first->indices, first->waiting) +
          "; " + describe(thread.indices, thread.waiting)));
      return;
    }
  }
  for (unsigned index = 0; index < threads_.size(); ++index) {
    if (!threads_[index].done) make_ready(index);
  }
  grid_.observer.synchronize_block(slot_);
}

std::string BlockExecutor::describe_wrong_access(const void* address, std::size_t bytes, bool is_write,
                                                 const void* code) const {
  const auto* const byte = static_cast<const std::uint8_t*>(address);
  const std::uint8_t* const end = shared_ + grid_.launch.shared_bytes;
  std::string text = to_text(current_->indices) + (is_write ? " writes " : " reads ") + count_of_bytes(bytes);
  if (!shared_memory_->has(address)) {
    text += " outside of all buffers";
  } else if (byte < shared_) {
    text += ", " + count_of_bytes(static_cast<std::size_t>(shared_ - byte)) + " before";
  } else {
    text += ", " + count_of_bytes(static_cast<std::size_t>(byte + bytes - end)) + " past";
  }
  if (shared_memory_->has(address)) {
    text += " the block's shared memory of " + count_of_bytes(grid_.launch.shared_bytes);
  }
  return text + ", at " + source_line(code);
}

std::string BlockExecutor::describe_thread_that_waits_for_a_change() const {
  const auto first = std::ranges::min_element(parked_);
  if (first == parked_.end()) return "";
  return describe(threads_[*first].indices, threads_[*first].waiting);
}

std::string BlockExecutor::describe_thread_at_a_barrier() const {
  const auto first = std::ranges::find_if(threads_, [](const Thread& thread) {
    return !thread.done && (thread.waiting.kind == Waiting::Kind::block_barrier ||
                            thread.waiting.kind == Waiting::Kind::warp);
  });
  return first == threads_.end() ? "" : describe(first->indices, first->waiting);
}

}  // namespace gsst::simt
