#include "experiments/measure_encode/phase_clock.hpp"

#include "common/cuda/error.hpp"

namespace gsst::experiments {

PhaseClock::PhaseClock(std::size_t phases) : events_(phases + 1, nullptr) {
  for (cudaEvent_t& event : events_) GSST_CUDA_CHECK(cudaEventCreate(&event));
}

// A destructor must not throw.
PhaseClock::~PhaseClock() {
  for (const cudaEvent_t event : events_) cudaEventDestroy(event);
}

std::vector<double> PhaseClock::seconds(cudaStream_t stream,
                                        const std::function<void(std::size_t phase)>& enqueue) {
  GSST_CUDA_CHECK(cudaEventRecord(events_.front(), stream));
  for (std::size_t phase = 0; phase + 1 < events_.size(); ++phase) {
    enqueue(phase);
    GSST_CUDA_CHECK(cudaEventRecord(events_[phase + 1], stream));
  }
  GSST_CUDA_CHECK(cudaEventSynchronize(events_.back()));
  std::vector<double> seconds;
  for (std::size_t phase = 0; phase + 1 < events_.size(); ++phase) {
    float milliseconds = 0;
    GSST_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, events_[phase], events_[phase + 1]));
    seconds.push_back(static_cast<double>(milliseconds) * 1e-3);
  }
  return seconds;
}

}  // namespace gsst::experiments
