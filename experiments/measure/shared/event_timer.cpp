#include "experiments/measure/shared/event_timer.hpp"

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/event_seconds.hpp"

namespace gsst::experiments {

EventTimer::EventTimer() {
  GSST_CUDA_CHECK(cudaEventCreate(&start_));
  GSST_CUDA_CHECK(cudaEventCreate(&stop_));
}

// A destructor must not throw.
EventTimer::~EventTimer() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

double EventTimer::seconds(cudaStream_t stream, const std::function<void()>& enqueue) {
  GSST_CUDA_CHECK(cudaEventRecord(start_, stream));
  enqueue();
  GSST_CUDA_CHECK(cudaEventRecord(stop_, stream));
  GSST_CUDA_CHECK(cudaEventSynchronize(stop_));
  return seconds_between(start_, stop_);
}

}  // namespace gsst::experiments
