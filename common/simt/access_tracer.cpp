// Follows the kernel's accesses warp by warp and counts what they cost on a GPU. What the executor needs to
// stand in for a GPU is left out: the stacks of threads and of the host, which on a GPU are registers and
// parameters, the threads' indices, memory that is allocated while a kernel runs, and the loops that copy in
// the place of bulk copies.
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "common/simt/access_observer.hpp"
#include "common/simt/access_trace.hpp"
#include "common/simt/dimensions.hpp"
#include "common/simt/warp_accesses.hpp"

namespace gsst::simt {
namespace {

// Accesses of a warp that may wait until its lanes come together, before they are counted all the same.
constexpr std::size_t most_waiting_accesses = std::size_t{1} << 24;

// The highest address of the host's stack.
const void* end_of_host_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* first = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &first, &bytes);
  pthread_attr_destroy(&attributes);
  return static_cast<const std::uint8_t*>(first) + bytes;
}

bool is_between(const void* address, const void* first, const void* end) {
  return address >= first && address < end;
}

// A copy that one instruction starts, and that a loop of the thread stands in for. The loop may first fill
// the destination with a pattern.
struct StartedCopy {
  std::uintptr_t to = 0;
  std::uintptr_t from = 0;
  std::size_t bytes = 0;
  // Bytes that have been filled, read and written.
  std::size_t filled = 0;
  std::size_t read = 0;
  std::size_t written = 0;
};

// Accesses `address` the next bytes of those at `first`? Then they are gone through.
bool goes_on(std::uintptr_t address, std::size_t bytes, std::uintptr_t first, std::size_t of,
             std::size_t& done) {
  if (done == of || address != first + done) return false;
  done += bytes;
  return true;
}

// Is the access of the loop that stands in for the copy?
bool is_of_copy(StartedCopy& copy, std::uintptr_t address, std::size_t bytes, bool is_load) {
  if (is_load) return goes_on(address, bytes, copy.from, copy.bytes, copy.read);
  return (copy.written < copy.read && goes_on(address, bytes, copy.to, copy.bytes, copy.written)) ||
         (copy.read == 0 && goes_on(address, bytes, copy.to, copy.bytes, copy.filled));
}

// What a thread has told of a copy so far, and its copies that have not ended.
struct CopiesOfThread {
  std::uintptr_t to = 0;
  std::uintptr_t from = 0;
  std::vector<StartedCopy> started;
};

// The block that is resident in a slot.
struct TracedBlock {
  const std::uint8_t* shared = nullptr;
  std::vector<WarpAccesses> warps;
  std::vector<const void*> stack_tops;
  std::vector<CopiesOfThread> copies;
};

}  // namespace

struct AccessObserver::Implementation {
  Implementation(const Launch& of_launch, unsigned slots)
      : launch(of_launch),
        blocks(slots),
        host_stack(__builtin_frame_address(0)),
        host_stack_end(end_of_host_stack()) {
    for (TracedBlock& of_slot : blocks) {
      of_slot.warps.resize((volume(launch.block) + warp_lanes - 1) / warp_lanes);
      of_slot.stack_tops.resize(volume(launch.block));
      of_slot.copies.resize(volume(launch.block));
    }
  }

  bool is_of_the_kernel(const void* address) const;
  bool is_of_a_copy(const void* address, std::size_t bytes, bool is_load);
  void start_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, const void* code);
  void count(WarpAccesses& warp) { warp.count(counts); }
  void move_logged_addresses(AccessTrace& trace) const;
  void add(const void* address, std::size_t bytes, AccessClass of_global, AccessClass of_shared,
           const void* code);
  WarpAccesses& warp() { return block->warps[thread / warp_lanes]; }
  unsigned lane() const { return thread % warp_lanes; }
  bool in_shared(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(block->shared) < launch.shared_bytes;
  }

  const Launch& launch;
  std::vector<TracedBlock> blocks;
  const void* host_stack;
  const void* host_stack_end;
  CountsByCode counts;
  // For the requests of the first block's first warp.
  RequestLog* const log = AccessTrace::current()->log();
  const std::uint8_t* shared_of_log = nullptr;
  // Those that run.
  TracedBlock* block = nullptr;
  unsigned thread = 0;
};

