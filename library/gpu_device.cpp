#include "library/gpu_device.hpp"

#include <string>

namespace gsst::library {
namespace {

int attribute_of(int device, cudaDeviceAttr attribute) {
  int value = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

std::string version_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

}  // namespace

int current_device() {
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

void check_compute_capability(int device, int least) {
  const int found = 10 * attribute_of(device, cudaDevAttrComputeCapabilityMajor) +
                    attribute_of(device, cudaDevAttrComputeCapabilityMinor);
  if (found >= least) return;
  throw ApiError(GSST_ERROR_WRONG_DEVICE, "device " + std::to_string(device) + " has compute capability " +
                                              version_text(found) + ", at least " + version_text(least) +
                                              " is needed");
}

void check_device_memory(const void* pointer, const char* name, int device) {
  cudaPointerAttributes attributes{};
  GSST_CUDA_CHECK(cudaPointerGetAttributes(&attributes, pointer));
  if (attributes.type == cudaMemoryTypeManaged) return;
  if (attributes.type != cudaMemoryTypeDevice) {
    throw ApiError(GSST_ERROR_WRONG_MEMORY, std::string(name) + " is not in device memory");
  }
  if (attributes.device != device) {
    throw ApiError(GSST_ERROR_WRONG_MEMORY, std::string(name) + " is in memory of device " +
                                                std::to_string(attributes.device) +
                                                ", the current device is " + std::to_string(device));
  }
}

void check_alignment(const void* pointer, const char* name, std::size_t alignment) {
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0) return;
  throw ApiError(GSST_ERROR_MISALIGNED,
                 std::string(name) + " is not aligned to " + std::to_string(alignment) + " bytes");
}

ApiError api_error(const cuda::CudaError& error) {
  const std::string text = error.what();
  // Without the place in the source: "file:line: call: reason".
  return {error.code() == cudaErrorMemoryAllocation ? GSST_ERROR_OUT_OF_MEMORY : GSST_ERROR_CUDA,
          text.substr(text.find(": ") + 2)};
}

}  // namespace gsst::library
