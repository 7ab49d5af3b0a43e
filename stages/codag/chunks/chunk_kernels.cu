#include "common/stage/launch.hpp"
#include "stages/codag/chunks/chunk_job.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/codag/chunks/decoders.cuh"
#include "stages/codag/chunks/launch_chunks.cuh"

namespace gsst::codag::chunks {
namespace {

void enqueue_chunks(ChunkCodec codec, const ChunkJob& job, stage::Stream stream) {
  switch (codec) {
    case ChunkCodec::byte_rle:
      return launch_chunks<DecoderOfRuns<ParallelByteRuns>>(job, stream);
    case ChunkCodec::rle_v1:
      return launch_chunks<DecoderOfRuns<ParallelRunsV1>>(job, stream);
    case ChunkCodec::rle_v2:
      return launch_chunks<DecoderOfRuns<ParallelRunsV2>>(job, stream);
    case ChunkCodec::deflate:
      return launch_chunks<DecoderOfDeflate>(job, stream);
  }
}

const ChunkKernelsOn chunk_kernels(stage::this_executor, {.enqueue = enqueue_chunks});

}  // namespace
}  // namespace gsst::codag::chunks
