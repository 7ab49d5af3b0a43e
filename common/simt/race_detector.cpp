// Finds pairs of accesses to one byte that nothing orders, of which one writes, and reads of shared memory
// that no thread of the block has written. What orders threads, as in PTX's memory model:
// - __syncthreads() all threads of a block, __syncwarp() the lanes in its mask;
// - a release that an acquire has seen, in any two threads of the grid: what the one did before its release
//   comes before what the other does after its acquire. A release is a releasing store, or __threadfence()
//   and a later atomic access by the same thread; an acquire is an acquiring load, or an atomic access and a
//   later __threadfence(). The acquire has seen the release if it reads what that stored, or what atomic
//   functions made of it.
// Nothing else orders threads: not shuffles and votes, and not atomic accesses without a fence, which only
// do not race with each other.
#include "common/simt/access_observer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/simt/access_trace.hpp"
#include "common/simt/dimensions.hpp"
#include "common/simt/source_line.hpp"

namespace gsst::simt {
namespace {

struct Access {
  // Where the instruction that follows it stands.
  const void* code = nullptr;
  unsigned block = 0;
  // Barriers of the block before it.
  unsigned interval = 0;
  // The thread's own count in its warp's clocks.
  unsigned warp_clock = 0;
  std::uint16_t thread = 0;
  AccessKind kind = AccessKind::read;

  bool operator==(const Access&) const = default;
};

// The accesses of a launch, which the bytes' histories know by their numbers: the same of all bytes that an
// instruction accesses, and mostly of all that it accesses between two barriers.
class Accesses {
public:
  using Number = std::uint32_t;

  Number number_of(const Access& access) {
    Number& recent = recent_[reinterpret_cast<std::uintptr_t>(access.code) % recent_.size()];
    if (recent >= accesses_.size() || accesses_[recent] != access) {
      recent = static_cast<Number>(accesses_.size());
      accesses_.push_back(access);
    }
    return recent;
  }

  const Access& operator[](Number number) const { return accesses_[number]; }

  // What the thread of this access had run since the block's last barrier when it came to it.
  std::vector<const void*> code_before(Number number) const {
    const Access& access = accesses_[number];
    std::vector<const void*> code;
    for (Number i = 0; i < number; ++i) {
      const Access& before = accesses_[i];
      if (before.thread == access.thread && before.block == access.block &&
          before.interval == access.interval && std::ranges::find(code, before.code) == code.end()) {
        code.push_back(before.code);
      }
    }
    return code;
  }

private:
  std::vector<Access> accesses_;
  std::array<Number, 256> recent_{};
};

bool in_same_step(const Access& left, const Access& right) {
  return left.thread == right.thread && left.kind == right.kind && left.interval == right.interval &&
         left.warp_clock == right.warp_clock && left.block == right.block;
}

bool is_read(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::atomic_read;
}

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic_read || kind == AccessKind::atomic_change;
}

bool can_conflict(AccessKind left, AccessKind right) {
  const bool both_read = is_read(left) && is_read(right);
  const bool both_atomic = is_atomic(left) && is_atomic(right);
  return !both_read && !both_atomic;
}

// Whether all that conflicts with an access of kind `earlier` conflicts with one of kind `later` too.
bool replaces(AccessKind later, AccessKind earlier) {
  return later == AccessKind::write || later == earlier || earlier == AccessKind::atomic_read;
}

// The accesses to one byte that a later one may conflict with. Of more than four readers without a barrier
// between them four are kept: a later write conflicts with one of these, unless it is ordered after just
// them.
struct ByteHistory {
  std::array<Accesses::Number, 4> accesses{};
  // The block that wrote it, counted from 1; 0 if nobody has. For shared memory, where a block's history ends
  // with it.
  unsigned writing_block = 0;
  unsigned last_block = 0;
  std::uint8_t count = 0;

  bool operator==(const ByteHistory&) const = default;
};

struct Problem {
  Access access;
  // Empty for a read of what nobody wrote.
  std::optional<Accesses::Number> earlier;
  // Offset in shared memory, or empty.
  std::optional<std::size_t> shared_byte;
};

// Histories of global memory. Most accesses are to the page of the one before.
class GlobalHistories {
public:
  ByteHistory& at(std::uintptr_t address) { return page(address / page_bytes)[address % page_bytes]; }

  void forget(std::uintptr_t address, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      const auto found = pages_.find((address + i) / page_bytes);
      if (found != pages_.end()) (*found->second)[(address + i) % page_bytes] = {};
    }
  }

private:
  static constexpr std::size_t page_bytes = 256;
  using Page = std::array<ByteHistory, page_bytes>;

