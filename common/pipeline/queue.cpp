#include "common/pipeline/queue.hpp"

#include <algorithm>
#include <stdexcept>

#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"
#endif

namespace gsst::pipeline {

#if GSST_WITH_CUDA
namespace {

cudaStream_t as_stream(const std::shared_ptr<void>& stream) {
  return static_cast<cudaStream_t>(stream.get());
}

cudaEvent_t as_event(const std::shared_ptr<void>& event) {
  return static_cast<cudaEvent_t>(event.get());
}

}  // namespace

Queue::Queue(stage::Executor executor) {
  if (executor != stage::Executor::gpu) return;
  cudaStream_t stream = nullptr;
  // Not ordered with the default stream, on which the caller may work.
  GSST_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_ = {stream, [](void* handle) { cudaStreamDestroy(static_cast<cudaStream_t>(handle)); }};
  cudaEvent_t event = nullptr;
  GSST_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  event_ = {event, [](void* handle) { cudaEventDestroy(static_cast<cudaEvent_t>(handle)); }};
}

// A destructor must not throw; what failed shows in the next checked call.
Queue::~Queue() {
  if (stream_) cudaStreamSynchronize(as_stream(stream_));
}

void Queue::copy(std::uint8_t* to, std::span<const std::uint8_t> from) {
  if (!stream_) {
    std::copy(from.begin(), from.end(), to);
    return;
  }
  if (from.empty()) return;
  GSST_CUDA_CHECK(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyDefault, as_stream(stream_)));
}

void Queue::call(std::function<void()>& work) {
  if (!stream_) {
    work();
    return;
  }
  GSST_CUDA_CHECK(cudaLaunchHostFunc(
      as_stream(stream_), [](void* function) { (*static_cast<std::function<void()>*>(function))(); }, &work));
}

void Queue::start_after(const Queue& other) {
  if (!stream_) return;
  GSST_CUDA_CHECK(cudaEventRecord(as_event(event_), as_stream(other.stream_)));
  GSST_CUDA_CHECK(cudaStreamWaitEvent(as_stream(stream_), as_event(event_), 0));
}

void Queue::wait() const {
  if (stream_) GSST_CUDA_CHECK(cudaStreamSynchronize(as_stream(stream_)));
}
#else
Queue::Queue(stage::Executor executor) {
  if (executor == stage::Executor::gpu) throw std::invalid_argument("this program has no CUDA code");
}

Queue::~Queue() = default;

void Queue::copy(std::uint8_t* to, std::span<const std::uint8_t> from) {
  std::copy(from.begin(), from.end(), to);
}

void Queue::call(std::function<void()>& work) {
  work();
}

void Queue::start_after(const Queue& /*other*/) {}

void Queue::wait() const {}
#endif

}  // namespace gsst::pipeline
