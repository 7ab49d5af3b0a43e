#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"
#include "experiments/measure/shared/streaming_limit.hpp"

namespace gsst::experiments {

/// Puts work on a stream.
using Enqueue = std::function<void(stage::Stream stream)>;

/// What a measurement needs of the executor.
struct QueryTools {
  stage::Executor executor;
  /// Enqueues the copy of host memory to the executor's.
  std::function<void(std::uint8_t* to, std::span<const std::uint8_t> from, stage::Stream stream)> copy;
  /// Seconds that what `enqueue` puts on the default stream takes.
  std::function<double(const Enqueue& enqueue)> seconds;
  /// A function that gives the seconds of the same work as a captured graph. The work has been run before.
  std::function<std::function<double()>(const Enqueue& enqueue)> as_graph;
  /// The fastest way to stream through these buffers.
  std::function<StreamingTime(const StreamingBuffers& buffers)> limit;
  /// Calls `work` and says at what clocks it ran (summarize_samples()).
  std::function<nlohmann::ordered_json(const std::function<void()>& work)> clocks_during;
};

}  // namespace gsst::experiments
