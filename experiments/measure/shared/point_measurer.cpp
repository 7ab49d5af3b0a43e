#include "experiments/measure/shared/point_measurer.hpp"

#include <iostream>
#include <optional>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/measured_text.hpp"
#include "experiments/measure/shared/row_text.hpp"
#include "experiments/measure/shared/session.hpp"
#include "experiments/measure/shared/sweep_choice.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// What a points file says of all its points.
Json said_of_all(const Json& document) {
  Json said = document.is_object() ? document : Json::object();
  for (const char* const key : {"points", "candidates"}) said.erase(key);
  return said;
}

// The rows of all points on one text, in their order.
std::vector<Json> measure_on(const PointMeasurer& measurer, Session& session, std::span<const Point> points,
                             const Measurement& measurement) {
  const auto work = [&](const Point& point) {
    return Json{{"kind", measurer.kind},
                {"point", point_to_json(point)},
                {"of_all", said_of_all(measurement.document)},
                {"repetitions", measurement.repetitions}};
  };
  std::optional<MeasureGroup> measure_group;
  for (const std::vector<std::size_t>& group : group_by_input(points)) {
    std::vector<Point> missing;
    for (const std::size_t i : group) {
      if (session.find(work(points[i]), measurement.dataset) == nullptr) missing.push_back(points[i]);
    }
    if (missing.empty()) continue;
    if (!measure_group) measure_group = measurer.make(measurement);
    (*measure_group)(missing, [&](std::size_t point, const std::vector<Json>& rows) {
      session.keep(work(missing[point]), measurement.dataset, rows);
      for (const Json& row : rows) std::cerr << row_text(row) << std::endl;
    });
  }
  std::vector<Json> rows;
  for (const Point& point : points) {
    for (const Json& row : *session.find(work(point), measurement.dataset)) rows.push_back(row);
  }
  return rows;
}

// A text and what its rows call it.
struct Text {
  std::vector<std::uint8_t> bytes;
  Dataset dataset;
};

Text read_text(const InputOptions& input) {
  return {read_input_file(input.path), input.dataset};
}

// Cuts the first quarter off a text. Both parts keep the file's digest; their names say which part it is.
Text cut_first_quarter(Text& text) {
  const auto quarter = static_cast<std::ptrdiff_t>(text.bytes.size() / 4);
  const auto begin = text.bytes.begin();
  Text first = {{begin, begin + quarter}, {text.dataset.name + ", first quarter", text.dataset.sha256}};
  text.bytes.erase(begin, begin + quarter);
  text.dataset.name += ", last three quarters";
  return first;
}

int run(const char* program, const PointMeasurer& measurer, int argc, char** argv) {
  CLI::App app(measurer.description, program);
  MeasureOptions options;
  add_measure_options(app, options, command_text(argc, argv));
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  measure_points(measurer, options);
  return 0;
}

}  // namespace

void add_measure_options(CLI::App& app, MeasureOptions& options, const std::string& command) {
  app.add_option("--target", options.target, "Target of the result; else the points file's");
  app.add_option("--points", options.run.points,
                 "Points file (experiments/measure/shared/points.hpp); may be repeated")
      ->required();
  add_result_options(app, options.run, command);
  add_timing_options(app, options.run);
  add_input_options(app, options.input);
  add_input_options(app, options.tuning, "tuning-", false);
  app.add_option("--sweep-repetitions", options.sweep_repetitions, "Times that every candidate is timed")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
}

void measure_points(const PointMeasurer& measurer, const MeasureOptions& options) {
  Session session(options.run);
  PointList list = read_points(options.run.points, {.kind = measurer.kind,
                                                    .operations = measurer.operations,
                                                    .multiprocessors = session.device().multiprocessors});
  const Json document = read_document(options.run.points.front());
  const std::string target = target_of(list, options.target);
  Text text = read_text(options.input);
  const auto measure = [&](std::span<const Point> points, const Text& on, unsigned repetitions) {
    check_text_size(on.bytes.size(), session.device().l2_bytes, options.run);
    return measure_on(measurer, session, points,
                      {.text = on.bytes,
                       .dataset = on.dataset,
                       .repetitions = repetitions,
                       .clocks_during =
                           [&](const std::function<void()>& work) {
                             return summarize_samples(session.monitor().sample_during(work));
                           },
                       .document = document});
  };
  std::vector<Json> candidates;
  const bool nothing_is_fixed = list.points.empty();
  if (!list.candidates.empty()) {
    const Text tuning = options.tuning.path.empty() ? cut_first_quarter(text) : read_text(options.tuning);
    candidates = measure(list.candidates, tuning, options.sweep_repetitions);
    for (const std::size_t i : choose_fastest(candidates)) list.points.push_back(list.candidates[i]);
  }
  const std::vector<Json> rows = measure(list.points, text, options.run.repetitions);
  std::vector<Json> all = candidates;
  all.insert(all.end(), rows.begin(), rows.end());
  Json result = make_result(target, session.environment(all), options.run.sources_digest, rows);
  if (nothing_is_fixed) result["candidates"] = candidates;
  session.finish(result);
}

int run_point_program(const char* program, const PointMeasurer& measurer, int argc, char** argv) {
  return run_program(
      program, [&](int count, char** words) { return run(program, measurer, count, words); }, argc, argv);
}

}  // namespace gsst::experiments
