// gsst_measure_frames: measures on a GPU how the library decompresses many small frames and writes a result
// as JSON.
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_frames/frames_trial.hpp"

namespace gsst::experiments {
namespace {

const PointMeasurer frames_measurer = {
    .kind = "frames",
    .description =
        "Measures how the library decompresses many small frames with one call and with a call for each, "
        "next "
        "to one frame of the whole text; every output is verified before and after.",
    .operations = {stage::Operation::decode},
    .make = [](const Measurement& measurement) {
      return measure_trials(frames_kind(measurement), measurement);
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_frames", gsst::experiments::frames_measurer, argc,
                                              argv);
}
