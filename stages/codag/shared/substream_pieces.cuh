#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// One warp for a chunk: it decodes pieces of output, and writes them.
namespace gsst::codag {
namespace {

// What a warp has in shared memory.
template <std::uint32_t SegmentBits>
struct WarpMemory {
  StagedOutput staged;
  SubstreamMemory<SegmentBits> substreams;
};

// Pieces of output that the warp writes itself, each before the next one is staged.
class OwnPieces {
public:
  __device__ OwnPieces(StagedOutput& staged, std::uint8_t* output) : staged_(staged), output_(output) {}

  __device__ StagedOutput& next() { return staged_; }
  __device__ void give(const PieceOfOutput& piece) {
    write_piece<ChainsInOrder>(staged_, piece, output_);
    // The next piece has the bytes of this one as sources, and takes its memory.
    __syncwarp();
  }
  __device__ void finish() {}

private:
  StagedOutput& staged_;
  std::uint8_t* output_;
};

}  // namespace
}  // namespace gsst::codag
