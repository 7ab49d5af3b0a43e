#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/format/codag/status.hpp"
#include "common/format/host_device.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"

/// Chunks that are in no frame: an array of places says where they are, as who has read a file's metadata
/// knows it. Places are as little trusted as codes are.
namespace gsst::codag::chunks {

enum class ChunkCodec : std::uint32_t { byte_rle = 1, rle_v1 = 2, rle_v2 = 3, deflate = 4 };

/// Where a chunk is. Offsets count from the first byte of all input, and of all output.
struct ChunkPlace {
  std::uint64_t input_offset;
  std::uint64_t output_offset;
  std::uint32_t input_bytes;
  std::uint32_t output_bytes;
};

/// Most bytes of a chunk, compressed or not: kernels count them with 32 bits.
inline constexpr std::uint32_t max_chunk_bytes = std::uint32_t{1} << 30;

/// Most chunks of an execution.
inline constexpr std::uint32_t max_chunk_count = std::uint32_t{1} << 26;

/// In the low bits of a chunk's word, besides format::codag::Problem and first_deflate_status.
enum class ChunkRefusal : std::uint8_t {
  none = 0,
  /// The output is no whole number of values, or the chunk has more bytes than max_chunk_bytes.
  wrong_size = 252,
  outside_input = 253,
  outside_output = 254,
};

/// DeflateStatus follows in the same numbers, from here on: the status `decoded` is 0 all the same.
inline constexpr std::uint32_t first_deflate_status = 32;

/// A word with a status of Deflate as the word of a chunk.
GSST_HOST_DEVICE constexpr std::uint32_t chunk_word_of_deflate(std::uint32_t word) {
  return format::codag::problem_of(word) == format::codag::Problem::none ? 0 : word + first_deflate_status;
}

/// Whether a chunk lies in `input_bytes` bytes of input and `output_bytes` bytes of output.
GSST_HOST_DEVICE constexpr ChunkRefusal refusal_of(const ChunkPlace& place, std::uint64_t input_bytes,
                                                   std::uint64_t output_bytes, std::uint32_t value_bytes) {
  if (place.input_bytes > max_chunk_bytes || place.output_bytes > max_chunk_bytes ||
      place.output_bytes % value_bytes != 0) {
    return ChunkRefusal::wrong_size;
  }
  if (place.input_bytes > input_bytes || place.input_offset > input_bytes - place.input_bytes) {
    return ChunkRefusal::outside_input;
  }
  if (place.output_bytes > output_bytes || place.output_offset > output_bytes - place.output_bytes) {
    return ChunkRefusal::outside_output;
  }
  return ChunkRefusal::none;
}

/// What kernels are given. All pointers are to the executor's memory.
struct ChunkJob {
  /// input_bytes bytes, at any address.
  const std::uint8_t* input;
  std::uint64_t input_bytes;
  /// chunk_count places, aligned to 8.
  const ChunkPlace* chunks;
  std::uint32_t chunk_count;
  /// output_bytes bytes, at any address.
  std::uint8_t* output;
  std::uint64_t output_bytes;
  std::uint32_t value_bytes;
  bool is_signed;
  /// Whether a chunk may have less output than its place says. Of Deflate.
  bool may_have_less;
  /// chunk_count words that receive the bytes of each chunk's output, 0 of one that is wrong; may be nullptr.
  std::uint32_t* written;
  /// chunk_count words, as status_of() makes them.
  std::uint32_t* status;
};

/// The kernels, for each executor.
struct ChunkKernels {
  /// Enqueues the decoding of at least one chunk: allocates nothing, waits for nothing. Throws
  /// cuda::CudaError.
  void (*enqueue)(ChunkCodec codec, const ChunkJob& job, stage::Stream stream);
};

using ChunkKernelsOn = stage::KernelsOn<ChunkKernels>;

}  // namespace gsst::codag::chunks
