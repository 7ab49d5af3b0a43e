#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <type_traits>

#include "common/stage/launch.hpp"

/// Kernels that run at the same time, on the multiprocessors together, compiled for each executor as
/// launch.hpp is.
namespace gsst::stage {

#if defined(__CUDACC__)
inline namespace on_gpu {

/// Multiprocessors of the current device.
inline std::uint32_t multiprocessor_count() {
  int multiprocessors = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, current_device()));
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

/// Which capture in a graph a stream takes part in.
struct Capture {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  // Of a capture that goes on.
  unsigned long long id = 0;

  bool operator==(const Capture&) const = default;
};

/// Throws cuda::CudaError.
inline Capture capture_of(cudaStream_t stream) {
  Capture capture;
  GSST_CUDA_CHECK(cudaStreamGetCaptureInfo(stream, &capture.status, &capture.id));
  return capture;
}

/// A further stream, which can follow another stream and be followed by it. Such an order is captured in a
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
  /// Whether work of `capture`, or of none, can be enqueued here: this takes part in no other capture.
  bool is_free_for(const Capture& capture) const {
    const Capture own = capture_of(stream_.get());
    return own.status == cudaStreamCaptureStatusNone || own == capture;
  }
  /// What is enqueued here from now on waits for what is on `stream`.
  void follow(cudaStream_t stream) { GSST_CUDA_CHECK(wait(stream_.get(), stream)); }
  /// What is enqueued on `stream` from now on waits for what is here.
  void lead(cudaStream_t stream) { GSST_CUDA_CHECK(lead_if_possible(stream)); }
  /// As lead(), but says in its result whether that was possible.
  cudaError_t lead_if_possible(cudaStream_t stream) noexcept { return wait(stream, stream_.get()); }

private:
  cudaError_t wait(cudaStream_t later, cudaStream_t earlier) noexcept {
    const cudaError_t error = cudaEventRecord(event_.get(), earlier);
    return error != cudaSuccess ? error : cudaStreamWaitEvent(later, event_.get(), 0);
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

/// The thread's side streams on the current device. Throws cuda::CudaError.
inline std::list<SideStream>& side_streams_of_thread() {
  thread_local std::map<int, std::list<SideStream>> side_streams;
  return side_streams[current_device()];
}

/// Side streams that follow a stream, and that it waits for at the end, also where enqueueing fails: what
/// they have been given uses the caller's memory.
template <unsigned Count>
class SideStreams {
public:
  /// Takes streams of this thread on the current device that no capture but that of `stream` uses, and makes
  /// what is missing. Throws cuda::CudaError.
  explicit SideStreams(void* stream) : stream_(static_cast<cudaStream_t>(stream)) {
    std::list<SideStream>& streams = side_streams_of_thread();
    const Capture capture = capture_of(stream_);
    auto next = streams.begin();
    for (SideStream*& chosen : chosen_) {
      while (next != streams.end() && !next->is_free_for(capture)) ++next;
      if (next == streams.end()) next = streams.emplace(next);
      chosen = &*next++;
    }
  }
  // Joins what follows after a failure, which is the one to be told of. A destructor must not throw.
  ~SideStreams() {
    while (following_ > 0) chosen_[--following_]->lead_if_possible(stream_);
  }
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  void* operator[](unsigned number) const { return chosen_[number]->get(); }

  /// What is enqueued on them from now on waits for what is on the stream. Throws cuda::CudaError.
  void follow() {
    for (; following_ < Count; ++following_) chosen_[following_]->follow(stream_);
  }
  /// What is enqueued on the stream from now on waits for all of them. Throws cuda::CudaError.
  void join() {
    for (; following_ > 0; --following_) chosen_[following_ - 1]->lead(stream_);
  }

private:
  cudaStream_t stream_;
  std::array<SideStream*, Count> chosen_ = {};
  unsigned following_ = 0;
};

/// Calls enqueue(stream) and each of `others` with a stream for itself; they enqueue work that does not
/// depend on each other. What is on `stream` before comes before all of it, and what is enqueued on it later
/// comes after all of it, also where one of them throws. Throws cuda::CudaError, and what they throw.
template <typename Enqueue, typename... EnqueueOthers>
void enqueue_side_by_side(void* stream, Enqueue enqueue, EnqueueOthers... others) {
  SideStreams<sizeof...(others)> side_streams(stream);
  side_streams.follow();
  enqueue(stream);
  unsigned next = 0;
  (others(side_streams[next++]), ...);
  side_streams.join();
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
