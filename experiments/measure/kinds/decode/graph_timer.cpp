#include "experiments/measure/kinds/decode/graph_timer.hpp"

#include <latch>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/event_seconds.hpp"

namespace gsst::experiments {
namespace {

// What is put on a stream after this begins when it is released.
class HeldStream {
public:
  explicit HeldStream(cudaStream_t stream) : stream_(stream) {
    GSST_CUDA_CHECK(cudaLaunchHostFunc(
        stream, [](void* released) { static_cast<std::latch*>(released)->wait(); }, &released_));
  }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;
  // Also where an error leaves the stream held. The function reads the latch until it has ended.
  ~HeldStream() {
    released_.count_down();
    cudaStreamSynchronize(stream_);
  }

private:
  cudaStream_t stream_;
  std::latch released_{1};
};

}  // namespace

GraphTimer::GraphTimer(const std::function<void(cudaStream_t)>& enqueue) : GraphTimer() {
  GSST_CUDA_CHECK(cudaEventCreate(&start_));
  GSST_CUDA_CHECK(cudaEventCreate(&stop_));
  GSST_CUDA_CHECK(cudaStreamCreate(&stream_));
  GSST_CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  enqueue(stream_);
  GSST_CUDA_CHECK(cudaStreamEndCapture(stream_, &graph_));
  GSST_CUDA_CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
  GSST_CUDA_CHECK(cudaGraphUpload(executable_, stream_));
  GSST_CUDA_CHECK(cudaStreamSynchronize(stream_));
}

// A destructor must not throw.
GraphTimer::~GraphTimer() {
  if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
  if (graph_ != nullptr) cudaGraphDestroy(graph_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
  if (stop_ != nullptr) cudaEventDestroy(stop_);
  if (start_ != nullptr) cudaEventDestroy(start_);
}

void GraphTimer::launch() {
  GSST_CUDA_CHECK(cudaGraphLaunch(executable_, stream_));
}

double GraphTimer::seconds() {
  {
    const HeldStream held(stream_);
    GSST_CUDA_CHECK(cudaEventRecord(start_, stream_));
    launch();
    GSST_CUDA_CHECK(cudaEventRecord(stop_, stream_));
  }
  GSST_CUDA_CHECK(cudaEventSynchronize(stop_));
  return seconds_between(start_, stop_);
}

}  // namespace gsst::experiments
