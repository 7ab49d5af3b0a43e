// gsst_measure_overlap: measures how transfer and decoding overlap on a GPU and writes a result as JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_overlap/device_tools.hpp"
#include "experiments/measure_overlap/grid.hpp"
#include "experiments/measure_overlap/overlap_measurement.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share.
struct Overlap {
  explicit Overlap(const Measurement& of)
      : grid(parse_grid(of.document, "the points file")),
        tools(device_tools(of)),
        measurement(of.text, of.dataset, of.repetitions, tools) {}

  OverlapGrid grid;
  ExecutorTools tools;
  OverlapMeasurement measurement;
};

const PointMeasurer measurer = {.kind = "overlap",
                                .description =
                                    "Measures the time from compressed blocks in host memory to decoded text "
                                    "on the GPU, transfer and decoding "
                                    "overlapping by batches; every number of batches is verified byte for "
                                    "byte before and after. The points "
                                    "file has the keys of experiments/measure_overlap/grid.hpp too.",
                                .operations = {stage::Operation::decode},
                                .make = [](const Measurement& measurement) -> MeasureGroup {
                                  return [overlap = std::make_shared<Overlap>(measurement)](
                                             std::span<const Point> group, const KeepRows& keep) {
                                    for (std::size_t i = 0; i < group.size(); ++i) {
                                      keep(i, overlap->measurement.measure(group[i], overlap->grid));
                                    }
                                  };
                                }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_overlap", gsst::experiments::measurer, argc,
                                              argv);
}
