// gsst_measure_line_rate_gpu: delivers a file at line rates into a ring of blocks, which a GPU encodes, and
// writes a result as JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_line_rate_gpu/line_rate_measurement.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share.
struct LineRate {
  explicit LineRate(const Measurement& of)
      : tools{.executor = stage::Executor::gpu, .clocks_during = of.clocks_during},
        measurement(of.text, of.dataset, parse_source_options(of.document, "the points file"), tools) {}

  LineRateTools tools;
  LineRateMeasurement measurement;
};

const PointMeasurer measurer = {
    .kind = "line_rate_gpu",
    .description =
        "Delivers a file at line rates into a ring of blocks in page-locked host memory. What is full goes "
        "to the GPU in batches, is encoded, and comes back; the bytes are compared before, meanwhile and "
        "after. Points and their file have the keys of experiments/measure_line_rate_gpu/paced_points.hpp "
        "too.",
    .operations = {stage::Operation::encode},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [line_rate = std::make_shared<LineRate>(measurement)](std::span<const Point> group,
                                                                   const KeepRows& keep) {
        for (std::size_t i = 0; i < group.size(); ++i) keep(i, {line_rate->measurement.measure(group[i])});
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_line_rate_gpu", gsst::experiments::measurer, argc,
                                              argv);
}
