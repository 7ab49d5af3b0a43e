// The calls of the CUDA runtime that measuring programs make. Kernels do nothing; copies and clears are done
// at once, in memory of the host. A program that calls another function does not link.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "experiments/carry_over/runtime/kernels.hpp"
#include "experiments/carry_over/runtime/launch_log.hpp"
#include "experiments/carry_over/runtime/memory.hpp"
#include "experiments/carry_over/runtime/settings.hpp"

namespace gsst::logged_cuda {
namespace {

// Copies of fewer bytes are logged byte for byte, with the addresses in them as places.
constexpr std::size_t contents_from_bytes = 1024;
// Every pair of events is so far apart: no choice depends on a time.
constexpr float milliseconds_between_events = 1;

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

// What a launch `<<<...>>>` says before its function is called.
thread_local LaunchShape next_launch = {};
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t returned(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

// Streams, events and graphs: their numbers in the order in which they were made.
class Handles {
public:
  template <typename Handle>
  Handle add() {
    const std::lock_guard lock(mutex_);
    // A program never reads what a handle points to.
    return reinterpret_cast<Handle>(++made_);  // NOLINT(performance-no-int-to-ptr)
  }

private:
  std::mutex mutex_;
  std::uintptr_t made_ = 0;
};

Handles streams;
Handles events;
Handles graphs;
// A program captures on one thread.
std::set<cudaStream_t> captured;

std::string number(const void* handle) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(handle));
}

std::string on(cudaStream_t stream) {
  return " stream " + number(stream);
}

std::string text_of(const dim3& size) {
  return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

std::string parameters_of(const Kernel& kernel, void** arguments) {
  std::string text;
  for (std::size_t i = 0; i < kernel.facts->parameter_bytes.size(); ++i) {
    text += (i == 0 ? "" : " ") + describe_bytes(arguments[i], kernel.facts->parameter_bytes[i]);
  }
  return text;
}

cudaError_t launch(const Kernel& kernel, const LaunchShape& shape, void** arguments) {
  log("launch " + kernel.name + " grid " + text_of(shape.grid) + " block " + text_of(shape.block) +
      " shared " + std::to_string(shape.shared_bytes) + on(shape.stream) + " parameters " +
      parameters_of(kernel, arguments));
  const unsigned threads = shape.block.x * shape.block.y * shape.block.z;
  const bool runs = resident_blocks(kernel, static_cast<int>(threads), shape.shared_bytes) > 0;
  return returned(runs && shape.grid.x > 0 ? cudaSuccess : cudaErrorInvalidConfiguration);
}

cudaError_t new_memory(const char* call, void** address, std::size_t bytes) {
  *address = allocate(bytes);
  log(std::string(call) + " " + place_of(*address) + " " + std::to_string(bytes) + " bytes");
  return cudaSuccess;
}

cudaError_t free_memory(const char* call, void* address) {
  log(std::string(call) + " " + place_of(address));
  return returned(release(address) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t copy(const char* call, void* to, const void* from, std::size_t bytes, const std::string& rest) {
  const std::string line = std::string(call) + " " + std::to_string(bytes) + " bytes from " + place_of(from) +
                           " to " + place_of(to) + rest;
  if (is_allocated(from) || bytes == 0) {
    log(line);
  } else if (bytes < contents_from_bytes) {
    log(line + " of " + describe_bytes(from, bytes));
  } else {
    log(line + " of contents");
    log_contents(from, bytes);
  }
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t clear(const char* call, void* memory, int value, std::size_t bytes, const std::string& rest) {
  log(std::string(call) + " " + std::to_string(bytes) + " bytes at " + place_of(memory) + " to " +
      std::to_string(value) + rest);
  std::memset(memory, value, bytes);
  return cudaSuccess;
}

cudaError_t new_event(const char* call, cudaEvent_t* event, unsigned flags) {
  *event = events.add<cudaEvent_t>();
  log(std::string(call) + " event " + number(*event) + " flags " + std::to_string(flags));
  return cudaSuccess;
}

cudaError_t new_stream(const char* call, cudaStream_t* stream, unsigned flags) {
  *stream = streams.add<cudaStream_t>();
  log(std::string(call) + on(*stream) + " flags " + std::to_string(flags));
  return cudaSuccess;
}

const char* name_of(cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      return "MultiProcessorCount";
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return "MaxSharedMemoryPerBlock";
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return "MaxSharedMemoryPerBlockOptin";
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return "MaxSharedMemoryPerMultiprocessor";
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return "ReservedSharedMemoryPerBlock";
    case cudaDevAttrMaxThreadsPerBlock:
      return "MaxThreadsPerBlock";
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return "MaxThreadsPerMultiProcessor";
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return "MaxBlocksPerMultiprocessor";
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return "MaxRegistersPerMultiprocessor";
    case cudaDevAttrL2CacheSize:
      return "L2CacheSize";
    case cudaDevAttrComputeCapabilityMajor:
      return "ComputeCapabilityMajor";
    case cudaDevAttrComputeCapabilityMinor:
      return "ComputeCapabilityMinor";
    default:
      fail("the device's attribute " + std::to_string(static_cast<int>(attribute)) + " is not known");
  }
}

}  // namespace
}  // namespace gsst::logged_cuda

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
using namespace gsst::logged_cuda;

// What nvcc's generated code calls.

void** __cudaRegisterFatBinary(void* /*binary*/) {
  static void* only = nullptr;
  return &only;
}
void __cudaRegisterFatBinaryEnd(void** /*binary*/) {}
void __cudaUnregisterFatBinary(void** /*binary*/) {}
char __cudaInitModule(void** /*binary*/) {
  return 1;
}
void __cudaRegisterFunction(void** /*binary*/, const char* function, char* /*device_function*/,
                            const char* name, int /*threads*/, uint3* /*thread*/, uint3* /*block*/,
                            dim3* /*block_size*/, dim3* /*grid_size*/, int* /*warp_size*/) {
  add_kernel(function, name);
}
void __cudaRegisterVar(void** /*binary*/, char* /*variable*/, char* /*address*/, const char* /*name*/,
                       int /*external*/, std::size_t /*bytes*/, int /*constant*/, int /*global*/) {}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(&kernel_at(function));
  return cudaSuccess;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream) {
  next_launch = {grid, block, shared_bytes, static_cast<cudaStream_t>(stream)};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  *grid = next_launch.grid;
  *block = next_launch.block;
  *shared_bytes = next_launch.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = next_launch.stream;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream) {
  return launch(*reinterpret_cast<const Kernel*>(kernel), {grid, block, shared_bytes, stream}, arguments);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  return launch(kernel_at(function), {grid, block, shared_bytes, stream}, arguments);
}

// Kernels.

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  Kernel& kernel = kernel_at(function);
  log("cudaFuncSetAttribute " + kernel.name + " " + std::to_string(attribute) + " to " +
      std::to_string(value));
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    const int most = settings().attribute("MaxSharedMemoryPerBlockOptin");
    if (value < 0 ||
        static_cast<std::size_t>(value) + kernel.facts->shared_bytes > static_cast<std::size_t>(most)) {
      return returned(cudaErrorInvalidValue);
    }
    kernel.most_launch_bytes = static_cast<std::size_t>(value);
  }
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const Kernel& kernel = kernel_at(function);
  log("cudaFuncGetAttributes " + kernel.name);
  *attributes = {};
  attributes->sharedSizeBytes = kernel.facts->shared_bytes;
  attributes->localSizeBytes = kernel.facts->local_bytes;
  attributes->numRegs = kernel.facts->registers;
  attributes->maxThreadsPerBlock = settings().attribute("MaxThreadsPerBlock");
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel.most_launch_bytes);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, std::size_t shared_bytes,
                                                                   unsigned flags) {
  const Kernel& kernel = kernel_at(function);
  *blocks = resident_blocks(kernel, threads, shared_bytes);
  log("cudaOccupancyMaxActiveBlocksPerMultiprocessor " + kernel.name + " threads " + std::to_string(threads) +
      " shared " + std::to_string(shared_bytes) + " flags " + std::to_string(flags) + " is " +
      std::to_string(*blocks));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, 0);
}

