#include "experiments/measure/kinds/encode/phase_clock.hpp"

#include <chrono>
#include <numeric>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/event_seconds.hpp"

namespace gsst::experiments {

double PhaseTimes::device() const {
  return std::accumulate(phases.begin(), phases.end(), 0.0);
}

PhaseClock::PhaseClock(std::size_t phases) : events_(phases + 1, nullptr) {
  for (cudaEvent_t& event : events_) GSST_CUDA_CHECK(cudaEventCreate(&event));
}

// A destructor must not throw.
PhaseClock::~PhaseClock() {
  for (const cudaEvent_t event : events_) cudaEventDestroy(event);
}

PhaseTimes PhaseClock::time(cudaStream_t stream, const std::function<void(std::size_t phase)>& enqueue) {
  const auto begin = std::chrono::steady_clock::now();
  GSST_CUDA_CHECK(cudaEventRecord(events_.front(), stream));
  for (std::size_t phase = 0; phase + 1 < events_.size(); ++phase) {
    enqueue(phase);
    GSST_CUDA_CHECK(cudaEventRecord(events_[phase + 1], stream));
  }
  GSST_CUDA_CHECK(cudaEventSynchronize(events_.back()));
  PhaseTimes times;
  times.host = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::size_t phase = 0; phase + 1 < events_.size(); ++phase) {
    times.phases.push_back(seconds_between(events_[phase], events_[phase + 1]));
  }
  return times;
}

}  // namespace gsst::experiments
