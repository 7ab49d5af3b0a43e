#pragma once

#include <algorithm>
#include <cstddef>

#include "common/stage/decode_plan.hpp"

/// What the stages that decode splits share on the host: thread blocks, threads and shared memory of a
/// launch.
namespace gsst::stage {

/// The parameters `thread_blocks` and `threads_per_block` (thesis, Table 5.3). 0 follows the frame: as many
/// thread blocks as data blocks (Eq 5.7), as many threads as splits, in whole warps.
inline std::vector<Parameter> splits_launch_parameters() {
  return {
      {.name = "thread_blocks",
       .description = "thread blocks; 0: one per data block",
       .values = {0, 1, 2, 3, 7, 64, 128, 256, 512, 1024, 2048},
       .default_value = 0,
       .compile_time = false},
      {.name = "threads_per_block",
       .description = "threads of a thread block; 0: one per split, in whole warps",
       .values = {0, 32, 64, 96, 128, 160, 192, 224, 256},
       .default_value = 0,
       .compile_time = false},
      {.name = "shared_kilobytes",
       .description =
           "KiB of shared memory that a thread block asks for, used or not (thesis 5.4.2); 0: what it uses",
       .values = {0, 10, 20, 30, 40, 56, 75, 113},
       .default_value = 0,
       .compile_time = false}};
}

/// The thread blocks that `request` asks for.
inline unsigned wanted_thread_blocks(const Description& stage, const DecodeRequest& request) {
  const std::int64_t wanted = parameter_value(stage, request.parameters, "thread_blocks");
  return wanted == 0 ? request.frame.block_count : static_cast<unsigned>(wanted);
}

/// The threads per block that `request` asks for. More splits than 256 are decoded in turns.
inline unsigned wanted_threads_per_block(const Description& stage, const DecodeRequest& request) {
  const std::int64_t wanted = parameter_value(stage, request.parameters, "threads_per_block");
  constexpr unsigned lanes = 32;
  constexpr unsigned most = 256;
  const unsigned whole_warps = (request.frame.split_count + lanes - 1) / lanes * lanes;
  return wanted == 0 ? std::min(whole_warps, most) : static_cast<unsigned>(wanted);
}

/// The bytes of shared memory that `request` asks for with a kernel that uses `used` bytes of it.
inline std::size_t wanted_shared_bytes(const Description& stage, const DecodeRequest& request,
                                       std::size_t used) {
  const std::int64_t wanted = parameter_value(stage, request.parameters, "shared_kilobytes");
  return std::max(used, static_cast<std::size_t>(wanted) * 1024);
}

}  // namespace gsst::stage
