#pragma once

#include <cuda_runtime_api.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "gsst/gsst.hpp"

/// Memory of a GPU as the module gsst._gpu uses it. Everything is enqueued on the legacy default stream,
/// which other libraries hand their tensors over on.
namespace gsst::python {

namespace nb = nanobind;

/// A failure while the GIL may be released; becomes gsst.Error.
class GpuFailure : public std::runtime_error {
public:
  GpuFailure(gsst_error error, const std::string& message) : std::runtime_error(message), error_(error) {}
  explicit GpuFailure(const Failure& failure)
      : GpuFailure(static_cast<gsst_error>(failure.error), failure.message) {}

  gsst_error error() const { return error_; }

private:
  gsst_error error_;
};

/// Throws GpuFailure if `error` is one; `what` was tried.
void check_cuda(cudaError_t error, const char* what);

/// The value of `result`. Throws GpuFailure if there is none.
template <typename Value>
Value value_or_throw(Result<Value> result) {
  if (!result) throw GpuFailure(result.failure());
  return std::move(result).value();
}

/// How many GPUs there are; 0 where there is no driver either. Throws GpuFailure.
int device_count();

/// Makes a device current while this lives. Throws GpuFailure if there is no such device.
class CurrentDevice {
public:
  explicit CurrentDevice(int device);
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { (void)cudaSetDevice(previous_); }

private:
  int previous_ = 0;
};

/// Frees device memory.
struct FreeDeviceMemory {
  void operator()(std::byte* memory) const noexcept { (void)cudaFree(memory); }
};
using DeviceMemory = std::unique_ptr<std::byte, FreeDeviceMemory>;

/// Memory of the current device, of at least one byte. Throws GpuFailure.
DeviceMemory allocate_on_device(std::size_t bytes);

/// Copies between host and device, or within the device, and waits. Throws GpuFailure.
void copy_and_wait(void* to, const void* from, std::size_t bytes);

/// The bytes of a tensor in memory of a GPU, which this keeps alive.
class DeviceTensor {
public:
  /// Whether `object` says through `__dlpack_device__()` that it is on a GPU.
  static bool is_one(nb::handle object);

  /// Raises gsst.Error for memory of another device and for a tensor that is not contiguous.
  explicit DeviceTensor(nb::handle object);

  int device() const { return device_; }
  std::span<const std::byte> bytes() const { return bytes_; }

private:
  nb::ndarray<nb::ro> tensor_;
  int device_ = 0;
  std::span<const std::byte> bytes_;
};

/// A tensor of unsigned bytes that owns `memory`, of which it shows `bytes`.
nb::object make_tensor(DeviceMemory memory, std::size_t bytes, int device);

}  // namespace gsst::python
