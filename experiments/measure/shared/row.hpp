#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "experiments/measure/shared/statistics.hpp"

namespace gsst::experiments {

/// The data that rows are about, as the command line names it.
struct Dataset {
  std::string name;
  /// 64 lower-case hexadecimal digits.
  std::string sha256;
};

/// One measurement or count that was verified: a row that was not is never made.
struct Row {
  /// What was measured: `reference_cpu/fast`, `peer/zstd`.
  std::string stage;
  /// Which kind of it: `level 3`.
  std::string variant;
  nlohmann::ordered_json parameters;
  std::uint64_t uncompressed_bytes;
  /// Everything that is stored: headers, tables, metadata.
  std::uint64_t compressed_bytes;
  /// Absent where only bytes were counted.
  std::optional<SecondsSummary> seconds;
};

/// The row in the form that results have. Throughput is uncompressed bytes (10^9) per second of the median
/// time; the streaming limit is null, as nothing on the CPU measures it.
nlohmann::ordered_json row_to_json(const Row& row, const Dataset& dataset);

}  // namespace gsst::experiments
