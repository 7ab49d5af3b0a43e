// gsst_measure_arithmetic: measures how fast warps compute on a GPU where one lane or all lanes do, and
// writes a result as JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_arithmetic/arithmetic_measurement.hpp"
#include "experiments/measure_query/device_tools.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share.
struct Arithmetic {
  explicit Arithmetic(const Measurement& of)
      : tools(query_tools(of)), measurement(of.text, of.dataset, of.repetitions, tools) {}

  QueryTools tools;
  ArithmeticMeasurement measurement;
};

const PointMeasurer arithmetic_measurer = {
    .kind = "arithmetic",
    .description =
        "Measures how fast warps compute where one lane or all lanes do, for a number of operations on each "
        "word that is loaded; all words are compared with the host's before and after.",
    .operations = {stage::Operation::decode},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [arithmetic = std::make_shared<Arithmetic>(measurement)](std::span<const Point> group,
                                                                      const KeepRows& keep) {
        const std::vector<nlohmann::ordered_json> rows = arithmetic->measurement.measure(group);
        for (std::size_t i = 0; i < rows.size(); ++i) keep(i, {rows[i]});
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_arithmetic",
                                              gsst::experiments::arithmetic_measurer, argc, argv);
}
