#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace gsst::experiments {

/// The rows that an interrupted measurement has finished, so that the next one goes on behind them: a file of
/// lines {"key": ..., "row": ...} beside the output, `<output>.partial.jsonl`. A key says all that a row
/// depends on; a row counts only for exactly that key. In the place of a row stands a list where several are
/// measured together.
class PartialRows {
public:
  /// Reads what is there. A last line without its end is what an interruption left, and is cut off. Throws
  /// InputError if the file cannot be read or holds another thing.
  explicit PartialRows(const std::filesystem::path& output);

  /// The row of `key`, or nullptr.
  const nlohmann::ordered_json* find(const nlohmann::ordered_json& key) const;

  /// Adds a line and waits until it is on the disk. Throws InputError.
  void append(const nlohmann::ordered_json& key, const nlohmann::ordered_json& row);

  /// Removes the file: the output is complete.
  void remove() const;

private:
  std::filesystem::path path_;
  /// By the key's text.
  std::map<std::string, nlohmann::ordered_json> rows_;
};

}  // namespace gsst::experiments