namespace {

// The tracer of the kernel that runs, while one of its threads does.
thread_local AccessObserver* running_tracer = nullptr;

// Pieces of memory: first address and end.
using Pieces = std::map<std::uintptr_t, std::uintptr_t>;

// Those that kernels have allocated. On a GPU what is there is in registers.
thread_local Pieces allocated_by_kernels;
// Those of the host, while requests are logged.
thread_local Pieces allocated_by_host;

// The piece with this address, or the end.
Pieces::const_iterator find_piece(const Pieces& pieces, std::uintptr_t address) {
  const auto after = pieces.upper_bound(address);
  const bool found = after != pieces.begin() && address < std::prev(after)->second;
  return found ? std::prev(after) : pieces.end();
}

void erase_pieces(Pieces& pieces, std::uintptr_t address, std::uintptr_t end) {
  auto range = pieces.upper_bound(address);
  if (range != pieces.begin() && std::prev(range)->second > address) --range;
  while (range != pieces.end() && range->first < end) range = pieces.erase(range);
}

bool is_allocated_by_a_kernel(std::uintptr_t address) {
  return find_piece(allocated_by_kernels, address) != allocated_by_kernels.end();
}

// Gives pieces of global memory other addresses, one piece after the other as they are asked for. Where a
// piece is depends on the sizes of those before it, not on where they are in their periods.
class MovedMemory {
public:
  std::uintptr_t moved(std::uintptr_t address) {
    const auto [first, end] = piece_of(address);
    const auto [found, is_new] = moved_to_.try_emplace(first, memory_.size());
    if (is_new) {
      memory_.push_back({.first = next_ + first % period, .bytes = end - first});
      next_ += (end - first + period - 1) / period * period + period;
    }
    return memory_[found->second].first + (address - first);
  }

  const std::vector<LoggedMemory>& memory() const { return memory_; }

private:
  // Of addresses that cudaMalloc() gives; pieces keep their place in it.
  static constexpr std::uintptr_t period = 256;

  static std::pair<std::uintptr_t, std::uintptr_t> piece_of(std::uintptr_t address) {
    const auto known = find_piece(allocated_by_host, address);
    if (known != allocated_by_host.end()) return *known;
    // What was there before the trace.
    constexpr std::uintptr_t page = 4096;
    return {address / page * page, address / page * page + page};
  }

  std::map<std::uintptr_t, std::size_t> moved_to_;
  std::vector<LoggedMemory> memory_;
  // A multiple of the period.
  std::uintptr_t next_ = 0;
};

// While it lives no tracer sees what happens: what a tracer copies is not the kernel's.
class Untraced {
public:
  Untraced() : tracer_(std::exchange(running_tracer, nullptr)) {}
  ~Untraced() { running_tracer = tracer_; }
  Untraced(const Untraced&) = delete;
  Untraced& operator=(const Untraced&) = delete;
  AccessObserver* tracer() const { return tracer_; }

private:
  AccessObserver* tracer_;
};

}  // namespace

bool can_trace() {
  return true;
}

AccessObserver::AccessObserver(const Launch& launch, unsigned slots) {
  if (AccessTrace::current() != nullptr) implementation_ = std::make_unique<Implementation>(launch, slots);
}

AccessObserver::~AccessObserver() {
  if (!implementation_ || AccessTrace::current() == nullptr) return;
  for (TracedBlock& block : implementation_->blocks) {
    for (WarpAccesses& warp : block.warps) implementation_->count(warp);
  }
  if (implementation_->log != nullptr) implementation_->move_logged_addresses(*AccessTrace::current());
  AccessTrace::current()->add_launch(implementation_->counts, volume(implementation_->launch.grid));
}

