// gsst_measure_search: measures on a GPU how stages search compressed text and writes a result as JSON.
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_search/search_trial.hpp"

namespace gsst::experiments {
namespace {

const PointMeasurer search_measurer = {.kind = "search",
                                       .description =
                                           "Measures how stages search compressed text for a pattern, next "
                                           "to reading the same compressed bytes; "
                                           "every count and every position is verified before and after.",
                                       .operations = {stage::Operation::query},
                                       .make = [](const Measurement& measurement) {
                                         return measure_trials(search_kind(measurement), measurement);
                                       }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_search", gsst::experiments::search_measurer, argc,
                                              argv);
}
