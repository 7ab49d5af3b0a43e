// Follows the kernel's accesses warp by warp and counts what they cost on a GPU. What the executor needs to
// stand in for a GPU is left out: the stacks of threads and of the host, which on a GPU are registers and
// parameters, and the threads' indices.
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <memory>
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

// The block that is resident in a slot.
struct TracedBlock {
  const std::uint8_t* shared = nullptr;
  std::vector<WarpAccesses> warps;
  std::vector<const void*> stack_tops;
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
    }
  }

  bool is_of_the_kernel(const void* address) const;
  void count(WarpAccesses& warp) { warp.count(counts); }
  void add(const void* address, std::size_t bytes, AccessClass of_global, AccessClass of_shared,
           const void* code);
  bool in_shared(const void* address) const {
    return is_between(address, block->shared, block->shared + launch.shared_bytes);
  }

  const Launch& launch;
  std::vector<TracedBlock> blocks;
  const void* host_stack;
  const void* host_stack_end;
  CountsByCode counts;
  // Those that run.
  TracedBlock* block = nullptr;
  unsigned thread = 0;
};

namespace {

// The tracer of the kernel that runs, while one of its threads does.
thread_local AccessObserver* running_tracer = nullptr;

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
  AccessTrace::current()->add_launch(implementation_->counts, volume(implementation_->launch.grid));
}

void AccessObserver::start_block(unsigned slot, unsigned /*block*/, const std::uint8_t* shared) {
  if (!implementation_) return;
  synchronize_block(slot);
  implementation_->blocks[slot].shared = shared;
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
         !is_between(address, host_stack, host_stack_end) && !is_between(address, indices, indices + 1);
}

void AccessObserver::Implementation::add(const void* address, std::size_t bytes, AccessClass of_global,
                                         AccessClass of_shared, const void* code) {
  block->warps[thread / warp_lanes].add(thread % warp_lanes, in_shared(address) ? of_shared : of_global,
                                        reinterpret_cast<std::uintptr_t>(address), bytes, code);
}

void AccessObserver::record(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  const Untraced untraced;
  if (untraced.tracer() == nullptr) return;
  Implementation& state = *untraced.tracer()->implementation_;
  if (!state.is_of_the_kernel(address)) return;
  // The executor's atomic functions load and then exchange.
  if (kind == AccessKind::atomic_change) {
    const AccessClass atomic =
        state.in_shared(address) ? AccessClass::shared_atomic : AccessClass::global_atomic;
    WarpAccesses& warp = state.block->warps[state.thread / warp_lanes];
    if (warp.make_atomic(state.thread % warp_lanes, reinterpret_cast<std::uintptr_t>(address), atomic))
      return;
  }
  const bool is_load = kind == AccessKind::read || kind == AccessKind::atomic_read;
  state.add(address, bytes, is_load ? AccessClass::global_load : AccessClass::global_store,
            is_load ? AccessClass::shared_load : AccessClass::shared_store, code);
}

void AccessObserver::record_copy(const void* to, const void* from, std::size_t bytes, const void* code) {
  const Untraced untraced;
  if (untraced.tracer() == nullptr) return;
  Implementation& state = *untraced.tracer()->implementation_;
  state.add(from, bytes, AccessClass::global_copy, AccessClass::global_copy, code);
  state.add(to, bytes, AccessClass::shared_copy, AccessClass::shared_copy, code);
}

void AccessObserver::order_by_load(const void* /*address*/, bool /*acquires*/) {}
void AccessObserver::order_by_store(const void* /*address*/, bool /*releases*/) {}
void AccessObserver::order_by_exchange(const void* /*address*/) {}
void AccessObserver::fence() {}
void AccessObserver::forget(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

// As cudaMalloc(): otherwise what is aligned on a GPU would touch one sector more here.
std::size_t AccessObserver::alignment_of_new_memory() {
  constexpr std::size_t alignment_on_gpu = 256;
  return alignment_on_gpu;
}

}  // namespace gsst::simt
