#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gsst/gpu.hpp"
#include "gsst/gpu_chunks.h"

/// @file
/// Chunks of other formats on a GPU in C++20, over the C functions of gpu_chunks.h: what is said there
/// holds here too. Spans of a ChunksMemory are of device memory, all others of host memory.

namespace gsst::gpu {

/// How chunks are coded.
enum class ChunkCodec : std::uint32_t {
  /// ORC's run lengths of bytes.
  byte_rle = GSST_CHUNK_BYTE_RLE,
  /// ORC's run lengths of integers, version 1.
  rle_v1 = GSST_CHUNK_RLE_V1,
  /// ORC's run lengths of integers, version 2.
  rle_v2 = GSST_CHUNK_RLE_V2,
  /// A raw Deflate stream.
  deflate = GSST_CHUNK_DEFLATE,
};

/// What the values of run lengths of integers are; bytes of the other codecs.
enum class ChunkType : std::uint32_t {
  /// Bytes, of ChunkCodec::byte_rle and ChunkCodec::deflate.
  bytes = GSST_CHUNK_BYTES,
  /// Signed, of 8 bits.
  i8 = GSST_CHUNK_I8,
  /// Signed, of 16 bits.
  i16 = GSST_CHUNK_I16,
  /// Signed, of 32 bits.
  i32 = GSST_CHUNK_I32,
  /// Signed, of 64 bits.
  i64 = GSST_CHUNK_I64,
  /// Unsigned, of 32 bits.
  u32 = GSST_CHUNK_U32,
  /// Unsigned, of 64 bits.
  u64 = GSST_CHUNK_U64,
};

/// Where a chunk is.
using Chunk = gsst_chunk;

/// Memory that a plan for chunks needs.
using ChunksSizes = gsst_gpu_chunks_sizes;

/// How all chunks of a plan are coded; see gsst_gpu_chunks_options.
struct ChunksOptions {
  /// The codec of all chunks.
  ChunkCodec codec;
  /// What their values are.
  ChunkType type = ChunkType::bytes;
  /// Whether a chunk of Deflate may have less output than its output_bytes.
  bool output_bytes_are_bounds = false;
};

/// What is known of chunks that only a kernel knows; see gsst_gpu_chunks_bounds.
struct ChunksBounds {
  /// Elements of the array of chunks.
  std::uint64_t chunk_count = 0;
  /// Bytes of the input.
  std::uint64_t input_bytes = 0;
  /// Bytes of the output.
  std::uint64_t output_bytes = 0;
};

/// Device memory for one execution; see gsst_gpu_chunks_memory.
struct ChunksMemory {
  /// At least ChunksSizes::input_bytes, at any address.
  std::span<const std::byte> input;
  /// At least ChunksSizes::chunk_count chunks, read when the stream comes to it.
  std::span<const Chunk> chunks;
  /// At least ChunksSizes::output_bytes, at any address.
  std::span<std::byte> output;
  /// ChunksSizes::chunk_count words, which receive the bytes of each chunk's output. May be empty unless
  /// ChunksOptions::output_bytes_are_bounds.
  std::span<std::uint32_t> written;
  /// At least ChunksSizes::chunk_count words. Receives one for each chunk.
  std::span<std::uint32_t> status;
};

/// Looks for the first chunk that was not decoded in `status`, a copy in host memory. Returns the number of
/// chunks, all decoded. Errors: gsst_gpu_check_chunk_status().
inline Result<std::size_t> check_chunk_status(std::span<const std::uint32_t> status) {
  gsst_message message;
  const gsst_error error = gsst_gpu_check_chunk_status(status.data(), status.size(), &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return status.size();
}

/// How chunks are decoded.
class ChunksPlan {
public:
  /// A plan for chunks that the host knows. Errors: gsst_gpu_chunks_plan_create().
  static Result<ChunksPlan> create(std::span<const Chunk> chunks, const ChunksOptions& options) {
    const gsst_gpu_chunks_options chosen = c_options(options);
    gsst_gpu_chunks_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_gpu_chunks_plan_create(chunks.data(), chunks.size(), &chosen, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return ChunksPlan(plan);
  }

  /// A plan for any chunks within `bounds`. Errors: gsst_gpu_chunks_plan_create_within().
  static Result<ChunksPlan> create_within(const ChunksBounds& bounds, const ChunksOptions& options) {
    const gsst_gpu_chunks_options chosen = c_options(options);
    const gsst_gpu_chunks_bounds c_bounds{.struct_bytes = sizeof(gsst_gpu_chunks_bounds),
                                          .reserved = 0,
                                          .chunk_count = bounds.chunk_count,
                                          .input_bytes = bounds.input_bytes,
                                          .output_bytes = bounds.output_bytes};
    gsst_gpu_chunks_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_gpu_chunks_plan_create_within(&c_bounds, &chosen, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return ChunksPlan(plan);
  }

  /// How much memory execute() needs. Not for a plan that was moved from.
  ChunksSizes sizes() const {
    auto sizes = detail::sized<ChunksSizes>();
    gsst_gpu_chunks_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Enqueues the decoding on `stream`. Errors: gsst_gpu_chunks_execute().
  Result<Enqueued> execute(const ChunksMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_chunks_memory c_memory{.struct_bytes = sizeof(gsst_gpu_chunks_memory),
                                          .reserved = 0,
                                          .input = memory.input.data(),
                                          .input_capacity = memory.input.size(),
                                          .chunks = memory.chunks.data(),
                                          .chunk_capacity = memory.chunks.size(),
                                          .output = memory.output.data(),
                                          .output_capacity = memory.output.size(),
                                          .written = memory.written.empty() ? nullptr : memory.written.data(),
                                          .written_capacity = memory.written.size(),
                                          .status = memory.status.data(),
                                          .status_capacity = memory.status.size()};
    gsst_message message;
    return detail::enqueued(gsst_gpu_chunks_execute(plan_.get(), &c_memory, stream, &message), message);
  }

private:
  struct Destroy {
    void operator()(gsst_gpu_chunks_plan* plan) const { gsst_gpu_chunks_plan_destroy(plan); }
  };

  static gsst_gpu_chunks_options c_options(const ChunksOptions& options) {
    return {.struct_bytes = sizeof(gsst_gpu_chunks_options),
            .codec = static_cast<std::uint32_t>(options.codec),
            .type = static_cast<std::uint32_t>(options.type),
            .output_bytes_are_bounds = options.output_bytes_are_bounds ? 1U : 0U};
  }

  explicit ChunksPlan(gsst_gpu_chunks_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_chunks_plan, Destroy> plan_;
};

}  // namespace gsst::gpu
