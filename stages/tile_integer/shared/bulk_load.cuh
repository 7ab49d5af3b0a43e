#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/warp_instructions.cuh"

// Copies from global to shared memory by a warp, in pieces of 16 bytes.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t piece_bytes = 16;

// All lanes of a warp: copies `bytes` bytes, a multiple of 16 as both addresses are, a piece a lane at a
// time. Other lanes may read them after a __syncwarp().
__device__ inline void copy_by_lanes(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes,
                                     std::uint32_t lane) {
  constexpr std::uint32_t lanes = 32;
  for (std::uint32_t byte = piece_bytes * lane; byte < bytes; byte += piece_bytes * lanes) {
    *reinterpret_cast<Words4*>(to + byte) = *reinterpret_cast<const Words4*>(from + byte);
  }
}

// One copy that the hardware makes while the warp waits: cp.async.bulk, from compute capability 9.0; on older
// GPUs the lanes copy. The CPU executor copies at the wait, and until then the destination holds a pattern:
// a kernel that reads too early decodes noise.
//
// All lanes of a warp call each function together, each once.
class BulkLoad {
public:
  // Of shared memory, aligned to 8, which belong to the copy until wait() has returned.
  static constexpr std::uint32_t barrier_bytes = 8;

  __device__ explicit BulkLoad(std::uint8_t* barrier) : barrier_(barrier) {}

  // Starts the copy. What lanes have written elsewhere before, they may read after wait(). Addresses and
  // `bytes`, not 0, are multiples of 16 and the same in all lanes.
  __device__ void start(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes, std::uint32_t lane) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (lane == 0) {
      const std::uint32_t barrier = address(barrier_);
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
      // The copy, which signals the barrier, is none of the thread's own accesses.
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                   : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
              address(to)),
          "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier)
          : "memory");
    }
    // The barrier is initialised before any lane waits at it.
    __syncwarp();
#elif defined(__CUDACC__)
    copy_by_lanes(to, from, bytes, lane);
#else
    if (lane != 0) return;
    simt::require_multiple(reinterpret_cast<std::uintptr_t>(to), piece_bytes, "a bulk copy's destination");
    simt::require_multiple(reinterpret_cast<std::uintptr_t>(from), piece_bytes, "a bulk copy's source");
    simt::require_multiple(bytes, piece_bytes, "a bulk copy's size");
    simt::require_multiple(reinterpret_cast<std::uintptr_t>(barrier_), barrier_bytes,
                           "a bulk copy's barrier");
    *reinterpret_cast<std::uint64_t*>(barrier_) = barrier_of_copy;
    constexpr std::uint8_t noise = 0xa5;
    for (std::uint32_t byte = 0; byte < bytes; ++byte) to[byte] = noise;
    to_ = to;
    from_ = from;
    bytes_ = bytes;
#endif
  }

  // Until all lanes may read what was copied.
  __device__ void wait() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    std::uint32_t has_arrived = 0;
    while (has_arrived == 0) {
      asm volatile(
          "{\n"
          ".reg .pred arrived;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%1], 0;\n"
          "selp.u32 %0, 1, 0, arrived;\n"
          "}\n"
          : "=r"(has_arrived)
          : "r"(address(barrier_))
          : "memory");
    }
#else
#if !defined(__CUDACC__)
    if (bytes_ != 0 && *reinterpret_cast<const std::uint64_t*>(barrier_) != barrier_of_copy) {
      // not covered: a mistake of a kernel's author
      throw simt::KernelError("a bulk copy's barrier has been overwritten");
    }
    for (std::uint32_t byte = 0; byte < bytes_; ++byte) to_[byte] = from_[byte];
#endif
    __syncwarp();
#endif
  }

private:
#if defined(__CUDACC__)
  __device__ static std::uint32_t address(const void* memory) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  }
#endif

  std::uint8_t* barrier_;
#if !defined(__CUDACC__)
  static constexpr std::uint64_t barrier_of_copy = 0x4241525249455221;

  // Of lane 0; in the others nothing is to be copied.
  std::uint8_t* to_ = nullptr;
  const std::uint8_t* from_ = nullptr;
  std::uint32_t bytes_ = 0;
#endif
};

}  // namespace
}  // namespace gsst::tile_integer
