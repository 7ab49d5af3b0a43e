#pragma once

#include <cstdint>
#include <map>

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

/// For a kernel that runs beside one which takes nearly all shared memory: that it has none itself must not
/// make a multiprocessor wait until it can turn shared memory into cache.
template <typename... Parameters>
void leave_shared_memory_to_others(void (*kernel)(Parameters...)) {
  GSST_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
}

/// A stream of its own, which can follow another stream and be followed by it. Such an order is captured in a
/// graph as the work is.
class SideStream {
public:
  /// On the current device. Throws cuda::CudaError.
  SideStream() {
    // Making a stream has no part in what the thread may be capturing.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    GSST_CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    GSST_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    GSST_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    GSST_CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  }
  // A destructor must not throw.
  ~SideStream() {
    if (event_ != nullptr) cudaEventDestroy(event_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  void* get() const { return stream_; }
  /// What is enqueued here from now on waits for what is on `stream`.
  void follow(void* stream) { wait(stream_, static_cast<cudaStream_t>(stream)); }
  /// What is enqueued on `stream` from now on waits for what is here.
  void lead(void* stream) { wait(static_cast<cudaStream_t>(stream), stream_); }

private:
  void wait(cudaStream_t later, cudaStream_t earlier) {
    GSST_CUDA_CHECK(cudaEventRecord(event_, earlier));
    GSST_CUDA_CHECK(cudaStreamWaitEvent(later, event_, 0));
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

/// Calls enqueue(stream) and enqueue_other(a second stream), which enqueue work that does not depend on each
/// other. What is on `stream` before comes before both, and what is enqueued on it later comes behind both.
/// The second stream is the thread's, made when it first needs it. Throws cuda::CudaError.
template <typename Enqueue, typename EnqueueOther>
void enqueue_side_by_side(void* stream, Enqueue enqueue, EnqueueOther enqueue_other) {
  thread_local std::map<int, SideStream> side_streams;
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  SideStream& side = side_streams.try_emplace(device).first->second;
  side.follow(stream);
  enqueue(stream);
  enqueue_other(side.get());
  side.lead(stream);
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

/// Calls enqueue(stream) and then enqueue_other(stream).
template <typename Enqueue, typename EnqueueOther>
void enqueue_side_by_side(void* stream, Enqueue enqueue, EnqueueOther enqueue_other) {
  enqueue(stream);
  enqueue_other(stream);
}

}  // namespace on_simt
#endif

}  // namespace gsst::stage
