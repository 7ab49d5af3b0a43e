#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/simt/executor.hpp"

namespace gsst::simt {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// Finds pairs of accesses to one byte that nothing orders, of which one writes, and reads of shared memory
/// that no thread of the block has written. __syncthreads() orders all threads of a block, __syncwarp() the
/// lanes in its mask. Nothing else orders threads: not shuffles and votes, and not atomics, which only do not
/// race with each other. Nothing orders the blocks of a grid.
///
/// There are two: race_detector.cpp in the build of preset `race`, where tsan_functions.cpp tells it of the
/// kernel's accesses, and no_race_detector.cpp, which does nothing, in all others.
class RaceDetector {
public:
  /// For one run of `launch`, whose blocks all use the `launch.shared_bytes` bytes at `shared`.
  RaceDetector(const Launch& launch, const std::uint8_t* shared);
  ~RaceDetector();
  RaceDetector(const RaceDetector&) = delete;
  RaceDetector& operator=(const RaceDetector&) = delete;

  /// The next block starts: number `block` of the grid.
  void start_block(unsigned block);
  /// Called by the running thread before it enters the kernel: memory from there to its later stack frames is
  /// the thread's own.
  void start_thread(const void* stack_top);
  /// From here to leave_thread(), the kernel's accesses are those of thread number `thread` of the block.
  void enter_thread(unsigned thread);
  void leave_thread();
  /// All threads of the block have come to a barrier.
  void synchronize_block();
  /// The lanes in `mask` of the warp that starts with thread number `first_lane` have come to a barrier.
  void synchronize_warp(unsigned first_lane, std::uint32_t mask);

  /// Whether a problem was found.
  bool has_problem() const;
  /// Describes the first problem that was found; empty if there was none.
  std::string problem() const;

  /// The running thread accesses `bytes` bytes at `address`, by the instruction before `code`. Accesses
  /// outside of a kernel and to the thread's own stack are ignored.
  static void record(const void* address, std::size_t bytes, AccessKind kind, const void* code);
  /// The running thread got `bytes` bytes at `address` as new memory: what happened there before does not
  /// matter.
  static void forget(std::uintptr_t address, std::size_t bytes);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace gsst::simt
