// gsst_measure_files: measures on a GPU how columns of ORC files and members of files of gzip are decoded,
// and writes a result as JSON.
#include <memory>
#include <stdexcept>
#include <string>

#include "common/format/codag/codag.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_files/files_trial.hpp"

namespace gsst::experiments {
namespace {

// Points name registered stages. What decodes ORC files decodes no frames and is registered nowhere else;
// what its points say of a frame is not used.
const stage::Registration registration_of_orc(
    stage::Executor::gpu,
    {.id = stage_of_orc,
     .base = "codag/07_parallel_runs",
     .title = "Columns of ORC files",
     .section = "past the CODAG paper",
     .format = format::codag::orc_rle_v1_format,
     .operation = stage::Operation::decode,
     .minimum_compute_capability = 80,
     .parameters = {}},
    {.make = [](const stage::DecodeSubject&) -> std::unique_ptr<stage::Plan> {
      throw std::invalid_argument(std::string(stage_of_orc) + " decodes no frames");
    }});

const PointMeasurer files_measurer = {
    .kind = "files",
    .description =
        "Measures how files in GPU memory are decoded: column 'c' of an ORC file, with all that its row "
        "groups "
        "need, or the members of a file of gzip that is made of the input, with the check of their CRC-32; "
        "every output is compared with the oracle's before and after.",
    .operations = {stage::Operation::decode},
    .make = [](const Measurement& measurement) {
      return measure_trials(files_kind(measurement), measurement);
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_files", gsst::experiments::files_measurer, argc,
                                              argv);
}
