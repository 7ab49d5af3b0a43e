#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace gsst::experiments {

/// Work that is captured once as a CUDA graph and launched again, on a stream of its own. What is on the
/// legacy default stream and what is here wait for each other.
class GraphTimer {
public:
  /// Captures what `enqueue` puts on the stream that it is given, instantiates the graph and uploads it.
  /// `enqueue` neither waits nor allocates, and has been run before. Throws CudaError.
  explicit GraphTimer(const std::function<void(cudaStream_t)>& enqueue);
  ~GraphTimer();
  GraphTimer(const GraphTimer&) = delete;
  GraphTimer& operator=(const GraphTimer&) = delete;

  /// Launches the graph without waiting for it. Throws CudaError.
  void launch();

  /// Seconds that one launch takes on the device. The device begins when the launch is already in its queue,
  /// so that nothing that the host does counts. The graph must have been launched before, since a function
  /// that is loaded now would wait for a device that waits. Throws CudaError.
  double seconds();

private:
  // Lets the destructor destroy what there is where the other constructor throws.
  GraphTimer() = default;

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace gsst::experiments
