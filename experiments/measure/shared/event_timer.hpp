#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace gsst::experiments {

/// Times work on a stream by two CUDA events, which are made once.
class EventTimer {
public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  /// Seconds that the work which `enqueue` puts on `stream` takes on the device. Waits for it. Throws
  /// CudaError.
  double seconds(cudaStream_t stream, const std::function<void()>& enqueue);

private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

}  // namespace gsst::experiments
