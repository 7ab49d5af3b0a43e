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

/// Compresses or decompresses one text as often as it is told to; holds what it needs besides input and
/// output.
class PeerWork {
public:
  PeerWork() = default;
  virtual ~PeerWork() = default;
  PeerWork(const PeerWork&) = delete;
  PeerWork& operator=(const PeerWork&) = delete;

  /// Enqueues the work on the whole text. Throws PeerError.
  virtual void enqueue() = 0;
  /// Throws PeerError if the last work, which must have ended, reports a problem.
  virtual void check() const = 0;
  /// Bytes of device memory, besides input and output, that it has allocated by cudaMalloc().
  virtual std::size_t allocated_bytes() const = 0;
};

/// Decompresses into the caller's output.
class Decompressor : public PeerWork {};

/// Compresses into an output of its own, which has room for any text of the size.
class Compressor : public PeerWork {
public:
  /// The output, in device memory.
  virtual std::span<std::uint8_t> output() = 0;
  /// A copy, without the room between chunks, of what the last compression has written; it must have ended
  /// and reported no problem. Throws PeerError, CudaError.
  virtual CompressedText compressed() = 0;
};

/// A codec of another project, used through one of its interfaces.
struct PeerCodec {
  /// The rows' stage: `nvcomp/LZ4`.
  std::string stage;
  /// The interface: `manager` or `batched`.
  std::string variant;
  /// What was chosen of the codec's options, for the rows.
  std::size_t chunk_bytes;
  /// A compressor of the whole of `text`, device memory, which must outlive it. Throws PeerError, CudaError.
  std::function<std::unique_ptr<Compressor>(std::span<const std::uint8_t> text, cudaStream_t stream)>
      make_compressor;
  /// Compresses `text`, device memory, on `stream` and waits for it; in parts where that takes less memory.
  /// Throws PeerError, CudaError.
  std::function<CompressedText(std::span<const std::uint8_t> text, cudaStream_t stream)> compress;
  /// A decompressor of `compressed` into `output`, device memory of exactly the text's size. Both must
  /// outlive it. Throws PeerError, CudaError.
  std::function<std::unique_ptr<Decompressor>(const CompressedText& compressed,
                                              std::span<std::uint8_t> output, cudaStream_t stream)>
      make_decompressor;
};

}  // namespace gsst::experiments
