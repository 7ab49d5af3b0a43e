#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/format/part_size.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/zero_length/04_cuda_runs/decode_kernels.cuh"
#include "stages/zero_length/04_cuda_runs/description.hpp"

// The host side of the decoder.
namespace gsst::zero_length::decoder {
namespace {

const stage::Description description = describe(stage::Operation::decode);

// Compressed bytes of a block for each thread block that copies.
constexpr std::uint64_t copied_bytes = 8192;

DecodeJob lay_out(stage::ScratchLayout& layout, const stage::FrameOnDevice& frame) {
  DecodeJob job{};
  job.frame = frame;
  job.counts = layout.take<unsigned>(frame.block_count);
  job.entries = layout.take<std::uint32_t>(frame.frame_bytes);
  job.second = layout.take<std::uint32_t>(frame.frame_bytes);
  return job;
}

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  stage::ScratchLayout layout(nullptr);
  lay_out(layout, frame);
  return layout.bytes();
}

// Thread blocks that share a block, where each is for `bytes` bytes of a block of mean size.
std::uint32_t parts_of_block(const stage::FrameOnDevice& frame, std::uint64_t bytes) {
  constexpr std::uint64_t most = 65536;
  return static_cast<std::uint32_t>(
      std::min(most, format::part_size(frame.frame_bytes / frame.block_count, bytes)));
}

// `parts` thread blocks for each block of the frame.
template <typename... Parameters, typename... Arguments>
void enqueue(const stage::DecodeRequest& request, std::uint32_t parts, void (*kernel)(Parameters...),
             const Arguments&... arguments) {
  stage::launch({.thread_blocks = request.frame.block_count * parts,
                 .threads_per_block = threads_per_block,
                 .shared_bytes = 0,
                 .stream = request.stream},
                kernel, arguments...);
}

void decode(const stage::DecodeRequest& request) {
  const stage::FrameOnDevice& frame = request.frame;
  stage::ScratchLayout layout(static_cast<std::uint8_t*>(request.scratch));
  DecodeJob job = lay_out(layout, frame);
  job.output = request.output;
  job.status = request.status;
  stage::clear(job.counts, frame.block_count * sizeof(unsigned), request.stream);
  stage::clear(job.status, frame.block_count * sizeof(std::uint32_t), request.stream);
  const std::uint32_t finding_parts = parts_of_block(frame, threads_per_block);
  const std::uint32_t copying_parts = parts_of_block(frame, copied_bytes);
  enqueue(request, finding_parts, list_markers, job, finding_parts);
  enqueue(request, 1, order_markers, job);
  enqueue(request, copying_parts, copy_pieces, job, copying_parts);
}

}  // namespace
}  // namespace gsst::zero_length::decoder
