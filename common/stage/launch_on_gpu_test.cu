#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/stage/launch.hpp"
#include "common/stage/side_by_side.hpp"

// What launches ask of CUDA, without a GPU: a made-up device answers and keeps what it was asked.
namespace gsst::stage {
namespace {

constexpr int device_bytes = 232448;
constexpr int static_bytes = 1024;

// Stands for a stream: which capture it takes part in, and the work whose end it waits for.
struct MadeUpStream {
  unsigned long long capture = 0;
  std::vector<std::string> work;
};

struct MadeUpEvent {
  unsigned long long capture = 0;
  std::vector<std::string> work;
};

struct MadeUpDevice {
  int number = 0;
  // The bytes that were set as a kernel's limit, in order.
  std::map<const void*, std::vector<int>> limits;
  const void* kernel_with_static_bytes = nullptr;
  cudaError_t answer_to_limits = cudaSuccess;
  unsigned launches = 0;
  // Side streams; a list keeps their addresses.
  std::list<MadeUpStream> streams;
  std::list<MadeUpEvent> events;
};

MadeUpDevice made_up;

MadeUpStream& stream_of(cudaStream_t stream) {
  return *reinterpret_cast<MadeUpStream*>(stream);
}
MadeUpEvent& event_of(cudaEvent_t event) {
  return *reinterpret_cast<MadeUpEvent*>(event);
}

}  // namespace
}  // namespace gsst::stage

// The linker's names for the functions that this program has in place of the runtime's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

using gsst::stage::event_of;
using gsst::stage::made_up;
using gsst::stage::stream_of;

cudaError_t __wrap_cudaGetDevice(int* device) {
  *device = made_up.number;
  return cudaSuccess;
}
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int /*device*/) {
  *value = attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? gsst::stage::device_bytes : 132;
  return cudaSuccess;
}
cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  *attributes = {};
  if (kernel == made_up.kernel_with_static_bytes) attributes->sharedSizeBytes = gsst::stage::static_bytes;
  return cudaSuccess;
}
cudaError_t __wrap_cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) made_up.limits[kernel].push_back(value);
  return made_up.answer_to_limits;
}
cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* /*kernel*/,
                                                                 int /*threads*/, std::size_t /*bytes*/) {
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* /*kernel*/,
                                                                          int /*threads*/,
                                                                          std::size_t /*bytes*/,
                                                                          unsigned /*flags*/) {
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t __wrap_cudaLaunchKernel(const void* /*kernel*/, dim3 /*grid*/, dim3 /*block*/,
                                    void** /*arguments*/, std::size_t /*shared_bytes*/,
                                    cudaStream_t /*stream*/) {
  ++made_up.launches;
  return cudaSuccess;
}
// What nvcc 13 launches with in its place.
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t /*kernel*/, dim3 /*grid*/, dim3 /*block*/,
                                      void** /*arguments*/, std::size_t /*shared_bytes*/,
                                      cudaStream_t /*stream*/) {
  ++made_up.launches;
  return cudaSuccess;
}
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* /*kernel*/, const void* /*function*/) {
  return cudaSuccess;
}
cudaError_t __wrap_cudaGetLastError() {
  return cudaSuccess;
}
cudaError_t __wrap_cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* /*mode*/) {
  return cudaSuccess;
}
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  *stream = reinterpret_cast<cudaStream_t>(&made_up.streams.emplace_back());
  return cudaSuccess;
}
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t /*stream*/) {
  return cudaSuccess;
}
cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
  *event = reinterpret_cast<cudaEvent_t>(&made_up.events.emplace_back());
  return cudaSuccess;
}
cudaError_t __wrap_cudaEventDestroy(cudaEvent_t /*event*/) {
  return cudaSuccess;
}
cudaError_t __wrap_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* /*graph*/,
                                            const cudaGraphNode_t** /*nodes*/,
                                            const cudaGraphEdgeData** /*edges*/, std::size_t* /*count*/) {
  const unsigned long long capture = stream_of(stream).capture;
  *status = capture == 0 ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
  if (capture != 0) *id = capture;
  return cudaSuccess;
}
cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event_of(event) = {.capture = stream_of(stream).capture, .work = stream_of(stream).work};
  return cudaSuccess;
}
// As a GPU's runtime: waiting takes a stream into the capture, and never from one capture into another.
cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
  gsst::stage::MadeUpStream& later = stream_of(stream);
  const gsst::stage::MadeUpEvent& earlier = event_of(event);
  if (later.capture != 0 && earlier.capture != later.capture) return cudaErrorStreamCaptureMerge;
  later.capture = earlier.capture;
  later.work.insert(later.work.end(), earlier.work.begin(), earlier.work.end());
  return cudaSuccess;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

