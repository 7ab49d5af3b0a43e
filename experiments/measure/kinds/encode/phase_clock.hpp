#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace gsst::experiments {

/// What a PhaseClock saw of one piece of work.
struct PhaseTimes {
  /// Seconds of each phase on the device, by events.
  std::vector<double> phases;
  /// Seconds of the host, from before the first phase is enqueued until all are done.
  double host;

  /// Seconds of all phases on the device.
  double device() const;
};

/// Times parts of the work on a stream that follow each other, with an event between them and the host's
/// clock around them.
class PhaseClock {
public:
  /// Throws CudaError.
  explicit PhaseClock(std::size_t phases);
  ~PhaseClock();
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

  /// Calls enqueue(0), enqueue(1), ..., which put the phases on `stream`, and waits for them. Throws
  /// CudaError.
  PhaseTimes time(cudaStream_t stream, const std::function<void(std::size_t phase)>& enqueue);

private:
  std::vector<cudaEvent_t> events_;
};

}  // namespace gsst::experiments
