#include "common/simt/executor.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "common/simt/access_observer.hpp"
#include "common/simt/block_executor.hpp"
#include "common/simt/dimensions.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace gsst::simt {
namespace {

// A thread may read words in vain so often before a grid in which nothing else goes on counts as one that
// hangs: more often than a kernel tries that gives up after some attempts.
constexpr unsigned most_vain_rounds = 1000;

// The block that runs: kernels call free functions, as in CUDA.
thread_local BlockExecutor* running_block = nullptr;

// What the order seed decides of a grid: how many blocks are resident at once, in which order they start, and
// how often the next turn is the same block's.
struct Schedule {
  unsigned resident = 1;
  bool in_rising_order = true;
  unsigned same_block_in_4 = 0;
};

Schedule schedule_of(std::uint64_t seed) {
  if (seed == 0) return {};
  // The finalizer of MurmurHash3: neighbouring seeds have unlike schedules.
  seed = (seed ^ seed >> 33) * 0xff51afd7ed558ccd;
  seed = (seed ^ seed >> 33) * 0xc4ceb9fe1a85ec53;
  seed ^= seed >> 33;
  return {.resident = 1 + static_cast<unsigned>(seed & 0xff) % 6,
          .in_rising_order = (seed >> 8 & 1) != 0,
          .same_block_in_4 = static_cast<unsigned>(seed >> 9 & 3)};
}

class GridExecutor {
public:
  GridExecutor(const Launch& launch, const std::function<void()>& thread_body)
      : launch_(launch),
        schedule_(schedule_of(launch.order_seed)),
        random_(launch.order_seed),
        slots_(std::min(schedule_.resident, volume(launch.grid))),
        observer_(launch, slots_),
        state_{.launch = launch, .thread_body = thread_body, .observer = observer_, .slots = slots_},
        to_start_(schedule_.in_rising_order ? 0 : volume(launch.grid)) {
    std::iota(to_start_.begin(), to_start_.end(), 0u);
    for (std::size_t i = to_start_.size(); i > 1; --i) {
      std::swap(to_start_[i - 1], to_start_[random_.below(i)]);
    }
    for (unsigned slot = 0; slot < slots_; ++slot) {
      blocks_.push_back(std::make_unique<BlockExecutor>(state_, slot));
    }
    runnable_.reserve(blocks_.size());
  }

  void run() {
    BlockExecutor* last = nullptr;
    while (true) {
      for (const auto& block : blocks_) {
        if (block->has_ended() && started_ < volume(launch_.grid)) start_next(*block);
      }
      if (std::ranges::all_of(blocks_, [](const auto& block) { return block->has_ended(); })) return;
      last = choose(last);
      if (last != nullptr) {
        take_turn(*last);
      } else {
        wake_all();
      }
    }
  }

private:
  void start_next(BlockExecutor& block) {
    block.start(to_start_.empty() ? started_ : to_start_[started_]);
    ++started_;
  }

  // The block whose turn is next, or null if none can go on.
  BlockExecutor* choose(BlockExecutor* last) {
    runnable_.clear();
    for (const auto& block : blocks_) {
      if (block->can_run()) runnable_.push_back(block.get());
    }
    if (runnable_.empty()) return nullptr;
    if (runnable_.size() == 1) return runnable_.front();
    if (last != nullptr && last->can_run() && random_.below(4) < schedule_.same_block_in_4) return last;
    return runnable_[random_.below(runnable_.size())];
  }

  static void take_turn(BlockExecutor& block) {
    struct Running {
      explicit Running(BlockExecutor& block) { running_block = &block; }
      ~Running() { running_block = nullptr; }
    };
    const Running running(block);
    block.take_turn();
  }

  // A thread may give up after some attempts, so all are woken before the kernel counts as one that hangs.
  void wake_all() {
    if (++state_.vain_rounds > most_vain_rounds) throw KernelError(describe_hang());
    for (const auto& block : blocks_) block->wake();
  }