void AccessObserver::start_block(unsigned slot, unsigned block, const std::uint8_t* shared) {
  if (!implementation_) return;
  synchronize_block(slot);
  TracedBlock& of_slot = implementation_->blocks[slot];
  of_slot.shared = shared;
  of_slot.warps.front().log_to(block == 0 ? implementation_->log : nullptr);
  if (block == 0) implementation_->shared_of_log = shared;
}

void AccessObserver::start_thread(const void* stack_top) {
  if (implementation_) implementation_->block->stack_tops[implementation_->thread] = stack_top;
}

void AccessObserver::enter_thread(unsigned slot, unsigned thread) {
  if (!implementation_) return;
  implementation_->block = &implementation_->blocks[slot];
  implementation_->thread = thread;
  running_tracer = this;
}

void AccessObserver::leave_thread() {
  running_tracer = nullptr;
}

void AccessObserver::synchronize_block(unsigned slot) {
  if (!implementation_) return;
  for (WarpAccesses& warp : implementation_->blocks[slot].warps) implementation_->count(warp);
}

void AccessObserver::synchronize_warp(unsigned /*slot*/, unsigned /*first_lane*/, std::uint32_t /*mask*/) {}

void AccessObserver::converge_warp(unsigned slot, unsigned first_lane, std::uint32_t lanes) {
  if (!implementation_) return;
  WarpAccesses& warp = implementation_->blocks[slot].warps[first_lane / warp_lanes];
  warp.converge(lanes);
  constexpr std::uint32_t all_lanes = 0xffffffff;
  if (lanes == all_lanes || warp.size() > most_waiting_accesses) implementation_->count(warp);
}

bool AccessObserver::has_problem() const {
  return false;
}

std::string AccessObserver::problem() const {
  return {};
}

bool AccessObserver::Implementation::is_of_the_kernel(const void* address) const {
  const auto* const indices = &current_thread();
  return !is_between(address, __builtin_frame_address(0), block->stack_tops[thread]) &&
         !is_between(address, host_stack, host_stack_end) && !is_between(address, indices, indices + 1) &&
         !is_allocated_by_a_kernel(reinterpret_cast<std::uintptr_t>(address));
}

void AccessObserver::Implementation::move_logged_addresses(AccessTrace& trace) const {
  MovedMemory memory;
  for (WarpRequest& request : log->requests) {
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      if ((request.lanes >> lane & 1) == 0) continue;
      std::uintptr_t& address = request.addresses[lane];
      address = is_shared(request.access_class) ? address - reinterpret_cast<std::uintptr_t>(shared_of_log)
                                                : memory.moved(address);
    }
  }
  trace.set_memory(memory.memory());
}

bool AccessObserver::Implementation::is_of_a_copy(const void* address, std::size_t bytes, bool is_load) {
  std::vector<StartedCopy>& started = block->copies[thread].started;
  const auto found = std::ranges::find_if(started, [&](StartedCopy& copy) {
    return is_of_copy(copy, reinterpret_cast<std::uintptr_t>(address), bytes, is_load);
  });
  if (found == started.end()) return false;
  if (found->written == found->bytes) started.erase(found);
  return true;
}

void AccessObserver::Implementation::start_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                                                const void* code) {
  if (bytes == 0) return;
  const auto add_side = [&](std::uintptr_t address) {
    const bool shared = in_shared(address);
    warp().add_copy(lane(), shared ? AccessClass::shared_copy : AccessClass::global_copy, address, bytes,
                    code);
  };
  add_side(from);
  add_side(to);
  block->copies[thread].started.push_back({.to = to, .from = from, .bytes = bytes});
}

void AccessObserver::Implementation::add(const void* address, std::size_t bytes, AccessClass of_global,
                                         AccessClass of_shared, const void* code) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  warp().add(lane(), in_shared(number) ? of_shared : of_global, number, bytes, code);
}

