#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"

// The word that is left for a chunk.
namespace gsst::codag {
namespace {

// After the last step() of a decoder, which has found `problem`.
template <typename Codec, typename Input>
__device__ inline std::uint32_t chunk_status(const CodedChunk& chunk, format::codag::Problem problem,
                                             const Codec& codec, const Input& input) {
  using format::codag::Problem;
  std::uint32_t place = codec.run();
  if (problem == Problem::none && !input.is_at_end()) {
    problem = Problem::bytes_left;
    place = input.position();
  }
  return problem == Problem::none ? 0 : status_of(problem, std::uint64_t{chunk.stream_offset} + place);
}

}  // namespace
}  // namespace gsst::codag