  std::string describe_hang() const {
    std::string text = "hang: what threads wait for does not change any more: ";
    const char* separator = "";
    for (const auto& block : blocks_) {
      for (const std::string& thread :
           {block->describe_thread_that_waits_for_a_change(), block->describe_thread_at_a_barrier()}) {
        if (thread.empty()) continue;
        text += std::exchange(separator, "; ") + thread;
      }
    }
    return text + "; " + std::to_string(volume(launch_.grid) - started_) + " of " +
           std::to_string(volume(launch_.grid)) + " blocks wait until one of " + std::to_string(slots_) +
           " ends (order seed " + std::to_string(launch_.order_seed) + ")";
  }

  const Launch& launch_;
  Schedule schedule_;
  RandomNumbers random_;
  unsigned slots_;
  AccessObserver observer_;
  GridState state_;
  // The numbers of the blocks in the order of their starts; empty for the rising order.
  std::vector<unsigned> to_start_;
  unsigned started_ = 0;
  std::vector<std::unique_ptr<BlockExecutor>> blocks_;
  std::vector<BlockExecutor*> runnable_;
};

BlockExecutor& running() {
  if (running_block == nullptr) throw std::logic_error("called outside of a kernel");
  return *running_block;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer calls it before it prints its report, which knows neither blocks nor threads of CUDA.
// NOLINTNEXTLINE(readability-identifier-naming,bugprone-reserved-identifier,misc-use-internal-linkage)
extern "C" void __asan_on_error() {
  if (running_block == nullptr || __asan_report_present() == 0) return;
  const void* const code = __asan_get_report_pc();
  // Without it the report is of a signal: its place is the first of the calls in the report.
  const std::string text =
      code == nullptr
          ? to_text(running_block->indices()) + " accesses an address where there is no memory, at #0:"
          : running_block->describe_wrong_access(__asan_get_report_address(), __asan_get_report_access_size(),
                                                 __asan_get_report_access_type() != 0, code);
  std::fprintf(stderr, "%s\n", text.c_str());
}

// So does UndefinedBehaviorSanitizer, whose report names the line.
// NOLINTNEXTLINE(readability-identifier-naming,bugprone-reserved-identifier,misc-use-internal-linkage)
extern "C" void __ubsan_on_report() {
  if (running_block == nullptr) return;
  std::fprintf(stderr, "%s does what C++ leaves undefined:\n", to_text(running_block->indices()).c_str());
}
#endif

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
  Launch with_seed = launch;
  if (with_seed.order_seed == 0) with_seed.order_seed = default_order_seed;
  GridExecutor(with_seed, thread_body).run();
}

const ThreadIndices& current_thread() {
  return running().indices();
}

unsigned current_lane() {
  return running().lane();
}

void begin_atomic_access(const void* address, std::size_t bytes, Place place) {
  require_multiple(reinterpret_cast<std::uintptr_t>(address), bytes, "an atomic function's address", place);
  if (running_block != nullptr) running_block->give_way_by_seed();
}

void after_atomic_read(const void* address, std::uint64_t value, Place place) {
  if (running_block != nullptr) running_block->has_read(address, value, place);
}

void after_atomic_change() {
  if (running_block == nullptr) return;
  running_block->has_changed();
  running_block->give_way_by_seed();
}

std::uint64_t word_at(const void* address, std::size_t bytes) {
  return bytes == 4 ? *static_cast<const std::uint32_t*>(address)
                    : *static_cast<const std::uint64_t*>(address);
}

void fence() {
  AccessObserver::fence();
}

void start_copy(const void* to, const void* from, std::size_t bytes) {
  AccessObserver::record_copy(to, from, bytes, __builtin_return_address(0));
}

std::uint8_t* shared_memory() {
  return running().shared_memory();
}

void require_multiple(std::uintptr_t value, std::size_t alignment, const char* what, Place place) {
  if (AccessObserver::records_operands) {
    AccessObserver::record_operand(value, alignment, what, __builtin_return_address(0));
  }
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
