#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gsst::cli {

/// How far the work on one file has come.
struct ProgressState {
  std::string name;
  /// Bytes of the input that were read, and its size if known.
  std::uint64_t input_bytes;
  std::optional<std::uint64_t> input_size;
  /// Bytes on the uncompressed side, in which the rate is given.
  std::uint64_t uncompressed_bytes;
  /// Since the start.
  double seconds;
};

/// One line of at most `columns` characters: name, bar, share done, bytes, rate and time left. Without a
/// known size: name, bytes, rate.
std::string progress_text(const ProgressState& state, std::size_t columns);

/// Keeps such a line on standard error up to date, at most ten times a second.
class ProgressLine {
public:
  /// Shows nothing if `quiet` or standard error is no terminal.
  ProgressLine(const std::string& name, std::optional<std::uint64_t> input_size, bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Wipes the line.
  ~ProgressLine();

  void update(std::uint64_t input_bytes, std::uint64_t uncompressed_bytes);
  /// Seconds since the start.
  double seconds() const;

private:
  std::string name_;
  std::optional<std::uint64_t> input_size_;
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace gsst::cli
