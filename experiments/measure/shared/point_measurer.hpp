#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure/shared/run_options.hpp"

namespace gsst::experiments {

/// What points are measured with. All of it outlives the measurement.
struct Measurement {
  std::span<const std::uint8_t> text;
  Dataset dataset;
  unsigned repetitions;
  /// Calls `work` and says at what clocks the GPU ran (summarize_samples()).
  std::function<nlohmann::ordered_json(const std::function<void()>& work)> clocks_during;
  /// The first points file.
  const nlohmann::ordered_json& document;
};

/// Keeps the finished rows of the point with that position in its group.
using KeepRows = std::function<void(std::size_t point, std::vector<nlohmann::ordered_json> rows)>;

/// Measures points with the same input, and gives the rows of each to `keep` as soon as there are all.
using MeasureGroup = std::function<void(std::span<const Point> group, const KeepRows& keep)>;

/// A kind of measurement: all that a program does beside it is in measure_points().
struct PointMeasurer {
  /// As the command line and points files name it.
  std::string kind;
  /// For `--help`.
  std::string description;
  /// What its stages are registered for (PointRules::operations).
  std::vector<stage::Operation> operations;
  /// Prepares measuring on one text: is called before the first group that is not finished.
  std::function<MeasureGroup(const Measurement& measurement)> make;
};

/// What the command line says.
struct MeasureOptions {
  RunOptions run;
  /// Of the result; else the points file's.
  std::string target;
  InputOptions input;
  /// What candidates are chosen on; without a path the first quarter of `input`, of which the points are then
  /// measured on the rest.
  InputOptions tuning;
  unsigned sweep_repetitions = 5;
};

/// Adds all options of a measurement. `command` is what the result calls the command where no option says it.
void add_measure_options(CLI::App& app, MeasureOptions& options, const std::string& command);

/// Measures the points that `options` name and writes the result file. What an interrupted run of the same
/// points has finished is taken over. Where the points files hold candidates, these are measured on the
/// tuning text, and the fastest of each stage and variant is one more point; where there are no others the
/// result has the rows of all in `candidates`. Throws InputError, CudaError, and what `measurer` throws.
void measure_points(const PointMeasurer& measurer, const MeasureOptions& options);

/// The whole of a program with one kind of measurement: run_program() with the options of a measurement.
int run_point_program(const char* program, const PointMeasurer& measurer, int argc, char** argv);

}  // namespace gsst::experiments
