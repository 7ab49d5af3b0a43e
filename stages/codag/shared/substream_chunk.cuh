#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/prefix_code.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/substream_input.cuh"
#include "stages/codag/shared/substream_region.cuh"
#include "stages/codag/shared/substream_tables.cuh"
#include "stages/codag/shared/word_bytes.cuh"

// How a warp decodes a chunk in regions, whoever copies the matches of what it stages.
namespace gsst::codag {
namespace {

// An output for Deflate, as OutputStream, of which others write parts. All lanes of a warp together.
class SharedOutput {
public:
  __device__ SharedOutput(std::uint8_t* output, std::uint32_t bytes)
      : bytes_(output), output_(output), count_(bytes) {}

  __device__ std::uint32_t left() const { return count_ - place_; }
  __device__ void write_value(std::uint32_t value) {
    bytes_.write_value(place_, value);
    advance(1);
  }
  __device__ void copy(std::uint32_t distance, std::uint32_t count) {
    bytes_.copy(place_, distance, count);
    advance(count);
  }
  __device__ void write_bytes(const std::uint8_t* bytes, std::uint32_t count) {
    bytes_.write_bytes(place_, bytes, count);
    advance(count);
  }

  __device__ std::uint8_t* output() const { return output_; }
  __device__ std::uint32_t place() const { return place_; }
  // Past what others have written.
  __device__ void advance(std::uint32_t count) { place_ += count; }

private:
  WordBytes bytes_;
  std::uint8_t* output_;
  std::uint32_t count_;
  std::uint32_t place_ = 0;
};

// What a warp has in shared memory to decode in regions of segments of `SegmentBits` bits.
template <std::uint32_t SegmentBits>
struct SubstreamMemory {
  RegionMemory<SegmentBits> region;
  alignas(16) SubstreamTables tables;
};

// Some sections of a chunk.
struct ChunkPart {
  // Where the first one begins in the stream, and in the output.
  std::uint64_t bit = 0;
  std::uint32_t place = 0;
  // No section begins here or later.
  std::uint64_t end_bit = ~std::uint64_t{0};
};

// What became of a chunk, or of a part of it.
struct DecodedSubstreams {
  // 0 where the stream is right and has all bytes of the chunk.
  std::uint32_t status;
  // Those that the stream has up to there, where it is right.
  std::uint32_t bytes;
  bool is_right;
};

// All lanes of a warp, for a chunk that is not raw, and an output at the begin of the part. `pieces` has
// memory for what is staged, next(), and gets the pieces by their order, give(); after finish() all that were
// given are written.
template <std::uint32_t SegmentBits, typename Output, typename Pieces>
__device__ inline DecodedSubstreams decode_part(const CodedChunk& chunk, const ChunkPart& part,
                                                SubstreamMemory<SegmentBits>& memory, Output& output,
                                                Pieces& pieces) {
  constexpr auto no_region = ~std::uint64_t{0};
  SeekableBits input(PayloadWords(chunk.stream, chunk.stream_bytes));
  input.seek(part.bit);
  Deflate<TablesOfWarp, SubstreamTables> deflate(chunk, memory.tables);
  Region<SegmentBits> region(memory.region, memory.tables);
  auto problem = format::codag::DeflateStatus::decoded;
  // Up to this bit, symbols are decoded one after the other. What is wrong is found there: a region that is
  // in doubt is left as it is.
  std::uint64_t step_end = 0;
  while (problem == format::codag::DeflateStatus::decoded && !deflate.is_done() &&
         !(deflate.is_between_sections() && input.bit() >= part.end_bit)) {
    if (!deflate.is_at_element() || input.bit() < step_end) {
      pieces.finish();
      problem = deflate.step(input, output);
      continue;
    }
    // No bits are ready then, so that they take no registers in what follows.
    input.seek(input.bit());
    if (!region.has_segments()) {
      if (!region.find(input, output.left())) step_end = no_region;
    } else {
      const auto staged = region.stage_segments(pieces.next(), output.output(), output.place());
      if (staged.is_wrong) {
        step_end = no_region;
      } else if (staged.is_too_large) {
        step_end = region.end_of_segment();
        region.skip_segment();
      } else {
        if (staged.bytes != 0) {
          pieces.give({.place = output.place(), .bytes = staged.bytes, .matches = staged.matches});
        }
        output.advance(staged.bytes);
        input.seek(staged.bit);
      }
      if (!region.has_segments() && region.is_stopped() && step_end <= input.bit())
        step_end = input.bit() + 1;
    }
  }
  pieces.finish();
  return {.status = deflate_chunk_status(problem, deflate, output.left()),
          .bytes = output.place(),
          .is_right = problem == format::codag::DeflateStatus::decoded};
}

// The same for a part that goes to the end of the chunk, which is written to the chunk's output.
template <std::uint32_t SegmentBits, typename Pieces>
__device__ inline DecodedSubstreams decode_substreams(const CodedChunk& chunk,
                                                      SubstreamMemory<SegmentBits>& memory, Pieces& pieces,
                                                      const ChunkPart& part = {}) {
  SharedOutput output(chunk.output, chunk.values);
  output.advance(part.place);
  return decode_part(chunk, part, memory, output, pieces);
}

}  // namespace
}  // namespace gsst::codag
