#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gsst::experiments {

/// One way to read all of some device memory, up to 15 bytes at its end, and to do nothing else: what the
/// memory of a GPU allows a stage that writes next to nothing.
struct ReadingVariant {
  /// For example `256 threads x 4 words, 8 blocks per SM`.
  std::string name;
  /// Enqueues it on the default stream. `input` is device memory aligned to 16, of `bytes` bytes; `output`
  /// has 4 bytes of device memory aligned to 4, whose content is lost. Throws CudaError.
  std::function<void(const std::uint8_t* input, std::size_t bytes, std::uint8_t* output)> enqueue;
};

/// All variants for the current device. Throws CudaError.
std::vector<ReadingVariant> reading_variants();

}  // namespace gsst::experiments
