#pragma once

#include <cstddef>
#include <cstdint>

namespace gsst::experiments {

/// What the memory of a GPU allows a decoder, measured beside it.
struct StreamingLimit {
  /// Seconds of the fastest variant of a kernel that reads `read_bytes` bytes, writes `written_bytes` and
  /// does nothing else (median over repetitions).
  double seconds;
  /// Bytes moved per second by a device-to-device copy of the larger size, counting each byte read and each
  /// written.
  double copy_bytes_per_second;
};

/// Measures both. `input` has `read_bytes` and `output` `written_bytes` bytes of device memory, aligned to
/// 16; what is in `output` is lost. Throws CudaError.
StreamingLimit measure_streaming_limit(const std::uint8_t* input, std::size_t read_bytes,
                                       std::uint8_t* output, std::size_t written_bytes, unsigned repetitions);

}  // namespace gsst::experiments
