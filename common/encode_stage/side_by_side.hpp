#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include "common/stage/launch.hpp"

/// Kernels that run at the same time, on the multiprocessors together, compiled for each executor as
/// launch.hpp is.
namespace gsst::stage {

#if defined(__CUDACC__)
inline namespace on_gpu {

/// Multiprocessors of the current device.
inline std::uint32_t multiprocessor_count() {
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  int multiprocessors = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return static_cast<std::uint32_t>(multiprocessors);
}

/// For kernels that run beside each other and take nearly all shared memory together: what one of them leaves
/// must not become cache, for which a multiprocessor would wait.
template <typename... Parameters>
void leave_shared_memory_to_others(void (*kernel)(Parameters...)) {
  GSST_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
}

/// Allows the thread, as long as this lives, what a stream under capture forbids.
class RelaxedCapture {
public:
  /// Throws cuda::CudaError.
  RelaxedCapture() { GSST_CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  // A destructor must not throw.
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

private:
  // The thread's former mode while this lives.
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// A stream of its own, which can follow another stream and be followed by it. Such an order is captured in a
/// graph as the work is.
class SideStream {
public:
  /// On the current device. Throws cuda::CudaError.
  SideStream() {
    // Making a stream has no part in what the thread may be capturing.
    const RelaxedCapture relaxed;
    cudaStream_t stream = nullptr;
    GSST_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    stream_.reset(stream);
    cudaEvent_t event = nullptr;
    GSST_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    event_.reset(event);
  }

  void* get() const { return stream_.get(); }
  /// What is enqueued here from now on waits for what is on `stream`.
  void follow(void* stream) { wait(stream_.get(), static_cast<cudaStream_t>(stream)); }
  /// What is enqueued on `stream` from now on waits for what is here.
  void lead(void* stream) { wait(static_cast<cudaStream_t>(stream), stream_.get()); }

private:
  void wait(cudaStream_t later, cudaStream_t earlier) {
    GSST_CUDA_CHECK(cudaEventRecord(event_.get(), earlier));
    GSST_CUDA_CHECK(cudaStreamWaitEvent(later, event_.get(), 0));
  }

  // A deleter must not throw.
  struct DestroyStream {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };
  struct DestroyEvent {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream> stream_;
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent> event_;
};

/// The thread's side stream `number` on the current device, made when it is first asked for. Throws
/// cuda::CudaError.
inline SideStream& side_stream(unsigned number) {
  thread_local std::map<std::pair<int, unsigned>, SideStream> side_streams;
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  return side_streams.try_emplace({device, number}).first->second;
}

/// Calls enqueue(stream) and each of `others` with a stream of its own; they enqueue work that does not
/// depend on each other. What is on `stream` before comes before all of it, and what is enqueued on it later
/// comes behind all of it. Throws cuda::CudaError.
template <typename Enqueue, typename... EnqueueOthers>
void enqueue_side_by_side(void* stream, Enqueue enqueue, EnqueueOthers... others) {
  for (unsigned number = 0; number < sizeof...(others); ++number) side_stream(number).follow(stream);
  enqueue(stream);
  unsigned next = 0;
  (others(side_stream(next++).get()), ...);
  for (unsigned number = 0; number < sizeof...(others); ++number) side_stream(number).lead(stream);
}

}  // namespace on_gpu
#else
inline namespace on_simt {

/// The CPU executor runs one thread block after the other.
inline std::uint32_t multiprocessor_count() {
  return 1;
}

/// Nothing to do: kernels run one after the other.
template <typename... Parameters>
void leave_shared_memory_to_others(void (* /*kernel*/)(Parameters...)) {}

/// Calls enqueue(stream) and then each of `others` with it.
template <typename Enqueue, typename... EnqueueOthers>
void enqueue_side_by_side(void* stream, Enqueue enqueue, EnqueueOthers... others) {
  enqueue(stream);
  (others(stream), ...);
}

}  // namespace on_simt
#endif

}  // namespace gsst::stage
