#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/bulk_load.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Bulk copies of a warp that goes on from tile to tile: while it works on what some have brought, the next
// ones are under way.
namespace gsst::tile_integer {
namespace {

// Two slots of shared memory, which groups of copies fill by turns: group n fills slot n % 2. A group is
// `Copies` copies, one for each column that is read, and lane c starts the one of column c. Each slot has one
// barrier, at which all copies of a group arrive. It is initialised once: from then on it counts phases, one
// a group. As with BulkLoad, GPUs before compute capability 9.0 copy by lanes, and the CPU executor copies at
// the wait and shows noise until then.
//
// All lanes of a warp call each function together.
template <std::uint32_t Copies>
class CopyRing {
public:
  static constexpr std::uint32_t slots = 2;
  // Before the slots, for their barriers.
  static constexpr std::uint32_t head_bytes = 16;

  __host__ __device__ static constexpr std::uint32_t bytes(std::uint32_t slot_bytes) {
    return head_bytes + slots * slot_bytes;
  }

  // `memory` is shared memory of the warp alone, aligned to 16: bytes(slot_bytes) bytes. A slot has a
  // multiple of 16 bytes.
  __device__ CopyRing(std::uint8_t* memory, std::uint32_t slot_bytes)
      : memory_(memory), slot_bytes_(slot_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (lane_number() == 0) {
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier(slot)), "r"(Copies) : "memory");
      }
      // The copies, which signal the barriers, are none of the thread's own accesses.
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncwarp();
#elif !defined(__CUDACC__)
    // What lies after the copied words may be read, whatever it is. The check for memory that nobody has
    // written should find mistakes alone.
    for (std::uint32_t byte = lane_number(); byte < bytes(slot_bytes); byte += lanes_of_warp) {
      memory[byte] = noise;
    }
    __syncwarp();
#endif
  }

  // Slot of group `number`, aligned to 16.
  __device__ std::uint8_t* slot(std::uint32_t number) const {
    return memory_ + head_bytes + number % slots * slot_bytes_;
  }

  // Starts group `number`: groups are started in order, at most two of them before the first is waited for.
  // The slot's former content may be read until then. Lane c < Copies says where column c comes from, where
  // it goes in the slot and how long it is, multiples of 16; 0 bytes are a copy too, which has nothing to do.
  __device__ void start(std::uint32_t number, const std::uint8_t* from, std::uint32_t offset,
                        std::uint32_t bytes) {
    // No lane reads the slot any more.
    __syncwarp();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (lane_number() >= Copies) return;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier(number)), "r"(bytes)
                 : "memory");
    if (bytes == 0) return;
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            address(slot(number) + offset)),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier(number))
        : "memory");
#elif defined(__CUDACC__)
    for (std::uint32_t column = 0; column < Copies; ++column) {
      const auto source = static_cast<int>(column);
      const auto* const first = reinterpret_cast<const std::uint8_t*>(
          __shfl_sync(every_lane, reinterpret_cast<unsigned long long>(from), source));
      copy_by_lanes(slot(number) + __shfl_sync(every_lane, offset, source), first,
                    __shfl_sync(every_lane, bytes, source), lane_number());
    }
#else
    if (lane_number() >= Copies) return;
    simt::require_multiple(reinterpret_cast<std::uintptr_t>(slot(number) + offset), piece_bytes,
                           "a bulk copy's destination");
    simt::require_multiple(reinterpret_cast<std::uintptr_t>(from), piece_bytes, "a bulk copy's source");
    simt::require_multiple(bytes, piece_bytes, "a bulk copy's size");
    for (std::uint32_t byte = 0; byte < bytes; ++byte) slot(number)[offset + byte] = noise;
    copies_[number % slots] = {.from = from, .offset = offset, .bytes = bytes};
#endif
  }

  // Until all lanes may read what group `number` has brought.
  __device__ void wait(std::uint32_t number) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const std::uint32_t parity = number / slots % 2;
    std::uint32_t has_arrived = 0;
    while (has_arrived == 0) {
      asm volatile(
          "{\n"
          ".reg .pred arrived;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%1], %2;\n"
          "selp.u32 %0, 1, 0, arrived;\n"
          "}\n"
          : "=r"(has_arrived)
          : "r"(barrier(number)), "r"(parity)
          : "memory");
    }
#else
#if !defined(__CUDACC__)
    Copy& copy = copies_[number % slots];
    for (std::uint32_t byte = 0; byte < copy.bytes; ++byte) {
      slot(number)[copy.offset + byte] = copy.from[byte];
    }
    copy.bytes = 0;
#endif
    __syncwarp();
#endif
  }

  // After lanes have written to a slot themselves, before a copy into it is started.
  __device__ static void finish_own_writes() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    // A copy is none of the threads' accesses, so that no barrier of theirs orders it.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    __syncwarp();
  }

private:
#if defined(__CUDACC__)
  __device__ static std::uint32_t address(const void* memory) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  }
  // Of group `number`.
  __device__ std::uint32_t barrier(std::uint32_t number) const {
    constexpr std::uint32_t barrier_bytes = head_bytes / slots;
    return address(memory_) + number % slots * barrier_bytes;
  }
#endif

  std::uint8_t* memory_;
  std::uint32_t slot_bytes_;
#if !defined(__CUDACC__)
  static constexpr std::uint8_t noise = 0xa5;

  // The lane's own that are under way; in lanes without a column nothing is to be copied.
  struct Copy {
    const std::uint8_t* from = nullptr;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  Copy copies_[slots];
#endif
};

}  // namespace
}  // namespace gsst::tile_integer
