// gsst_measure_command: measures the command gsst on files in memory, as its users run it, and writes a
// result as JSON.
#include <filesystem>
#include <memory>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_command/command_measurement.hpp"

namespace gsst::experiments {
namespace {

// What all points of a run share. The command is built beside this program.
struct CommandRun {
  explicit CommandRun(const Measurement& of)
      : tools{.command = std::filesystem::read_symlink("/proc/self/exe").replace_filename("gsst"),
              .folder = "/dev/shm",
              .executor = stage::Executor::gpu,
              .clocks_during = of.clocks_during},
        measurement(of.text, of.dataset, of.repetitions, tools) {}

  CommandTools tools;
  CommandMeasurement measurement;
};

const PointMeasurer measurer = {
    .kind = "command",
    .description =
        "Measures the command gsst on files in memory, on the GPU and on the CPU, from the start of the "
        "process to its end, beside cp and copies to and from the GPU; all is verified byte for byte before "
        "and after.",
    .operations = {stage::Operation::decode, stage::Operation::encode},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [run = std::make_shared<CommandRun>(measurement)](std::span<const Point> group,
                                                               const KeepRows& keep) {
        for (std::size_t i = 0; i < group.size(); ++i) keep(i, run->measurement.measure(group[i]));
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_command", gsst::experiments::measurer, argc,
                                              argv);
}
