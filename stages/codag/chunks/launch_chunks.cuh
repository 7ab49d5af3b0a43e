#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/chunks/chunk_job.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/chunks/kernel_places.cuh"

// The host side: warps for all chunks of a job.
namespace gsst::codag::chunks {
namespace {

template <typename Decoder>
void launch_chunks(const ChunkJob& job, stage::Stream stream) {
  constexpr std::uint32_t warps_of_block = 4;
  stage::launch({.thread_blocks = (job.chunk_count + warps_of_block - 1) / warps_of_block,
                 .threads_per_block = warps_of_block * lanes_of_warp,
                 .shared_bytes = std::size_t{warps_of_block} * Decoder::memory_bytes,
                 .stream = stream},
                decode_places<Decoder>, job);
}

}  // namespace
}  // namespace gsst::codag::chunks
