// gsst_measure_selection: measures how long the selected values of a column take to be summed on a GPU and
// writes a result as JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_query/device_tools.hpp"
#include "experiments/measure_selection/selection_measurement.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share.
struct Selections {
  explicit Selections(const Measurement& of)
      : tools(query_tools(of)), measurement(of.text, of.dataset, of.repetitions, tools) {}

  QueryTools tools;
  SelectionMeasurement measurement;
};

const PointMeasurer measurer = {
    .kind = "selection",
    .description =
        "Measures how long the values of a column, plain or compressed, that a bit for each selects take to "
        "be summed; all sums are compared with the oracle's before and after.",
    .operations = {stage::Operation::query},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [selections = std::make_shared<Selections>(measurement)](std::span<const Point> group,
                                                                      const KeepRows& keep) {
        const std::vector<nlohmann::ordered_json> rows = selections->measurement.measure(group);
        for (std::size_t i = 0; i < rows.size(); ++i) keep(i, {rows[i]});
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_selection", gsst::experiments::measurer, argc,
                                              argv);
}
