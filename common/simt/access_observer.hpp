#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/simt/executor.hpp"

namespace gsst::simt {

enum class AccessKind : std::uint8_t { read, write, atomic_read, atomic_change };

/// Looks on while kernels run. What for, the program decides by the source that it is linked with:
/// - race_detector.cpp, in the build of preset `race`, finds races;
/// - access_tracer.cpp, in the programs of `make trace`, counts what accesses cost on a GPU
/// (access_trace.hpp);
/// - no_access_observer.cpp, in all others, does nothing.
/// tsan_functions.cpp tells the first two of the kernel's accesses.
class AccessObserver {
public:
  /// For one run of `launch`, at most `slots` of whose blocks are resident at once, each in a slot of its
  /// own.
  AccessObserver(const Launch& launch, unsigned slots);
  ~AccessObserver();
  AccessObserver(const AccessObserver&) = delete;
  AccessObserver& operator=(const AccessObserver&) = delete;

  /// Number `block` of the grid starts in the slot, with the `launch.shared_bytes` bytes at `shared`.
  void start_block(unsigned slot, unsigned block, const std::uint8_t* shared);
  /// Called by the running thread before it enters the kernel: memory from there to its later stack frames is
  /// the thread's own.
  void start_thread(const void* stack_top);
  /// From here to leave_thread(), the kernel's accesses are those of thread number `thread` of the slot's
  /// block.
  void enter_thread(unsigned slot, unsigned thread);
  void leave_thread();
  /// All threads of the slot's block have come to a barrier.
  void synchronize_block(unsigned slot);
  /// The lanes in `mask` of the warp that starts with thread number `first_lane` have come to a barrier.
  void synchronize_warp(unsigned slot, unsigned first_lane, std::uint32_t mask);
  /// These lanes have come together at a barrier, a shuffle or a vote, which need not order their accesses.
  void converge_warp(unsigned slot, unsigned first_lane, std::uint32_t lanes);

  /// Whether a problem was found.
  bool has_problem() const;
  /// Describes the first problem that was found; empty if there was none.
  std::string problem() const;

  // What the running thread does. Outside of a kernel nothing happens.

  /// It accesses `bytes` bytes at `address`, by the instruction before `code`. Accesses to the thread's own
  /// stack are ignored.
  static void record(const void* address, std::size_t bytes, AccessKind kind, const void* code);
  /// It starts an asynchronous copy of `bytes` bytes of global memory to shared memory. What the executor
  /// does for it passes record() too.
  static void record_copy(const void* to, const void* from, std::size_t bytes, const void* code);
  /// Whether record_operand() is to be called: some kernels call require_multiple() for most of their
  /// accesses.
  static const bool records_operands;
  /// It gives an operand to what stands in for an instruction: require_multiple() got these.
  static void record_operand(std::uintptr_t value, std::size_t alignment, std::string_view what,
                             const void* code);
  /// It comes to a piece of code.
  static void enter_code(const void* code);
  /// It loads or stores the word at `address` atomically, or exchanges it.
  static void order_by_load(const void* address, bool acquires);
  static void order_by_store(const void* address, bool releases);
  static void order_by_exchange(const void* address);
  /// It calls __threadfence().
  static void fence();
  /// It got `bytes` bytes at `address` as new memory: what happened there before does not matter.
  static void forget(std::uintptr_t address, std::size_t bytes);
  /// What the address of new memory is a multiple of, a power of two; in bytes. Of the observers that
  /// tsan_functions.cpp calls.
  static std::size_t alignment_of_new_memory();

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace gsst::simt