  Page& page(std::uintptr_t number) {
    if (last_ == nullptr || number != last_number_) {
      std::unique_ptr<Page>& page = pages_[number];
      if (!page) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return *last_;
  }

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  std::uintptr_t last_number_ = 0;
};

const char* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "reads";
    case AccessKind::write:
      return "writes";
    case AccessKind::atomic_read:
      return "atomically reads";
    case AccessKind::atomic_change:
      return "atomically changes";
  }
  return "";
}

// The calls that lead to an access, from the kernel inwards: "A called from B" gives B, A.
std::vector<std::string> calls_to(const std::string& place) {
  static constexpr std::string_view separator = " called from ";
  std::vector<std::string> calls;
  for (std::size_t begin = 0; begin <= place.size();) {
    const std::size_t end = std::min(place.find(separator, begin), place.size());
    calls.push_back(place.substr(begin, end - begin));
    begin = end + separator.size();
  }
  std::ranges::reverse(calls);
  return calls;
}

// The number of the line in "FILE:LINE", or 0.
unsigned long line_in(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  return colon == std::string::npos ? 0 : std::strtoul(place.c_str() + colon + 1, nullptr, 10);
}

std::string file_in(const std::string& place) {
  return place.substr(0, place.rfind(':'));
}

// Where the ways to two accesses part: the outermost lines that differ, where all threads can come to.
std::pair<std::string, std::string> where_they_part(const std::string& first, const std::string& second) {
  const std::vector<std::string> one = calls_to(first);
  const std::vector<std::string> other = calls_to(second);
  std::size_t same = 0;
  while (same + 1 < std::min(one.size(), other.size()) && one[same] == other[same]) ++same;
  return {one[same], other[same]};
}

// Between which lines a barrier would order two accesses that ran in this order. `is_a_turn_ahead`: the
// thread of the earlier one had come by the later one's line before, and is one turn of a loop ahead.
std::string where_a_barrier_belongs(const std::string& earlier, const std::string& later,
                                    bool is_a_turn_ahead) {
  auto [from, to] = where_they_part(earlier, later);
  if (from == to) return "; both are at one line: a barrier would belong between two turns of its loop";
  if (is_a_turn_ahead) std::swap(from, to);
  const bool is_next_turn = file_in(from) == file_in(to) && line_in(to) < line_in(from);
  return "; a __syncthreads() between " + from + " and " + to +
         (is_next_turn ? " of the loop's next turn" : "") + " would order them";
}

// Of each lane of a warp, up to which of its clocks another thread knows what it did.
using WarpClocks = std::array<unsigned, warp_lanes>;

void join(WarpClocks& left, const WarpClocks& right) {
  std::ranges::transform(left, right, left.begin(),
                         [](unsigned one, unsigned other) { return std::max(one, other); });
}

// What comes before a place in a thread's program by releases and acquires.
class Knowledge {
public:
  // What thread number `thread` of `block` did until now, at this barrier interval and with these clocks.
  void add(unsigned block, unsigned interval, unsigned thread, const WarpClocks& clocks) {
    KnownBlock& known = blocks_[block];
    known.interval = std::max(known.interval, interval);
    join(known.warps[thread / warp_lanes], clocks);
  }

  void add(const Knowledge& other) {
    for (const auto& [block, more] : other.blocks_) {
      KnownBlock& known = blocks_[block];
      known.interval = std::max(known.interval, more.interval);
      for (const auto& [warp, clocks] : more.warps) join(known.warps[warp], clocks);
    }
  }

  bool includes(const Access& access) const {
    const auto block = blocks_.find(access.block);
    if (block == blocks_.end()) return false;
    if (access.interval < block->second.interval) return true;
    const auto warp = block->second.warps.find(access.thread / warp_lanes);
    return warp != block->second.warps.end() && access.warp_clock <= warp->second[access.thread % warp_lanes];
  }

private:
  struct KnownBlock {
    // All before the block's barrier of this number.
    unsigned interval = 0;
    std::map<unsigned, WarpClocks> warps;
  };

  std::map<unsigned, KnownBlock> blocks_;
};

// Nobody changes what others may have; null for none.
using SharedKnowledge = std::shared_ptr<const Knowledge>;

void add(SharedKnowledge& knowledge, const SharedKnowledge& more) {
  if (more == nullptr || more == knowledge) return;
  if (knowledge == nullptr) {
    knowledge = more;
    return;
  }
  auto both = std::make_shared<Knowledge>(*knowledge);
  both->add(*more);
  knowledge = std::move(both);
}

