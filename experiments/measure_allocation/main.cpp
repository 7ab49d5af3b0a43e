// gsst_measure_allocation: times encodings with and without allocating their memory and writes a result as
// JSON.
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_allocation/allocation_measurement.hpp"

namespace gsst::experiments {
namespace {

const PointMeasurer measurer = {
    .kind = "memory",
    .description =
        "Times encodings, training included, with and without allocating and freeing device memory.",
    .operations = {stage::Operation::encode},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [measurement, input = std::make_shared<cuda::DeviceBuffer>(measurement.text)](
                 std::span<const Point> group, const KeepRows& keep) {
        for (std::size_t i = 0; i < group.size(); ++i)
          keep(i, {measure_allocation(group[i], *input, measurement)});
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_allocation", gsst::experiments::measurer, argc,
                                              argv);
}
