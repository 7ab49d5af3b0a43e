// gsst_measure_query: measures what queries about columns take on a GPU and writes a result as JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_query/device_tools.hpp"
#include "experiments/measure_query/query_measurement.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share.
struct Queries {
  explicit Queries(const Measurement& of)
      : tools(query_tools(of)), measurement(of.text, of.dataset, of.repetitions, tools) {}

  QueryTools tools;
  QueryMeasurement measurement;
};

const PointMeasurer measurer = {
    .kind = "query",
    .description =
        "Measures the queries of the Star Schema Benchmark about SSB-derived tables, stored plain or "
        "compressed, in GPU memory or in page-locked host memory; every answer is compared with the "
        "oracle's before and after.",
    .operations = {stage::Operation::query},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [queries = std::make_shared<Queries>(measurement)](std::span<const Point> group,
                                                                const KeepRows& keep) {
        for (const std::vector<std::size_t>& places : group_by_query(group)) {
          std::vector<Point> points;
          points.reserve(places.size());
          for (const std::size_t place : places) points.push_back(group[place]);
          const std::vector<nlohmann::ordered_json> rows = queries->measurement.measure(points);
          for (std::size_t i = 0; i < places.size(); ++i) keep(places[i], {rows[i]});
        }
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_query", gsst::experiments::measurer, argc, argv);
}