// The device.

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return returned(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int /*device*/) {
  *value = settings().attribute(name_of(attribute));
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int /*device*/) {
  const Settings& device = settings();
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "%s", device.device_name.c_str());
  properties->totalGlobalMem = device.memory_bytes;
  properties->warpSize = 32;
  properties->major = device.attribute("ComputeCapabilityMajor");
  properties->minor = device.attribute("ComputeCapabilityMinor");
  properties->multiProcessorCount = device.attribute("MultiProcessorCount");
  properties->l2CacheSize = device.attribute("L2CacheSize");
  properties->maxThreadsPerBlock = device.attribute("MaxThreadsPerBlock");
  properties->maxThreadsPerMultiProcessor = device.attribute("MaxThreadsPerMultiProcessor");
  properties->regsPerMultiprocessor = device.attribute("MaxRegistersPerMultiprocessor");
  properties->sharedMemPerBlock = static_cast<std::size_t>(device.attribute("MaxSharedMemoryPerBlock"));
  properties->sharedMemPerBlockOptin =
      static_cast<std::size_t>(device.attribute("MaxSharedMemoryPerBlockOptin"));
  properties->sharedMemPerMultiprocessor =
      static_cast<std::size_t>(device.attribute("MaxSharedMemoryPerMultiprocessor"));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int /*device*/) {
  std::snprintf(id, static_cast<std::size_t>(length), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  log("cudaDeviceSynchronize");
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  return last_error;
}
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaSuccess ? "cudaSuccess" : "error of the logged CUDA runtime";
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "the call is refused";
}

