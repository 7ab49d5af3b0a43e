#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/measure/shared/points.hpp"

/// What points and their file say of the sources, besides what points of all kinds hold.
namespace gsst::experiments {

/// What all points of a file share: its key `options`.
///
///     "options": {"packet_bytes": 8192, "ring_mib": 256, "longest_milliseconds": 60000}
struct SourceOptions {
  /// Of each packet.
  std::uint64_t packet_bytes;
  std::uint64_t ring_bytes;
  /// No point takes longer, whatever it wants.
  std::chrono::milliseconds longest;
};

/// Reads the options. `place` names the document in messages. Throws InputError where one is missing, or is
/// no whole number above 0.
SourceOptions parse_source_options(const nlohmann::ordered_json& document, const std::string& place);

/// What a point wants of its sources. It says so under `row`, so that its row has it too:
///
///     "row": {"wanted_gigabits_per_second": 40, "wanted_milliseconds": 60000, "sources": 1}
struct WantedPace {
  double gigabits_per_second;
  std::chrono::milliseconds duration;
  /// Threads that deliver.
  std::uint32_t sources;
};

/// Throws InputError as parse_source_options().
WantedPace wanted_pace(const Point& point);

}  // namespace gsst::experiments
