#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gsst::experiments {

/// What a result file says of the measurement, as experiments/schemas/result.schema.json has it. Texts that
/// may be null are null where they are not known.
struct Environment {
  nlohmann::ordered_json gpu;
  nlohmann::ordered_json driver;
  nlohmann::ordered_json cuda;
  nlohmann::ordered_json clocks;
  nlohmann::ordered_json ecc;
  std::string cpu;
  std::string compiler;
  std::string flags;
  /// 40 hexadecimal digits, or `unknown`.
  std::string commit;
  bool dirty;
  /// UTC, as 2026-01-31T12:00:00Z.
  std::string date;
  std::string command;
};

/// The environment with the keys of the schema.
nlohmann::ordered_json environment_to_json(const Environment& environment);

/// The whole result file.
nlohmann::ordered_json make_result(const std::string& target, const Environment& environment,
                                   const std::string& sources_digest,
                                   const std::vector<nlohmann::ordered_json>& rows);

/// Writes `document` through a temporary file beside `path`: `path` is written whole or not at all. Throws
/// InputError if it cannot be written.
void write_document(const nlohmann::ordered_json& document, const std::filesystem::path& path);

}  // namespace gsst::experiments
