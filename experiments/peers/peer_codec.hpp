#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/device_buffer.hpp"

namespace gsst::experiments {

/// A text as a codec has compressed it.
struct CompressedText {
  /// What the decompressor reads, in device memory.
  cuda::DeviceBuffer bytes;
  /// Bytes of each compressed chunk, in order; empty where the codec keeps its chunks' sizes in `bytes`.
  std::vector<std::size_t> chunk_bytes;

  /// Everything that is stored: `bytes`, and 8 bytes for each size that stands outside of it.
  std::uint64_t stored_bytes() const { return bytes.size() + chunk_bytes.size() * sizeof(std::uint64_t); }
};

/// Decompresses one text as often as it is told to; holds what it needs besides input and output.
class Decompressor {
public:
  Decompressor() = default;
  virtual ~Decompressor() = default;
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Enqueues the decompression of the whole text. Throws PeerError.
  virtual void enqueue() = 0;
  /// Throws PeerError if the last decompression, which must have ended, reports a problem.
  virtual void check() const = 0;
  /// Bytes of device memory that it has allocated by cudaMalloc().
  virtual std::size_t allocated_bytes() const = 0;
};

/// A codec of another project, used through one of its interfaces.
struct PeerCodec {
  /// The rows' stage: `nvcomp/LZ4`.
  std::string stage;
  /// The interface: `manager` or `batched`.
  std::string variant;
  /// What was chosen of the codec's options, for the rows.
  std::size_t chunk_bytes;
  /// Compresses `text`, device memory, on `stream` and waits for it. Throws PeerError, CudaError.
  std::function<CompressedText(std::span<const std::uint8_t> text, cudaStream_t stream)> compress;
  /// A decompressor of `compressed` into `output`, device memory of exactly the text's size. Both must
  /// outlive it. Throws PeerError, CudaError.
  std::function<std::unique_ptr<Decompressor>(const CompressedText& compressed,
                                              std::span<std::uint8_t> output, cudaStream_t stream)>
      make_decompressor;
};

}  // namespace gsst::experiments
