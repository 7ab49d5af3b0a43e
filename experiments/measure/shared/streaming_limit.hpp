#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gsst::experiments {

/// Device memory that a streaming kernel reads and writes. Both are aligned to 16, and what `output` holds is
/// lost.
struct StreamingBuffers {
  const std::uint8_t* input;
  std::size_t read_bytes;
  std::uint8_t* output;
  std::size_t written_bytes;
};

/// One way to read all of the input and to write all of the output, up to 15 bytes at each end, and to do
/// nothing else.
struct StreamingVariant {
  /// For example `tiles of 256 threads x 4 words, 8 blocks per SM, streaming`.
  std::string name;
  /// Enqueues it on the default stream. Throws CudaError.
  std::function<void(const StreamingBuffers&)> enqueue;
};

/// All variants for the current device.
std::vector<StreamingVariant> streaming_variants();

/// How fast one variant was.
struct StreamingTime {
  std::string variant;
  /// Median over repetitions.
  double seconds;
};

/// What the memory of a GPU allows a decoder, measured beside it.
struct StreamingLimit {
  /// Every variant, the fastest first: that is the limit.
  std::vector<StreamingTime> variants;
  /// Bytes moved per second by a device-to-device copy within the output, counting each byte read and each
  /// written.
  double copy_bytes_per_second;
};

/// Measures both with `repetitions` repetitions after a warm-up. Both sizes are at least 8192 bytes. Throws
/// CudaError.
StreamingLimit measure_streaming_limit(const StreamingBuffers& buffers, unsigned repetitions);

}  // namespace gsst::experiments
