// gsst_measure_sums: measures on a GPU how stages sum compressed columns and writes a result as JSON.
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_sums/sums_trial.hpp"

namespace gsst::experiments {
namespace {

const PointMeasurer sums_measurer = {
    .kind = "sums",
    .description =
        "Measures how stages decode compressed columns of 32-bit numbers into sums, next to reading the same "
        "compressed bytes; every sum is verified before and after.",
    .operations = {stage::Operation::query},
    .make = [](const Measurement& measurement) {
      return measure_trials(sums_kind(measurement), measurement);
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_sums", gsst::experiments::sums_measurer, argc,
                                              argv);
}
