#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace gsst::experiments {

/// Times parts of the work on a stream that follow each other, with an event between them.
class PhaseClock {
public:
  /// Throws CudaError.
  explicit PhaseClock(std::size_t phases);
  ~PhaseClock();
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

  /// Calls enqueue(0), enqueue(1), ..., which put the phases on `stream`, and waits for them. Returns the
  /// seconds that each takes on the device. Throws CudaError.
  std::vector<double> seconds(cudaStream_t stream, const std::function<void(std::size_t phase)>& enqueue);

private:
  std::vector<cudaEvent_t> events_;
};

}  // namespace gsst::experiments
