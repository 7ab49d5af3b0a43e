#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gsst::cuda {

/// Device memory that is freed with the object.
class DeviceBuffer {
public:
  /// Allocates `size` bytes, which may be 0. Throws CudaError.
  explicit DeviceBuffer(std::size_t size);
  /// Allocates and copies `bytes` from the host.
  explicit DeviceBuffer(std::span<const std::uint8_t> bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Sets every byte to `value` and waits for it.
  void fill(std::uint8_t value);
  /// Copies all of it to the host and waits for it.
  std::vector<std::uint8_t> to_host() const;

private:
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gsst::cuda