void AccessObserver::record(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  const Untraced untraced;
  if (untraced.tracer() == nullptr) return;
  Implementation& state = *untraced.tracer()->implementation_;
  if (!state.is_of_the_kernel(address)) return;
  const bool is_load = kind == AccessKind::read || kind == AccessKind::atomic_read;
  if (state.is_of_a_copy(address, bytes, is_load)) return;
  // The executor's atomic functions load and then exchange.
  if (kind == AccessKind::atomic_change) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const AccessClass atomic =
        state.in_shared(number) ? AccessClass::shared_atomic : AccessClass::global_atomic;
    if (state.warp().make_atomic(state.lane(), number, atomic)) return;
  }
  state.add(address, bytes, is_load ? AccessClass::global_load : AccessClass::global_store,
            is_load ? AccessClass::shared_load : AccessClass::shared_store, code);
}

void AccessObserver::enter_code(const void* code) {
  const Untraced untraced;
  if (untraced.tracer() == nullptr) return;
  Implementation& state = *untraced.tracer()->implementation_;
  state.warp().enter(state.lane(), code);
}

void AccessObserver::record_copy(const void* to, const void* from, std::size_t bytes, const void* code) {
  const Untraced untraced;
  if (untraced.tracer() == nullptr) return;
  Implementation& state = *untraced.tracer()->implementation_;
  state.add(from, bytes, AccessClass::global_copy, AccessClass::global_copy, code);
  state.add(to, bytes, AccessClass::shared_copy, AccessClass::shared_copy, code);
}

const bool AccessObserver::records_operands = true;
void AccessObserver::record_operand(std::uintptr_t value, std::size_t alignment, std::string_view what,
                                    const void* code) {
  const Untraced untraced;
  if (untraced.tracer() == nullptr) return;
  constexpr std::string_view of_bulk_copy = "a bulk copy's ";
  constexpr std::string_view of_asynchronous_copy = "an asynchronous copy's ";
  const bool is_bulk = what.starts_with(of_bulk_copy);
  if (!is_bulk && !what.starts_with(of_asynchronous_copy)) return;
  what.remove_prefix(is_bulk ? of_bulk_copy.size() : of_asynchronous_copy.size());
  Implementation& state = *untraced.tracer()->implementation_;
  CopiesOfThread& copies = state.block->copies[state.thread];
  if (what == "destination") copies.to = value;
  if (what == "source") copies.from = value;
  // An asynchronous copy is as long as its addresses are aligned.
  if (is_bulk && what == "size") state.start_copy(copies.to, copies.from, value, code);
  if (!is_bulk && what == "source") state.start_copy(copies.to, copies.from, alignment, code);
}

void AccessObserver::order_by_load(const void* /*address*/, bool /*acquires*/) {}
void AccessObserver::order_by_store(const void* /*address*/, bool /*releases*/) {}
void AccessObserver::order_by_exchange(const void* /*address*/) {}
void AccessObserver::fence() {}
void AccessObserver::forget(std::uintptr_t address, std::size_t bytes) {
  // The maps' own memory: an iterator of their caller would end where it erases a piece.
  static thread_local bool is_inserting = false;
  if (is_inserting) return;
  const auto end = address + bytes;
  erase_pieces(allocated_by_kernels, address, end);
  erase_pieces(allocated_by_host, address, end);
  const Untraced untraced;
  const bool by_kernel = untraced.tracer() != nullptr;
  const bool is_logged = AccessTrace::current() != nullptr && AccessTrace::current()->log() != nullptr;
  if (!by_kernel && !is_logged) return;
  is_inserting = true;
  (by_kernel ? allocated_by_kernels : allocated_by_host).emplace(address, end);
  is_inserting = false;
}

// As cudaMalloc(): otherwise what is aligned on a GPU would touch one sector more here.
std::size_t AccessObserver::alignment_of_new_memory() {
  constexpr std::size_t alignment_on_gpu = 256;
  return alignment_on_gpu;
}

}  // namespace gsst::simt

// What code compiled with -fsanitize-coverage=trace-pc calls at the begin of each piece that is gone through
// to its end. The name is the compiler's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void __sanitizer_cov_trace_pc() {
  gsst::simt::AccessObserver::enter_code(__builtin_return_address(0));
}
