#include "experiments/measure_query/device_tools.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <vector>

#include "common/cuda/error.hpp"
#include "experiments/measure/kinds/decode/graph_timer.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "experiments/measure/shared/streaming_limit.hpp"

namespace gsst::experiments {
namespace {

constexpr unsigned limit_repetitions_of_queries = 5;

void copy_to_device(std::uint8_t* to, std::span<const std::uint8_t> from, stage::Stream stream) {
  GSST_CUDA_CHECK(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyHostToDevice,
                                  static_cast<cudaStream_t>(stream)));
}

// A query reads much more than it writes. The variants that give each thread block a part of what is written
// would have few thread blocks read; those that share out warps have all of them.
StreamingTime fastest_reading(const StreamingBuffers& buffers) {
  EventTimer timer;
  std::optional<StreamingTime> fastest;
  for (const StreamingVariant& variant : streaming_variants()) {
    if (!variant.name.starts_with("reading and writing warps")) continue;
    const auto enqueue = [&] { variant.enqueue(buffers); };
    enqueue();
    std::vector<double> seconds;
    for (unsigned i = 0; i < limit_repetitions_of_queries; ++i) {
      seconds.push_back(timer.seconds(nullptr, enqueue));
    }
    const double median = summarize(seconds).median;
    if (!fastest || median < fastest->seconds) fastest = {variant.name, median};
  }
  return fastest.value();
}

// A stream that is held back waits for functions that are loaded now: the first launch is no repetition.
std::function<double()> graph_of(const Enqueue& enqueue) {
  auto graph = std::make_shared<GraphTimer>([&](cudaStream_t stream) { enqueue(stream); });
  graph->launch();
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  return [graph] { return graph->seconds(); };
}

}  // namespace

QueryTools query_tools(const Measurement& measurement) {
  return {
      .executor = stage::Executor::gpu,
      .copy = copy_to_device,
      .seconds = [timer = std::make_shared<EventTimer>()](
                     const Enqueue& enqueue) { return timer->seconds(nullptr, [&] { enqueue(nullptr); }); },
      .as_graph = graph_of,
      .limit = fastest_reading,
      .clocks_during = measurement.clocks_during};
}

}  // namespace gsst::experiments