struct ThreadState {
  // A clock for each lane of its warp: how far it knows it to be. Its own counts barriers of the warp and
  // releases.
  WarpClocks clocks{};
  const void* stack_top = nullptr;
  SharedKnowledge knowledge;
  // What it gets to know by its next fence, and what its relaxed stores release since its last one.
  SharedKnowledge seen_by_relaxed_loads;
  SharedKnowledge released_by_fence;
};

// The block that is resident in a slot.
struct BlockState {
  unsigned block = 0;
  unsigned interval = 0;
  const std::uint8_t* shared = nullptr;
  std::vector<ByteHistory> shared_histories;
  std::vector<ThreadState> threads;
};

}  // namespace

struct AccessObserver::Implementation {
  Implementation(const Launch& of_launch, unsigned slots) : launch(of_launch), blocks(slots) {
    for (BlockState& of_slot : blocks) {
      of_slot.shared_histories.resize(launch.shared_bytes);
      of_slot.threads.resize(volume(launch.block));
      for (unsigned i = 0; i < of_slot.threads.size(); ++i) of_slot.threads[i].clocks[i % warp_lanes] = 1;
    }
  }

  void record(const std::uint8_t* address, std::size_t bytes, AccessKind kind, const void* code);
  bool begin_shared(ByteHistory& history, AccessKind kind) const;
  std::optional<Accesses::Number> record_byte(ByteHistory& history, Accesses::Number number) const;
  bool is_a_turn_ahead(Accesses::Number earlier, const std::string& earlier_place,
                       const std::string& later_place) const;
  bool is_ordered(const Access& earlier, const Access& now) const;
  std::string describe(const Access& access) const;
  ThreadState& running() { return block->threads[thread]; }
  SharedKnowledge release();

  const Launch& launch;
  Accesses accesses;
  GlobalHistories global_histories;
  std::vector<BlockState> blocks;
  // What an acquire gets to know from the word at an address.
  std::map<std::uintptr_t, SharedKnowledge> released;
  bool has_released = false;
  // Those that run.
  BlockState* block = nullptr;
  unsigned thread = 0;
  std::optional<Problem> problem;
};

namespace {

// The detector of the kernel that runs, while one of its threads does.
thread_local AccessObserver* running_observer = nullptr;

// While it lives no detector sees what happens: what a detector allocates and copies is not the kernel's.
class Unseen {
public:
  Unseen() : observer_(std::exchange(running_observer, nullptr)) {}
  ~Unseen() { running_observer = observer_; }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
  AccessObserver* observer() const { return observer_; }

private:
  AccessObserver* observer_;
};

}  // namespace

AccessObserver::AccessObserver(const Launch& launch, unsigned slots)
    : implementation_(std::make_unique<Implementation>(launch, slots)) {}

AccessObserver::~AccessObserver() = default;

void AccessObserver::start_block(unsigned slot, unsigned block, const std::uint8_t* shared) {
  BlockState& state = implementation_->blocks[slot];
  state.block = block;
  state.interval = 0;
  state.shared = shared;
  for (ThreadState& thread : state.threads) {
    thread.knowledge = thread.seen_by_relaxed_loads = thread.released_by_fence = nullptr;
  }
  auto& released = implementation_->released;
  const auto first = reinterpret_cast<std::uintptr_t>(shared);
  released.erase(released.lower_bound(first), released.lower_bound(first + state.shared_histories.size()));
}

void AccessObserver::start_thread(const void* stack_top) {
  implementation_->running().stack_top = stack_top;
}

void AccessObserver::enter_thread(unsigned slot, unsigned thread) {
  implementation_->block = &implementation_->blocks[slot];
  implementation_->thread = thread;
  running_observer = this;
}

void AccessObserver::leave_thread() {
  running_observer = nullptr;
}

void AccessObserver::synchronize_block(unsigned slot) {
  BlockState& block = implementation_->blocks[slot];
  ++block.interval;
  SharedKnowledge all;
  for (const ThreadState& thread : block.threads) add(all, thread.knowledge);
  for (ThreadState& thread : block.threads) thread.knowledge = all;
}

