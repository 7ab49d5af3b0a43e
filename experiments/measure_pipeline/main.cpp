// gsst_measure_pipeline: measures zero-length coding from host memory to host memory through a GPU and writes
// a result as JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_pipeline/pipeline_measurement.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share.
struct Pipeline {
  explicit Pipeline(const Measurement& of)
      : tools{.executor = stage::Executor::gpu, .clocks_during = of.clocks_during},
        measurement(of.text, of.dataset, of.repetitions, tools) {}

  PipelineTools tools;
  PipelineMeasurement measurement;
};

const PointMeasurer measurer = {
    .kind = "pipeline",
    .description =
        "Measures zero-length coding from page-locked host memory to page-locked host memory, in batches "
        "that "
        "overlap, both ways, beside a copy of the same bytes in both directions; all is verified byte for "
        "byte before and after.",
    .operations = {stage::Operation::encode},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [pipeline = std::make_shared<Pipeline>(measurement)](std::span<const Point> group,
                                                                  const KeepRows& keep) {
        for (std::size_t i = 0; i < group.size(); ++i) keep(i, pipeline->measurement.measure(group[i]));
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_pipeline", gsst::experiments::measurer, argc,
                                              argv);
}
