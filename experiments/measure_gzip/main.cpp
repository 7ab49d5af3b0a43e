// gsst_measure_gzip: measures on a GPU how stages decode files of gzip and writes a result as JSON.
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_gzip/gzip_trial.hpp"

namespace gsst::experiments {
namespace {

const PointMeasurer gzip_measurer = {.kind = "gzip",
                                     .description =
                                         "Measures how stages decode all members of a file of gzip, how long "
                                         "the checks of their CRC-32 and of "
                                         "their Adler-32 take, and the decoding with each; everything is "
                                         "verified byte for byte before and after.",
                                     .operations = {stage::Operation::decode},
                                     .make = [](const Measurement& measurement) {
                                       return measure_trials(gzip_kind(measurement), measurement);
                                     }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_gzip", gsst::experiments::gzip_measurer, argc,
                                              argv);
}
