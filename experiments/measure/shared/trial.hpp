#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/streaming_limit.hpp"

/// How everything that is timed is verified and timed: a kind of measurement says what its works are, and
/// this does the rest.
namespace gsst::experiments {

/// How a work is known to be right: all three are called in their order, before and after the timing.
struct Verification {
  /// Makes what an earlier run has left useless, so that output that is not written again is found.
  std::function<void()> poison;
  std::function<void()> run;
  /// Waits for the run. Throws MismatchError.
  std::function<void()> check;
};

/// Something that is verified and timed.
struct Work {
  /// For messages.
  std::string name;
  /// Does the work once and returns the seconds that it took; empty: it is not timed.
  std::function<double()> seconds;
  /// Nothing: another work of the trial verifies the same.
  std::optional<Verification> verification = std::nullopt;
};

/// Seconds of each repetition, of each of a trial's works that are timed, in their order; and the streaming
/// limit where the trial asks for one.
struct Measured {
  std::vector<std::vector<double>> seconds;
  std::optional<StreamingLimit> limit;
};

/// Works that are measured together, with their memory.
class Trial {
public:
  virtual ~Trial() = default;

  /// Is called once.
  virtual std::vector<Work> works() = 0;

  /// Memory that a streaming kernel reads and writes, as many bytes as the works do; what it writes is lost.
  /// Is called after the first verification. Nothing: no limit is measured.
  virtual std::optional<StreamingBuffers> streamed() { return std::nullopt; }

  /// Is called before the timing: brings about what the first repetition finds.
  virtual void make_ready() {}

  /// Whether the works run on the GPU; the `clocks` of rows are null otherwise.
  virtual bool on_gpu() const { return true; }

  /// The rows of each point that the trial was prepared for, in their order. `clocks`, the streaming limit
  /// and the keys of the point's `row` are added to them.
  virtual std::vector<std::vector<nlohmann::ordered_json>> rows(const Measured& measured) = 0;
};

/// A trial that is made when it is measured, so that memory is held by one at a time.
struct Preparation {
  /// Points that the trial has rows of, as positions in the group.
  std::vector<std::size_t> points;
  std::function<std::unique_ptr<Trial>()> make;
};

/// What is measured of points with the same input.
class Kind {
public:
  virtual ~Kind() = default;

  /// The trials of `group`, which outlives them.
  virtual std::vector<Preparation> prepare(std::span<const Point> group) = 0;
};

/// Measures groups with the trials of `kind`: verifies all works, finds the streaming limit, makes the trial
/// ready, times the works in random order, and verifies them again.
MeasureGroup measure_trials(std::shared_ptr<Kind> kind, const Measurement& measurement);

}  // namespace gsst::experiments
