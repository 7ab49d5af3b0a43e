#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/stage/stage.hpp"
#include "stages/codag/chunks/chunk_job.hpp"

namespace gsst::codag::chunks {

/// How chunks are coded, all of a plan alike.
struct ChunkCoding {
  ChunkCodec codec;
  /// Of a value: 1, 2, 4 or 8; of byte_rle and deflate 1.
  std::uint32_t value_bytes = 1;
  /// Whether values of run lengths of integers are zigzag codes.
  bool is_signed = false;
  /// Whether a chunk may have less output than its place says, which the executor then writes down. Of
  /// deflate.
  bool may_have_less = false;
};

/// What a plan has memory for.
struct ChunkBounds {
  std::uint64_t chunk_count;
  std::uint64_t input_bytes;
  std::uint64_t output_bytes;
};

/// Memory of the executor for one execution: what the bounds say, aligned as ChunkJob says.
struct ChunkMemory {
  const std::uint8_t* input;
  const ChunkPlace* chunks;
  std::uint8_t* output;
  /// May be nullptr unless chunks may have less.
  std::uint32_t* written;
  std::uint32_t* status;
};

/// Decodes chunks wherever they are in an executor's memory.
class ChunkPlan {
public:
  /// For any chunks within `bounds`, whose places only the executor reads. Throws std::invalid_argument for a
  /// coding that there is not and for bounds that are too large.
  ChunkPlan(stage::Executor executor, const ChunkCoding& coding, const ChunkBounds& bounds);

  /// For these chunks, which the executor's memory has too. The bounds are where they end. Throws
  /// std::invalid_argument naming the chunk as well, and where two chunks share bytes of the output.
  ChunkPlan(stage::Executor executor, const ChunkCoding& coding, std::span<const ChunkPlace> chunks);

  const ChunkCoding& coding() const { return coding_; }
  const ChunkBounds& bounds() const { return bounds_; }

  /// The least compute capability of a GPU, 10 * major + minor.
  static constexpr int minimum_compute_capability = 80;

  /// Enqueues the decoding on `stream`: allocates nothing, waits for nothing. Nothing is written outside of
  /// the memory, whatever places and codes say. Throws cuda::CudaError.
  void enqueue(const ChunkMemory& memory, stage::Stream stream) const;

private:
  ChunkCoding coding_;
  ChunkBounds bounds_;
  ChunkKernels kernels_;
};

/// What a chunk's word says, other than 0.
std::string describe_chunk_word(std::uint32_t word);

}  // namespace gsst::codag::chunks
