// gsst_measure_command: measures the command gsst on files in memory, as its users run it, and writes a
// result as JSON.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "common/streaming/devices.hpp"
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_command/command_measurement.hpp"

namespace gsst::experiments {
namespace {

// As CUDA does, the command sees all GPUs where the variable is not set.
std::string first_visible_device() {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return "0";
  const std::string devices = visible;
  return devices.substr(0, devices.find(','));
}

// What all points of a run share. The command is built beside this program.
struct CommandRun {
  explicit CommandRun(const Measurement& of)
      : tools{.command = std::filesystem::read_symlink("/proc/self/exe").replace_filename("gsst"),
              .folder = "/dev/shm",
              .executor = stage::Executor::gpu,
              .devices = streaming::devices_of(stage::Executor::gpu)->count(),
              .first_device = first_visible_device(),
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
