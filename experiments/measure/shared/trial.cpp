#include "experiments/measure/shared/trial.hpp"

#include <algorithm>

#include "experiments/measure/shared/interleaved_timing.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned limit_repetitions = 5;

void verify_all(std::span<const Work> works) {
  for (const Work& work : works) {
    if (!work.verification) continue;
    work.verification->poison();
    work.verification->run();
    work.verification->check();
  }
}

// Fills in `measured`. Returns the clocks of the rows.
Json measure(Trial& trial, const Measurement& measurement, Measured& measured) {
  const std::vector<Work> works = trial.works();
  verify_all(works);
  if (const std::optional<StreamingBuffers> buffers = trial.streamed()) {
    measured.limit = measure_streaming_limit(*buffers, limit_repetitions);
  }
  trial.make_ready();
  std::vector<TimedWork> timed;
  for (const Work& work : works) {
    if (work.seconds) timed.push_back({.name = work.name, .seconds = work.seconds});
  }
  const auto time = [&] { measured.seconds = time_interleaved(timed, measurement.repetitions); };
  Json clocks;
  if (trial.on_gpu()) {
    clocks = measurement.clocks_during(time);
  } else {
    time();
  }
  verify_all(works);
  return clocks;
}

// `row` is of as many uncompressed bytes as the limit has written or read, and of as many compressed ones.
void add_limit(Json& row, const StreamingLimit& limit) {
  const StreamingTime& best = limit.variants.front();
  const std::uint64_t uncompressed = row.at("uncompressed_bytes");
  const std::uint64_t compressed = row.at("compressed_bytes");
  row["streaming_limit_gb_per_s"] = gigabytes_per_second(uncompressed, best.seconds);
  row["streaming_limit_moved_gb_per_s"] = gigabytes_per_second(uncompressed + compressed, best.seconds);
  row["copy_moved_gb_per_s"] = limit.copy_bytes_per_second * 1e-9;
  row["streaming_limit_variant"] = best.variant;
}

}  // namespace

MeasureGroup measure_trials(std::shared_ptr<Kind> kind, const Measurement& measurement) {
  return [kind, measurement](std::span<const Point> group, const KeepRows& keep) {
    std::vector<Preparation> preparations = kind->prepare(group);
    std::vector<std::vector<Json>> rows(group.size());
    for (auto preparation = preparations.begin(); preparation != preparations.end(); ++preparation) {
      const std::unique_ptr<Trial> trial = preparation->make();
      Measured measured;
      const Json clocks = measure(*trial, measurement, measured);
      const std::vector<std::vector<Json>> of_points = trial->rows(measured);
      for (std::size_t i = 0; i < of_points.size(); ++i) {
        const std::size_t point = preparation->points[i];
        for (Json row : of_points[i]) {
          if (measured.limit) add_limit(row, *measured.limit);
          row["clocks"] = clocks;
          row.update(group[point].row);
          rows[point].push_back(std::move(row));
        }
        const bool is_last = std::none_of(preparation + 1, preparations.end(), [&](const Preparation& later) {
          return std::ranges::find(later.points, point) != later.points.end();
        });
        if (is_last) keep(point, rows[point]);
      }
    }
  };
}

}  // namespace gsst::experiments