namespace gsst::stage {
namespace {

__global__ void kernel(int /*number*/) {}
__global__ void other_kernel(int /*number*/) {}
__global__ void kernel_with_static_bytes(int /*number*/) {}
__global__ void kernel_that_is_refused(int /*number*/) {}

using Kernel = void (*)(int);

void launch_with(Kernel started, std::size_t shared_bytes) {
  launch({.thread_blocks = 1, .threads_per_block = 32, .shared_bytes = shared_bytes, .stream = nullptr},
         started, 1);
}

const std::vector<int>& limits_of(Kernel started) {
  return made_up.limits[reinterpret_cast<const void*>(started)];
}

// Whoever set the size of one launch would refuse the larger one that another thread is about to start.
TEST(LaunchOnGpu, EveryLimitIsTheMostThatTheDeviceHas) {
  made_up = {};
  for (const std::size_t shared_bytes : {60000, 200000, 100000}) {
    launch_with(kernel, shared_bytes);
    resident_thread_blocks(32, shared_bytes, kernel);
  }
  EXPECT_EQ(made_up.launches, 3u);
  EXPECT_EQ(limits_of(kernel), std::vector<int>{device_bytes});
}

TEST(LaunchOnGpu, AKernelThatNeedsLittleHasNoLimit) {
  made_up = {};
  launch_with(other_kernel, std::size_t{48} * 1024);
  EXPECT_TRUE(limits_of(other_kernel).empty());
}

TEST(LaunchOnGpu, SharedMemoryOfKnownSizeCounts) {
  made_up = {.kernel_with_static_bytes = reinterpret_cast<const void*>(Kernel{kernel_with_static_bytes})};
  launch_with(kernel_with_static_bytes, 60000);
  EXPECT_EQ(limits_of(kernel_with_static_bytes), std::vector<int>{device_bytes - static_bytes});
}

TEST(LaunchOnGpu, EachDeviceHasItsLimit) {
  made_up = {.number = 1};
  for (int launch = 0; launch < 2; ++launch) launch_with(kernel, 60000);
  EXPECT_EQ(limits_of(kernel), std::vector<int>{device_bytes});
}

TEST(LaunchOnGpu, ARefusedLimitIsAskedForAgain) {
  made_up = {.answer_to_limits = cudaErrorInvalidValue};
  EXPECT_THROW(launch_with(kernel_that_is_refused, 60000), cuda::CudaError);
  EXPECT_EQ(made_up.launches, 0u);
  made_up.answer_to_limits = cudaSuccess;
  launch_with(kernel_that_is_refused, 60000);
  EXPECT_EQ(limits_of(kernel_that_is_refused), (std::vector<int>{device_bytes, device_bytes}));
}

// The thread's side streams outlive a test, so the device does too.
class SideStreamsOnGpu : public testing::Test {
protected:
  // Enqueues work by name on a stream and on a side stream of it.
  static void enqueue_two(MadeUpStream& stream, const std::string& name) {
    enqueue_side_by_side(
        &stream, [&](void* first) { add(first, name); }, [&](void* second) { add(second, name + " aside"); });
  }
  static void add(void* stream, const std::string& work) {
    static_cast<MadeUpStream*>(stream)->work.push_back(work);
  }
  static bool waits_for(const MadeUpStream& stream, const std::string& work) {
    return std::ranges::find(stream.work, work) != stream.work.end();
  }
  // What a graph's end does to all streams that took part.
  static void end_capture(MadeUpStream& stream) {
    const unsigned long long capture = std::exchange(stream.capture, 0);
    for (MadeUpStream& side : made_up.streams) {
      if (side.capture == capture) side.capture = 0;
    }
  }
};

TEST_F(SideStreamsOnGpu, TheStreamWaitsForAll) {
  MadeUpStream stream;
  enqueue_two(stream, "work");
  EXPECT_TRUE(waits_for(stream, "work"));
  EXPECT_TRUE(waits_for(stream, "work aside"));
}

// Its memory is the caller's, who frees it after waiting for the stream.
TEST_F(SideStreamsOnGpu, TheStreamWaitsForWhatWasEnqueuedBeforeAFailure) {
  MadeUpStream stream;
  const auto enqueue_and_fail = [&] {
    enqueue_side_by_side(
        &stream, [](void*) {}, [](void* side) { add(side, "before the failure"); },
        [](void*) { throw std::runtime_error("refused"); });
  };
  EXPECT_THROW(enqueue_and_fail(), std::runtime_error);
  EXPECT_TRUE(waits_for(stream, "before the failure"));
}

TEST_F(SideStreamsOnGpu, TwoCapturesOfAThreadShareNoStream) {
  MadeUpStream first{.capture = 1, .work = {}};
  MadeUpStream second{.capture = 2, .work = {}};
  MadeUpStream third;
  enqueue_two(first, "first");
  enqueue_two(second, "second");
  enqueue_two(third, "third");
  enqueue_two(first, "first again");
  EXPECT_TRUE(waits_for(first, "first again aside"));
  EXPECT_FALSE(waits_for(second, "first aside"));
  EXPECT_FALSE(waits_for(third, "second aside"));
  const std::size_t streams = made_up.streams.size();
  end_capture(first);
  end_capture(second);
  enqueue_two(third, "third again");
  EXPECT_EQ(made_up.streams.size(), streams);
}

}  // namespace
}  // namespace gsst::stage