void AccessObserver::synchronize_warp(unsigned slot, unsigned first_lane, std::uint32_t mask) {
  auto& threads = implementation_->blocks[slot].threads;
  const auto for_each_lane = [&](auto&& function) {
    for (unsigned lane = 0; lane < warp_lanes && first_lane + lane < threads.size(); ++lane) {
      if ((mask >> lane & 1) != 0) function(lane, threads[first_lane + lane]);
    }
  };
  WarpClocks joined{};
  SharedKnowledge all;
  for_each_lane([&](unsigned /*lane*/, const ThreadState& thread) {
    join(joined, thread.clocks);
    add(all, thread.knowledge);
  });
  for_each_lane([&](unsigned lane, ThreadState& thread) {
    thread.clocks = joined;
    ++thread.clocks[lane];
    thread.knowledge = all;
  });
}

void AccessObserver::converge_warp(unsigned /*slot*/, unsigned /*first_lane*/, std::uint32_t /*lanes*/) {}

// All that the running thread did and knows until now. What it does later is not part of it.
SharedKnowledge AccessObserver::Implementation::release() {
  ThreadState& state = running();
  auto all = state.knowledge ? std::make_shared<Knowledge>(*state.knowledge) : std::make_shared<Knowledge>();
  all->add(block->block, block->interval, thread, state.clocks);
  ++state.clocks[thread % warp_lanes];
  has_released = true;
  return all;
}

void AccessObserver::order_by_load(const void* address, bool acquires) {
  const Unseen unseen;
  if (unseen.observer() == nullptr) return;
  Implementation& state = *unseen.observer()->implementation_;
  const auto found = state.released.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == state.released.end()) return;
  add(acquires ? state.running().knowledge : state.running().seen_by_relaxed_loads, found->second);
}

void AccessObserver::order_by_store(const void* address, bool releases) {
  const Unseen unseen;
  if (unseen.observer() == nullptr) return;
  Implementation& state = *unseen.observer()->implementation_;
  state.released[reinterpret_cast<std::uintptr_t>(address)] =
      releases ? state.release() : state.running().released_by_fence;
}

void AccessObserver::order_by_exchange(const void* address) {
  const Unseen unseen;
  if (unseen.observer() == nullptr) return;
  Implementation& state = *unseen.observer()->implementation_;
  SharedKnowledge& released = state.released[reinterpret_cast<std::uintptr_t>(address)];
  add(state.running().seen_by_relaxed_loads, released);
  add(released, state.running().released_by_fence);
}

void AccessObserver::fence() {
  const Unseen unseen;
  if (unseen.observer() == nullptr) return;
  Implementation& state = *unseen.observer()->implementation_;
  add(state.running().knowledge, state.running().seen_by_relaxed_loads);
  state.running().released_by_fence = state.release();
}

void AccessObserver::record(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  const Unseen unseen;
  if (unseen.observer() == nullptr) return;
  unseen.observer()->implementation_->record(static_cast<const std::uint8_t*>(address), bytes, kind, code);
}

// The bytes pass record() when they are copied.
void AccessObserver::record_copy(const void* /*to*/, const void* /*from*/, std::size_t /*bytes*/,
                                 const void* /*code*/) {}
const bool AccessObserver::records_operands = false;
void AccessObserver::record_operand(std::uintptr_t /*value*/, std::size_t /*alignment*/,
                                    std::string_view /*what*/, const void* /*code*/) {}
void AccessObserver::enter_code(const void* /*code*/) {}

void AccessObserver::forget(std::uintptr_t address, std::size_t bytes) {
  if (running_observer != nullptr) {
    running_observer->implementation_->global_histories.forget(address, bytes);
  }
}

void AccessObserver::Implementation::record(const std::uint8_t* address, std::size_t bytes, AccessKind kind,
                                            const void* code) {
  if (problem) return;
  if (address >= __builtin_frame_address(0) && address < running().stack_top) return;
  const Access now = {.code = code,
                      .block = block->block,
                      .interval = block->interval,
                      .warp_clock = running().clocks[thread % warp_lanes],
                      .thread = static_cast<std::uint16_t>(thread),
                      .kind = kind};
  const Accesses::Number number = accesses.number_of(now);
  const std::uint8_t* const shared = block->shared;
  const bool is_shared = address >= shared && address < shared + block->shared_histories.size();
  // Bytes that an instruction accesses together mostly have the same history.
  ByteHistory before;
  ByteHistory after;
  for (std::size_t i = 0; i < bytes; ++i) {
    std::optional<std::size_t> shared_byte;
    if (is_shared && address + i < shared + block->shared_histories.size()) {
      shared_byte = static_cast<std::size_t>(address + i - shared);
    }
    ByteHistory& history = shared_byte ? block->shared_histories[*shared_byte]
                                       : global_histories.at(reinterpret_cast<std::uintptr_t>(address + i));
    if (shared_byte && !begin_shared(history, kind)) {
      problem = {.access = now, .earlier = {}, .shared_byte = shared_byte};
      return;
    }
    if (i > 0 && history == before) {
      history = after;
      continue;
    }
    before = history;
    if (const auto earlier = record_byte(history, number)) {
      problem = {.access = now, .earlier = earlier, .shared_byte = shared_byte};
      return;
    }
    after = history;
  }
}

