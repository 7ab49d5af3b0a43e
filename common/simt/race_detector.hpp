#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/simt/executor.hpp"

namespace gsst::simt {

enum class AccessKind : std::uint8_t { read, write, atomic_read, atomic_change };

/// Finds pairs of accesses to one byte that nothing orders, of which one writes, and reads of shared memory
/// that no thread of the block has written. What orders threads, as in PTX's memory model:
/// - __syncthreads() all threads of a block, __syncwarp() the lanes in its mask;
/// - a release that an acquire has seen, in any two threads of the grid: what the one did before its release
///   comes before what the other does after its acquire. A release is a releasing store, or __threadfence()
///   and a later atomic access by the same thread; an acquire is an acquiring load, or an atomic access and a
///   later
///   __threadfence(). The acquire has seen the release if it reads what that stored, or what atomic functions
///   made of it.
/// Nothing else orders threads: not shuffles and votes, and not atomic accesses without a fence, which only
/// do not race with each other.
///
/// There are two: race_detector.cpp in the build of preset `race`, where tsan_functions.cpp tells it of the
/// kernel's accesses, and no_race_detector.cpp, which does nothing, in all others.
class RaceDetector {
public:
  /// For one run of `launch`, at most `slots` of whose blocks are resident at once, each in a slot of its
  /// own.
  RaceDetector(const Launch& launch, unsigned slots);
  ~RaceDetector();
  RaceDetector(const RaceDetector&) = delete;
  RaceDetector& operator=(const RaceDetector&) = delete;

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

  /// Whether a problem was found.
  bool has_problem() const;
  /// Describes the first problem that was found; empty if there was none.
  std::string problem() const;

  // What the running thread does. Outside of a kernel nothing happens.

  /// It accesses `bytes` bytes at `address`, by the instruction before `code`. Accesses to the thread's own
  /// stack are ignored.
  static void record(const void* address, std::size_t bytes, AccessKind kind, const void* code);
  /// It loads or stores the word at `address` atomically, or exchanges it.
  static void order_by_load(const void* address, bool acquires);
  static void order_by_store(const void* address, bool releases);
  static void order_by_exchange(const void* address);
  /// It calls __threadfence().
  static void fence();
  /// It got `bytes` bytes at `address` as new memory: what happened there before does not matter.
  static void forget(std::uintptr_t address, std::size_t bytes);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace gsst::simt
