#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/frame_check.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/shared/payload_check.cuh"

// Registers the check of frames of this series for the executor that a source is compiled for.
namespace gsst::tile_integer {
namespace {

// A thread for each block that the frame can have, after the check of blocks. The decoders learn from the
// first block how large the others are, so a frame whose first block was refused is refused.
__global__ void refuse_after_first_block(FrameCheck check) {
  const std::uint32_t block = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t refusal = check.refusals[0];
  if (block >= check.bounds.block_count || (refusal & 0xff) != frame::refused_block_status) return;
  if (block == 0) {
    check.checked->problem = problem_key(CheckStep::records, 0, static_cast<FrameProblem>(refusal >> 8));
    return;
  }
  std::uint8_t* const entry = check.entries + block * format::index_entry_bytes;
  write_empty_entry(entry,
                    reinterpret_cast<std::uintptr_t>(entry) - reinterpret_cast<std::uintptr_t>(check.frame));
  check.refusals[block] = frame::refused_frame_status;
}

inline void enqueue_integer_checks(const FrameCheck& check, stage::Stream stream) {
  enqueue_checks<IntegerPayloads>(check, stream);
  launch_threads(check.bounds.block_count, index_threads, stream, refuse_after_first_block, check);
}

const stage::KernelsOn<IntegerFrameCheck> frame_check_registration(stage::this_executor,
                                                                   {{.enqueue_check = enqueue_integer_checks,
                                                                     .enqueue_result = enqueue_result}});

}  // namespace
}  // namespace gsst::tile_integer
