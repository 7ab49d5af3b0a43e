#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/run_block.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// Runs are unpacked and expanded in shared memory, in one kernel (paper, section 6): GPU-RFOR.
namespace gsst::tile_integer {
namespace {

// All threads, with the run block's words on their way to shared memory: its `values` values go to `output`.
template <typename Number>
__device__ inline void decode_run_block(const StagedWords& words, std::uint32_t start,
                                        const RunMemory<Number>& memory, const TypeOnDevice& type,
                                        std::uint32_t values, std::uint8_t* output) {
  find_runs(words, start, memory, type.reference_words);
  __syncthreads();
  // The second scatter, the other way round: each place takes the value of its run.
  for (std::uint32_t place = threadIdx.x; place < values; place += threads_of_run_block) {
    store_value(output + std::uint64_t{place} * type.value_bytes, memory.values[memory.runs[place]],
                type.value_bytes);
  }
}

// Thread blocks of threads_of_run_block threads, parts_of() of them; a part is a run block, with
// run_shared_bytes() of shared memory.
__global__ void decode_runs(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                            std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes, run_block_values);
  const std::uint64_t first = std::uint64_t{part.number()} * run_block_values;
  const std::uint32_t all = payload.values();
  // Of all threads or of none: barriers follow.
  if (first >= all) return;
  const auto values =
      static_cast<std::uint32_t>(all - first < run_block_values ? all - first : run_block_values);
  const std::uint32_t start = payload.start(part.number());
  const std::uint32_t end = payload.start(part.number() + 1);
  std::uint8_t* const part_output = part.block().output + first * type.value_bytes;
  if (type.value_bytes == 8) {
    const RunMemory<std::uint64_t> parts(memory);
    decode_run_block(stage_words(payload, start, end, parts.words), start, parts, type, values, part_output);
  } else {
    const RunMemory<std::uint32_t> parts(memory);
    decode_run_block(stage_words(payload, start, end, parts.words), start, parts, type, values, part_output);
  }
}

// On the host.

// Bytes of RunMemory with the words of the largest run block that the frame may hold.
inline std::size_t run_shared_bytes(const stage::FrameOnDevice& frame) {
  const format::tile_integer::TypeShape largest = extreme_shape(frame, false);
  const std::size_t number_bytes = largest.value_bytes == 8 ? 8 : 4;
  const std::size_t words = 2 * run_block_values + warps_of_run_block + 2 * (max_miniblocks_of_stream + 1) +
                            format::tile_integer::max_run_block_words(largest);
  return run_block_values * number_bytes + words * sizeof(std::uint32_t);
}

}  // namespace
}  // namespace gsst::tile_integer
