#include "experiments/measure/shared/session.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <optional>
#include <thread>

#include "experiments/measure/shared/measured_text.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

Session::Session(const RunOptions& options)
    : options_(options),
      device_(describe_device()),
      monitor_(device_.pci_bus_id),
      partial_(options.output),
      start_date_(utc_now()) {}

const Json* Session::find(const Json& work, const Dataset& dataset) const {
  return partial_.find(key(work, dataset));
}

void Session::keep(const Json& work, const Dataset& dataset, const Json& rows) {
  partial_.append(key(work, dataset), rows);
}

Environment Session::environment(std::span<const Json> rows) const {
  std::vector<Json> clocks;
  for (const Json& row : rows) {
    if (!row.at("clocks").is_null()) clocks.push_back(row.at("clocks"));
  }
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

void Session::finish_with(const std::string& target, const std::vector<Json>& rows) const {
  finish(make_result(target, environment(rows), options_.sources_digest, rows));
}

Json Session::key(const Json& work, const Dataset& dataset) const {
  return row_key(work, dataset, options_, device_.name, monitor_.driver_version());
}

}  // namespace gsst::experiments
