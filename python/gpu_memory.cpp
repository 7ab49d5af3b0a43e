#include "python/gpu_memory.hpp"

#include "python/objects.hpp"

namespace gsst::python {

void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  // So that the next call does not report it again.
  (void)cudaGetLastError();
  const gsst_error code = error == cudaErrorMemoryAllocation ? GSST_ERROR_OUT_OF_MEMORY : GSST_ERROR_CUDA;
  throw GpuFailure(code, std::string(what) + ": " + cudaGetErrorString(error));
}

int device_count() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();
    return 0;
  }
  check_cuda(error, "counting the GPUs");
  return count;
}

CurrentDevice::CurrentDevice(int device) {
  const int count = device_count();
  if (device < 0 || device >= count) {
    throw GpuFailure(GSST_ERROR_WRONG_DEVICE,
                     "there is no GPU " + std::to_string(device) + ", there are " + std::to_string(count));
  }
  check_cuda(cudaGetDevice(&previous_), "asking for the current GPU");
  check_cuda(cudaSetDevice(device), "choosing a GPU");
}

DeviceMemory allocate_on_device(std::size_t bytes) {
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, bytes > 0 ? bytes : 1),
             ("allocating " + std::to_string(bytes) + " bytes of GPU memory").c_str());
  return DeviceMemory(static_cast<std::byte*>(memory));
}

void copy_and_wait(void* to, const void* from, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cudaStreamLegacy), "copying");
  check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "waiting for the GPU");
}

bool DeviceTensor::is_one(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack_device__")) return false;
  const int type = device_of(object).first;
  return type == nb::device::cuda::value || type == nb::device::cuda_managed::value;
}

DeviceTensor::DeviceTensor(nb::handle object) {
  if (!is_one(object)) {
    raise(GSST_ERROR_WRONG_MEMORY,
          "the data is not a tensor in memory of a GPU: gsst.compress() takes the CPU's");
  }
  device_ = device_of(object).second;
  tensor_ = nb::cast<nb::ndarray<nb::ro>>(object);
  if (!is_contiguous(tensor_)) raise(GSST_ERROR_INVALID_ARGUMENT, "the data is not contiguous");
  bytes_ = {static_cast<const std::byte*>(tensor_.data()), tensor_.nbytes()};
}

nb::object make_tensor(DeviceMemory memory, std::size_t bytes, int device) {
  const std::size_t shape[] = {bytes};
  std::byte* const shown = memory.get();
  const nb::capsule owner(memory.release(),
                          [](void* owned) noexcept { FreeDeviceMemory{}(static_cast<std::byte*>(owned)); });
  return nb::cast(nb::ndarray<nb::array_api, std::uint8_t, nb::ndim<1>, nb::device::cuda>(
      shown, 1, shape, owner, nullptr, nb::dtype<std::uint8_t>(), nb::device::cuda::value, device));
}

}  // namespace gsst::python
