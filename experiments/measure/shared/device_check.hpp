#pragma once

#include <cstddef>
#include <cstdint>

namespace gsst::experiments {

/// Sets each byte of `output` to the inverse of `expected`'s, so that a byte that a decoder leaves alone is
/// found. Both are device memory of `bytes` bytes, aligned to 16. Waits for it. Throws CudaError.
void poison_on_device(std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes);

/// The number of bytes in which `output` and `expected` differ. Both are device memory of `bytes` bytes,
/// aligned to
/// 16. Waits for it. Throws CudaError.
std::uint64_t count_differences(const std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes);

}  // namespace gsst::experiments
