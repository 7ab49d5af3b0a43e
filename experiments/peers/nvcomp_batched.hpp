#pragma once

#include <cuda_runtime_api.h>
#include <nvcomp.h>

#include <functional>
#include <string>

#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// The functions of one codec in nvCOMP's low-level interface, its options already bound. Sizes are in bytes;
/// what nvCOMP's headers call device memory is device memory here.
struct BatchedFunctions {
  std::function<nvcompStatus_t(std::size_t chunks, std::size_t largest_chunk, std::size_t total,
                               std::size_t* bytes)>
      compress_temporary_bytes;
  std::function<nvcompStatus_t(std::size_t largest_chunk, std::size_t* bytes)> largest_compressed_chunk;
  std::function<nvcompStatus_t(const void* const* chunks, const std::size_t* chunk_bytes,
                               std::size_t largest_chunk, std::size_t count, void* temporary,
                               std::size_t temporary_bytes, void* const* compressed,
                               std::size_t* compressed_bytes, nvcompStatus_t* statuses, cudaStream_t stream)>
      compress;
  std::function<nvcompStatus_t(nvcompAlignmentRequirements_t* alignments)> decompress_alignments;
  std::function<nvcompStatus_t(std::size_t chunks, std::size_t largest_chunk, std::size_t total,
                               std::size_t* bytes)>
      decompress_temporary_bytes;
  std::function<nvcompStatus_t(const void* const* compressed, const std::size_t* compressed_bytes,
                               const std::size_t* buffer_bytes, std::size_t* chunk_bytes, std::size_t count,
                               void* temporary, std::size_t temporary_bytes, void* const* chunks,
                               nvcompStatus_t* statuses, cudaStream_t stream)>
      decompress;
};

/// The codec `name` through nvCOMP's low-level interface: all chunks of the text in one batch. The compressed
/// chunks lie behind each other, and the size of each is stored beside them.
PeerCodec batched_codec(const std::string& name, std::size_t chunk_bytes, const BatchedFunctions& functions);

}  // namespace gsst::experiments
