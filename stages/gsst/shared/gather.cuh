#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/gsst/encode/encode_plan.hpp"

// Of an input in device memory, a trainer on the host gets no more than its samples.
namespace {

// A piece of the input that the trainer wants, and where it goes among the samples.
struct SampleChunk {
  const std::uint8_t* bytes;
  std::uint64_t size;
  std::uint64_t place;
};

// One thread block a chunk.
__global__ void gather_samples(const SampleChunk* chunks, std::uint8_t* samples) {
  const SampleChunk chunk = chunks[blockIdx.x];
  for (std::uint64_t byte = threadIdx.x; byte < chunk.size; byte += blockDim.x) {
    samples[chunk.place + byte] = chunk.bytes[byte];
  }
}

// The bytes of `chunks`, `sample_bytes` together, on the host. Uses the scratch memory of `request`, and
// waits for its stream.
inline std::vector<std::uint8_t> fetch_samples(const gsst::stage::EncodeRequest& request,
                                               const std::vector<SampleChunk>& chunks,
                                               std::uint64_t sample_bytes) {
  std::vector<std::uint8_t> bytes(sample_bytes);
  if (chunks.empty()) return bytes;
  gsst::stage::ScratchLayout layout(request.scratch);
  auto* const to_gather = layout.take<SampleChunk>(chunks.size());
  auto* const gathered = layout.take<std::uint8_t>(sample_bytes);
  gsst::stage::copy_to_executor(to_gather, std::span<const SampleChunk>(chunks), request.stream);
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(chunks.size()),
                       .threads_per_block = 128,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      gather_samples, to_gather, gathered);
  gsst::stage::copy_to_host(std::span(bytes), gathered, request.stream);
  return bytes;
}

}  // namespace