// Memory.

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  return new_memory("cudaMalloc", address, bytes);
}
cudaError_t cudaMallocAsync(void** address, std::size_t bytes, cudaStream_t stream) {
  return new_memory(("cudaMallocAsync" + on(stream)).c_str(), address, bytes);
}
cudaError_t cudaMallocHost(void** address, std::size_t bytes) {
  return new_memory("cudaMallocHost", address, bytes);
}
cudaError_t cudaFree(void* address) {
  return free_memory("cudaFree", address);
}
cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) {
  return free_memory(("cudaFreeAsync" + on(stream)).c_str(), address);
}
cudaError_t cudaFreeHost(void* address) {
  return free_memory("cudaFreeHost", address);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = settings().memory_bytes;
  *free = *total - allocated_bytes();
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  *attributes = {};
  attributes->type = is_allocated(pointer) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy("cudaMemcpy", to, from, bytes, " kind " + std::to_string(kind));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy("cudaMemcpyAsync", to, from, bytes, " kind " + std::to_string(kind) + on(stream));
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return clear("cudaMemset", memory, value, bytes, "");
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return clear("cudaMemsetAsync", memory, value, bytes, on(stream));
}
cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  log("cudaMemset2DAsync " + std::to_string(width) + " bytes, " + std::to_string(height) + " times, every " +
      std::to_string(pitch) + " bytes, at " + place_of(memory) + " to " + std::to_string(value) + on(stream));
  for (std::size_t row = 0; row < height; ++row)
    std::memset(static_cast<char*>(memory) + row * pitch, value, width);
  return cudaSuccess;
}

// Streams and events.

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return new_stream("cudaStreamCreate", stream, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return new_stream("cudaStreamCreateWithFlags", stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  log("cudaStreamDestroy" + on(stream));
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  log("cudaStreamSynchronize" + on(stream));
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  log("cudaStreamWaitEvent" + on(stream) + " event " + number(event) + " flags " + std::to_string(flags));
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return new_event("cudaEventCreate", event, 0);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return new_event("cudaEventCreateWithFlags", event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  log("cudaEventDestroy event " + number(event));
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  log("cudaEventRecord event " + number(event) + on(stream));
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  log("cudaEventSynchronize event " + number(event));
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  log("cudaEventElapsedTime from event " + number(start) + " to event " + number(end));
  *milliseconds = milliseconds_between_events;
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  log("cudaLaunchHostFunc" + on(stream));
  function(data);
  return cudaSuccess;
}

// Pools of memory: what counts allocations is never carried over by its log.

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* /*pool*/, int /*device*/) {
  fail("there are no pools of memory");
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t /*pool*/, std::size_t /*bytes*/) {
  fail("there are no pools of memory");
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t /*pool*/, cudaMemPoolAttr /*attribute*/, void* /*value*/) {
  fail("there are no pools of memory");
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t /*pool*/, cudaMemPoolAttr /*attribute*/, void* /*value*/) {
  fail("there are no pools of memory");
}

// Captured graphs: what is captured is logged when it is enqueued.

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  log("cudaStreamBeginCapture" + on(stream) + " mode " + std::to_string(mode));
  captured.insert(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = graphs.add<cudaGraph_t>();
  captured.erase(stream);
  log("cudaStreamEndCapture" + on(stream) + " graph " + number(*graph));
  return cudaSuccess;
}
// What a program asks for only: not what the capture holds.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* capture, cudaGraph_t*, const cudaGraphNode_t**,
                                     const cudaGraphEdgeData**, std::size_t*) {
  log("cudaStreamGetCaptureInfo" + on(stream));
  const bool is_captured = captured.contains(stream);
  *status = is_captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (capture != nullptr) *capture = is_captured ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  log("cudaThreadExchangeStreamCaptureMode " + std::to_string(*mode));
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long flags) {
  *ready = graphs.add<cudaGraphExec_t>();
  log("cudaGraphInstantiate graph " + number(graph) + " flags " + std::to_string(flags) + " as " +
      number(*ready));
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) {
  log("cudaGraphUpload graph " + number(graph) + on(stream));
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  log("cudaGraphLaunch graph " + number(graph) + on(stream));
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  log("cudaGraphExecDestroy graph " + number(graph));
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  log("cudaGraphDestroy graph " + number(graph));
  return cudaSuccess;
}
}
// NOLINTEND(readability-identifier-naming)
