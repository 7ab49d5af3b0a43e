#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/chunks/kernel_places.cuh"
#include "stages/codag/chunks/launch_chunks.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/input_stream.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/shared_line_bytes.cuh"
#include "stages/codag/shared/word_bytes.cuh"

// A new codec: who reads and who writes is done here, so that it is one function over the two streams
// (examples/new_codec.cu).
namespace gsst::codag::chunks {
namespace {

template <std::uint32_t ValueBytes>
__device__ inline auto writer_to(std::uint8_t* output) {
  if constexpr (ValueBytes == 1) {
    return WordBytes(output);
  } else {
    return WordValues(output, ValueBytes);
  }
}

// `Codec` has
//   static constexpr std::uint32_t value_bytes;
//   template <typename Input, typename Output>
//   __device__ static format::codag::Problem decode(Input& input, Output& output);
// which all lanes of a warp call, so that all of them know the same. It reads `input` (InputStream) and calls
// functions of `output` (OutputStream), for no more values than output.left() says, and no copies from before
// the output's first byte; copies are for values of one byte. A problem is at input.position(). What is wrong
// if none is returned is found here: values that are missing, bytes that are left.
template <typename Codec>
struct DecoderOfStreams {
  static constexpr std::uint32_t memory_bytes = SharedLineBytes::buffer_bytes;

  __device__ static DecodedChunk decode(const CodedChunk& chunk, bool /*may_have_less*/,
                                        std::uint8_t* memory) {
    InputStream input(SharedLineBytes(chunk.stream, chunk.stream_bytes, memory));
    OutputStream output(writer_to<Codec::value_bytes>(chunk.output), chunk.values);
    auto problem = Codec::decode(input, output);
    using format::codag::Problem;
    if (problem == Problem::none && input.is_past_end()) problem = Problem::cut_run;
    if (problem == Problem::none && output.left() != 0) problem = Problem::too_few_values;
    if (problem == Problem::none && !input.is_at_end()) problem = Problem::bytes_left;
    return {.status = problem == Problem::none ? 0 : format::codag::status_of(problem, input.position()),
            .bytes = chunk.values * Codec::value_bytes};
  }
};

// Enqueues the decoding of the chunks of `job`, whose values are the codec's.
template <typename Codec>
void launch_codec(ChunkJob job, stage::Stream stream) {
  job.value_bytes = Codec::value_bytes;
  job.may_have_less = false;
  launch_chunks<DecoderOfStreams<Codec>>(job, stream);
}

}  // namespace
}  // namespace gsst::codag::chunks
