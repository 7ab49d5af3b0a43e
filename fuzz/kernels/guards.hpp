#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stage/stage.hpp"
#if GSST_WITH_CUDA
#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#endif

/// Memory that shows what was written where nothing should have been.
namespace gsst::fuzz {

inline constexpr std::size_t guard_bytes = 256;
inline constexpr std::uint8_t guard = 0xa6;
inline constexpr std::uint8_t noise = 0xcd;

/// Host memory with the members that cuda::DeviceBuffer has.
class HostBuffer {
public:
  explicit HostBuffer(std::span<const std::uint8_t> bytes) : bytes_(bytes.begin(), bytes.end()) {}

  std::uint8_t* data() { return bytes_.data(); }
  const std::vector<std::uint8_t>& to_host() const { return bytes_; }

private:
  std::vector<std::uint8_t> bytes_;
};

/// `size` bytes of noise between guards.
inline std::vector<std::uint8_t> between_guards(std::size_t size) {
  std::vector<std::uint8_t> bytes(guard_bytes, guard);
  bytes.insert(bytes.end(), size, noise);
  bytes.insert(bytes.end(), guard_bytes, guard);
  return bytes;
}

inline bool guards_stand(std::span<const std::uint8_t> bytes) {
  const auto is_guard = [](std::uint8_t byte) { return byte == guard; };
  return std::ranges::all_of(bytes.first(guard_bytes), is_guard) &&
         std::ranges::all_of(bytes.last(guard_bytes), is_guard);
}

/// Bytes that differ from their neighbours: a copy of one to another place shows.
inline std::vector<std::uint8_t> make_poison(std::size_t size, std::uint8_t key) {
  std::vector<std::uint8_t> poison(size);
  for (std::size_t i = 0; i < size; ++i) poison[i] = static_cast<std::uint8_t>(i * 167 + (i >> 8) * 59 + key);
  return poison;
}

/// Waits until the executor has done all work. Throws cuda::CudaError.
inline void wait_for(stage::Executor executor) {
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) GSST_CUDA_CHECK(cudaDeviceSynchronize());
#else
  static_cast<void>(executor);
#endif
}

}  // namespace gsst::fuzz
