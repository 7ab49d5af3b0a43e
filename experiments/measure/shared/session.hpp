#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "experiments/measure/shared/device_description.hpp"
#include "experiments/measure/shared/device_monitor.hpp"
#include "experiments/measure/shared/partial_rows.hpp"
#include "experiments/measure/shared/result_file.hpp"
#include "experiments/measure/shared/run_options.hpp"

namespace gsst::experiments {

/// One run of a program on one GPU: keeps what is finished beside the output, so that a run after an
/// interruption goes on behind it, and describes itself in the result.
class Session {
public:
  /// `options` must outlive the session. Throws CudaError where there is no GPU, and what PartialRows throws.
  explicit Session(const RunOptions& options);

  const DeviceDescription& device() const { return device_; }
  const DeviceMonitor& monitor() const { return monitor_; }

  /// What keep() was given for `work`, here or in a run that was interrupted, or nullptr. `work` says what is
  /// measured: no two works of a program on one text are equal.
  const nlohmann::ordered_json* find(const nlohmann::ordered_json& work, const Dataset& dataset) const;

  /// Keeps what `work` on a text has given: a row, or a list of rows. Throws InputError.
  void keep(const nlohmann::ordered_json& work, const Dataset& dataset, const nlohmann::ordered_json& rows);

  /// The environment of `rows`, which this session or one that it goes on with has measured. Rows whose
  /// `clocks` are null say nothing of the GPU's.
  Environment environment(std::span<const nlohmann::ordered_json> rows) const;

  /// Writes the complete output and removes what was kept of finished rows.
  void finish(const nlohmann::ordered_json& document) const;

  /// finish() with the result of `target`.
  void finish_with(const std::string& target, const std::vector<nlohmann::ordered_json>& rows) const;

private:
  nlohmann::ordered_json key(const nlohmann::ordered_json& work, const Dataset& dataset) const;

  const RunOptions& options_;
  DeviceDescription device_;
  DeviceMonitor monitor_;
  PartialRows partial_;
  std::string start_date_;
};

}  // namespace gsst::experiments