// Returns whether a thread of the block has written the byte of shared memory, be it with this access.
bool AccessObserver::Implementation::begin_shared(ByteHistory& history, AccessKind kind) const {
  const unsigned this_block = block->block + 1;
  if (history.last_block != this_block) {
    history.count = 0;
    history.last_block = this_block;
  }
  if (kind == AccessKind::write) history.writing_block = this_block;
  return history.writing_block == this_block;
}

// Returns the access that conflicts with the one of this number, the running thread's.
std::optional<Accesses::Number> AccessObserver::Implementation::record_byte(ByteHistory& history,
                                                                            Accesses::Number number) const {
  const Access& now = accesses[number];
  if (history.count == 1 && in_same_step(accesses[history.accesses[0]], now)) return {};
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < history.count; ++i) {
    const Access& earlier = accesses[history.accesses[i]];
    const bool ordered = is_ordered(earlier, now);
    if (!ordered && can_conflict(earlier.kind, now.kind)) return history.accesses[i];
    if (ordered && replaces(now.kind, earlier.kind)) continue;
    history.accesses[kept++] = history.accesses[i];
  }
  if (kept < history.accesses.size()) {
    history.accesses[kept++] = number;
  } else if (!is_read(now.kind)) {
    history.accesses[kept - 1] = number;
  }
  history.count = kept;
  return {};
}

// Whether the earlier access comes before this one of the running thread.
bool AccessObserver::Implementation::is_ordered(const Access& earlier, const Access& now) const {
  const ThreadState& state = block->threads[now.thread];
  if (earlier.block == now.block) {
    if (earlier.thread == now.thread || earlier.interval < now.interval) return true;
    if (earlier.thread / warp_lanes == now.thread / warp_lanes &&
        earlier.warp_clock <= state.clocks[earlier.thread % warp_lanes]) {
      return true;
    }
  }
  return state.knowledge && state.knowledge->includes(earlier);
}

// Whether the thread of access `earlier`, since the block's last barrier, had come by the line of the later
// one before.
bool AccessObserver::Implementation::is_a_turn_ahead(Accesses::Number earlier,
                                                     const std::string& earlier_place,
                                                     const std::string& later_place) const {
  const std::string later_line = where_they_part(earlier_place, later_place).second;
  const std::vector<std::string> places = source_lines(accesses.code_before(earlier));
  return std::ranges::any_of(
      places, [&](const std::string& place) { return std::ranges::count(calls_to(place), later_line) != 0; });
}

std::string AccessObserver::Implementation::describe(const Access& access) const {
  return "block " + to_text(unflatten(access.block, launch.grid)) + " thread " +
         to_text(unflatten(access.thread, launch.block)) + " " + verb(access.kind);
}

bool AccessObserver::has_problem() const {
  return implementation_->problem.has_value();
}

std::string AccessObserver::problem() const {
  const std::optional<Problem>& problem = implementation_->problem;
  if (!problem) return {};
  const std::string memory = problem->shared_byte
                                 ? "byte " + std::to_string(*problem->shared_byte) + " of shared memory"
                                 : "global memory";
  const std::string place = source_line(problem->access.code);
  const std::string access = implementation_->describe(problem->access) + " " + memory + " at " + place;
  if (!problem->earlier) return access + ", which no thread of the block has written";
  const Access& earlier = implementation_->accesses[*problem->earlier];
  const std::string earlier_place = source_line(earlier.code);
  const std::string both =
      "race: " + access + "; " + implementation_->describe(earlier) + " the same byte at " + earlier_place;
  if (earlier.block == problem->access.block) {
    const bool is_ahead = implementation_->is_a_turn_ahead(*problem->earlier, earlier_place, place);
    return both + ", and no barrier is between them" +
           where_a_barrier_belongs(earlier_place, place, is_ahead);
  }
  return both + (implementation_->has_released ? ", and no release that an acquire has seen is between them"
                                               : ", and nothing orders the blocks of a grid");
}

std::size_t AccessObserver::alignment_of_new_memory() {
  return alignof(std::max_align_t);
}

bool can_trace() {
  return false;
}

}  // namespace gsst::simt
