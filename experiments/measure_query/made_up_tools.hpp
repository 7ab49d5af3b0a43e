#pragma once

#include <algorithm>
#include <functional>

#include "experiments/measure_query/query_tools.hpp"

namespace gsst::experiments {

/// For tests: the CPU executor, on which times mean nothing. Works take 2 ms, graphs 1 ms, the limit 1.9 ms.
inline QueryTools made_up_query_tools() {
  using Json = nlohmann::ordered_json;
  return {
      .executor = stage::Executor::simt,
      .copy = [](std::uint8_t* to, std::span<const std::uint8_t> from,
                 stage::Stream) { std::ranges::copy(from, to); },
      .seconds =
          [](const Enqueue& enqueue) {
            enqueue(nullptr);
            return 2e-3;
          },
      .as_graph =
          [](const Enqueue& enqueue) {
            return [enqueue] {
              enqueue(nullptr);
              return 1e-3;
            };
          },
      .limit = [](const StreamingBuffers&) { return StreamingTime{.variant = "made up", .seconds = 1.9e-3}; },
      .clocks_during =
          [](const std::function<void()>& work) {
            work();
            return Json{{"samples", 0}};
          }};
}

}  // namespace gsst::experiments
