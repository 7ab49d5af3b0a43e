#include "experiments/measure_gpu/session.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <thread>

#include "experiments/measure/error.hpp"
#include "experiments/measure_gpu/frame_measurement.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// What is decoded must not come out of the cache of the repetition before.
constexpr std::size_t least_multiple_of_l2 = 4;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  std::array<char, sizeof("2026-01-31T12:00:00Z")> text = {};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string model = "unknown";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(std::min(line.size(), line.find(':') + 2));
    break;
  }
  return model + " (" + std::to_string(std::thread::hardware_concurrency()) + " processors)";
}

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ' ' << row["parameters"].dump() << ": ratio "
            << row["ratio"].get<double>() << ", " << row["throughput_gb_per_s"].get<double>()
            << " GB/s, streaming limit " << row["streaming_limit_gb_per_s"].get<double>()
            << " GB/s, which moves " << row["streaming_limit_moved_gb_per_s"].get<double>()
            << " GB/s; a copy moves " << row["copy_moved_gb_per_s"].get<double>() << " GB/s" << std::endl;
}

}  // namespace

Session::Session(const RunOptions& options)
    : options_(options),
      device_(describe_device()),
      monitor_(device_.pci_bus_id),
      partial_(options.output),
      start_date_(utc_now()) {}

PointList Session::read_points() const {
  PointList all;
  for (const std::filesystem::path& path : options_.points) {
    PointList list = experiments::read_points(path, device_.multiprocessors);
    if (all.target.empty()) all.target = list.target;
    std::move(list.points.begin(), list.points.end(), std::back_inserter(all.points));
  }
  if (all.points.empty()) throw InputError("the points files hold no point");
  return all;
}

std::vector<Json> Session::measure(std::span<const Point> points, std::span<const std::uint8_t> text,
                                   const Dataset& dataset) {
  check_size(text.size());
  std::optional<FrameMeasurement> measurement;
  for (const std::vector<std::size_t>& group : group_by_frame(points)) {
    std::vector<Point> missing;
    for (const std::size_t i : group) {
      if (partial_.find(key(points[i], dataset)) == nullptr) missing.push_back(points[i]);
    }
    if (missing.empty()) continue;
    if (!measurement) measurement.emplace(text, dataset, options_.repetitions, monitor_);
    const std::vector<Json> rows = measurement->measure(missing);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      partial_.append(key(missing[i], dataset), rows[i]);
      report(rows[i]);
    }
  }
  std::vector<Json> rows;
  for (const Point& point : points) rows.push_back(*partial_.find(key(point, dataset)));
  return rows;
}

Environment Session::environment(std::span<const Json> rows) const {
  std::vector<Json> clocks;
  for (const Json& row : rows) clocks.push_back(row.at("clocks"));
  const std::optional<std::string> ecc = monitor_.ecc();
  return {.gpu = device_.name,
          .driver = monitor_.driver_version(),
          .cuda = device_.cuda_version,
          .clocks = clocks_text(clocks),
          .ecc = ecc ? Json(*ecc) : Json(nullptr),
          .cpu = processor(),
          .compiler = GSST_COMPILER,
          .flags = GSST_FLAGS,
          .commit = options_.commit,
          .dirty = options_.dirty,
          .date = start_date_,
          .command = options_.command};
}

void Session::finish(const Json& document) const {
  write_document(document, options_.output);
  partial_.remove();
}

// All that a row depends on: another commit, card or driver measures again.
Json Session::key(const Point& point, const Dataset& dataset) const {
  return {{"point", point_to_json(point)},
          {"dataset", dataset.name},
          {"dataset_sha256", dataset.sha256},
          {"repetitions", options_.repetitions},
          {"sources_digest", options_.sources_digest},
          {"commit", options_.commit},
          {"gpu", device_.name},
          {"driver", monitor_.driver_version()}};
}

void Session::check_size(std::size_t bytes) const {
  const std::size_t least = least_multiple_of_l2 * device_.l2_bytes;
  if (options_.allow_small || bytes >= least) return;
  throw InputError("the text has " + std::to_string(bytes) + " bytes, but times say something only from " +
                   std::to_string(least) + " bytes on, " + std::to_string(least_multiple_of_l2) +
                   " times the L2 cache; --allow-small measures all the same");
}

}  // namespace gsst::experiments
