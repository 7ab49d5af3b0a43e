// Stands in for the calls of the CUDA runtime that GraphTimer makes: a function of the host runs on a thread
// of its own, as on a GPU, and every call is noted.
#include "experiments/measure/kinds/decode/graph_timer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/cuda/error.hpp"

namespace {

std::mutex mutex;
std::vector<std::string> calls;
std::thread host_function;
cudaError_t result_of_launch = cudaSuccess;

cudaError_t note(const std::string& call) {
  const std::lock_guard lock(mutex);
  calls.push_back(call);
  return cudaSuccess;
}

template <typename Handle>
cudaError_t make(Handle* handle, const std::string& call) {
  static std::uintptr_t made = 0;
  // Nobody reads what a handle points to.
  *handle = reinterpret_cast<Handle>(++made);  // NOLINT(performance-no-int-to-ptr)
  return note(call);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return make(event, "create event");
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return make(stream, "create stream");
}
cudaError_t cudaEventDestroy(cudaEvent_t /*event*/) {
  return note("destroy event");
}
cudaError_t cudaStreamDestroy(cudaStream_t /*stream*/) {
  return note("destroy stream");
}
cudaError_t cudaGraphDestroy(cudaGraph_t /*graph*/) {
  return note("destroy graph");
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t /*graph*/) {
  return note("destroy executable");
}
cudaError_t cudaStreamBeginCapture(cudaStream_t /*stream*/, cudaStreamCaptureMode /*mode*/) {
  return note("begin");
}
cudaError_t cudaStreamEndCapture(cudaStream_t /*stream*/, cudaGraph_t* graph) {
  return make(graph, "end");
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t /*graph*/,
                                 unsigned long long /*flags*/) {
  return make(executable, "instantiate");
}
cudaError_t cudaGraphUpload(cudaGraphExec_t /*graph*/, cudaStream_t /*stream*/) {
  return note("upload");
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t /*graph*/, cudaStream_t /*stream*/) {
  note("launch");
  return result_of_launch;
}
cudaError_t cudaEventRecord(cudaEvent_t /*event*/, cudaStream_t /*stream*/) {
  return note("record");
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t /*start*/, cudaEvent_t /*end*/) {
  *milliseconds = 250;
  return note("elapsed");
}
cudaError_t cudaLaunchHostFunc(cudaStream_t /*stream*/, cudaHostFn_t function, void* data) {
  note("hold");
  host_function = std::thread([=] {
    function(data);
    note("released");
  });
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t /*stream*/) {
  if (host_function.joinable()) host_function.join();
  return note("wait");
}
cudaError_t cudaEventSynchronize(cudaEvent_t /*event*/) {
  return note("wait");
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t /*error*/) {
  return "cudaErrorOfTheTest";
}
const char* cudaGetErrorString(cudaError_t /*error*/) {
  return "an error";
}
}
// NOLINTEND(readability-identifier-naming)

namespace gsst::experiments {
namespace {

class GraphTimerTest : public testing::Test {
protected:
  GraphTimerTest() {
    calls.clear();
    result_of_launch = cudaSuccess;
  }

  // What has been called since this was called last.
  static std::vector<std::string> take() { return std::exchange(calls, {}); }
};

TEST_F(GraphTimerTest, CapturesAndUploadsBeforeAnythingIsTimed) {
  const GraphTimer timer([](cudaStream_t stream) { note(stream == nullptr ? "no stream" : "enqueue"); });
  EXPECT_EQ(take(), (std::vector<std::string>{"create event", "create event", "create stream", "begin",
                                              "enqueue", "end", "instantiate", "upload", "wait"}));
}

TEST_F(GraphTimerTest, TheDeviceBeginsWhenAllIsEnqueued) {
  GraphTimer timer([](cudaStream_t /*stream*/) {});
  take();
  EXPECT_DOUBLE_EQ(timer.seconds(), 0.25);
  EXPECT_EQ(take(), (std::vector<std::string>{"hold", "record", "launch", "record", "released", "wait",
                                              "wait", "elapsed"}));
}

TEST_F(GraphTimerTest, AnErrorLeavesNothingHeld) {
  {
    GraphTimer timer([](cudaStream_t /*stream*/) {});
    take();
    result_of_launch = cudaErrorUnknown;
    EXPECT_THROW(timer.seconds(), cuda::CudaError);
    EXPECT_EQ(take(), (std::vector<std::string>{"hold", "record", "launch", "released", "wait"}));
  }
  EXPECT_EQ(take(), (std::vector<std::string>{"destroy executable", "destroy graph", "destroy stream",
                                              "destroy event", "destroy event"}));
  const auto fails = [](cudaStream_t /*stream*/) { GSST_CUDA_CHECK(cudaErrorUnknown); };
  EXPECT_THROW(GraphTimer{fails}, cuda::CudaError);
  EXPECT_EQ(take().back(), "destroy event");
}

}  // namespace
}  // namespace gsst::experiments
