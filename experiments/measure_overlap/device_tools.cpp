#include "experiments/measure_overlap/device_tools.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/device_check.hpp"
#include "experiments/measure/shared/event_timer.hpp"

namespace gsst::experiments {
namespace {

std::uint64_t attribute(cudaDeviceAttr name) {
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  int value = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&value, name, device));
  return static_cast<std::uint64_t>(value);
}

// A thread for each split, in whole warps, 256 at most: as the stages launch them.
std::uint64_t full_wave(std::uint32_t splits) {
  constexpr std::uint64_t lanes = 32;
  constexpr std::uint64_t most = 256;
  const std::uint64_t threads = std::min((splits + lanes - 1) / lanes * lanes, most);
  return attribute(cudaDevAttrMultiProcessorCount) *
         (attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / threads);
}

}  // namespace

ExecutorTools device_tools(const Measurement& measurement) {
  return {.executor = stage::Executor::gpu,
          .poison = poison_on_device,
          .count_differences = count_differences,
          .seconds =
              [](pipeline::Queue& queue, const std::function<void()>& enqueue) {
                EventTimer timer;
                return timer.seconds(static_cast<cudaStream_t>(queue.stream()), enqueue);
              },
          .clocks_during = measurement.clocks_during,
          .full_wave = full_wave};
}

}  // namespace gsst::experiments
