// gsst_measure: measures what stages do on a GPU and writes results as JSON. Each kind of measurement is a
// subcommand.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <list>
#include <optional>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/kinds/kinds.hpp"
#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/streaming_limit.hpp"

namespace gsst::experiments {
namespace {

// Prints what each variant of the streaming kernel and a copy move, in GB/s.
void print_limit(std::size_t read_bytes, std::size_t written_bytes) {
  constexpr unsigned repetitions = 10;
  cuda::DeviceBuffer input(read_bytes);
  cuda::DeviceBuffer output(written_bytes);
  input.fill(1);
  output.fill(0);
  const StreamingLimit limit = measure_streaming_limit({.input = input.data(),
                                                        .read_bytes = read_bytes,
                                                        .output = output.data(),
                                                        .written_bytes = written_bytes},
                                                       repetitions);
  const double copy = limit.copy_bytes_per_second * 1e-9;
  std::printf("%8.1f GB/s  copy\n", copy);
  for (const StreamingTime& time : limit.variants) {
    const double moved = gigabytes_per_second(read_bytes + written_bytes, time.seconds);
    std::printf("%8.1f GB/s  %5.1f %% of the copy  %s\n", moved, 100 * moved / copy, time.variant.c_str());
  }
}

struct KindCommand {
  PointMeasurer measurer;
  MeasureOptions options;
  CLI::App* command;
};

// CLI11 would say that a subcommand is missing.
void check_kind(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) return;
  std::string names;
  for (const CLI::App* const command : app.get_subcommands(nullptr)) {
    if (command->get_name() == word) return;
    names += " " + command->get_name();
  }
  throw InputError("there is no kind '" + word + "'; there are:" + names);
}

int run(int argc, char** argv) {
  CLI::App app("Measures what stages do on a GPU. Each kind of measurement is a subcommand.", "gsst_measure");
  app.require_subcommand(1);
  // Options are written to where they are added.
  std::list<KindCommand> commands;
  for (const PointMeasurer& measurer : kinds()) {
    CLI::App* const command = app.add_subcommand(measurer.kind, measurer.description);
    commands.push_back({measurer, MeasureOptions{}, command});
    KindCommand& added = commands.back();
    add_measure_options(*added.command, added.options, command_text(argc, argv));
  }
  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  CLI::App& limit = *app.add_subcommand("limit", "Prints how fast each variant of the streaming kernel is");
  const CLI::Range sizes(std::size_t{8192}, std::size_t{1} << 40);
  limit.add_option("--read-bytes", read_bytes, "Bytes to read")->required()->check(sizes);
  limit.add_option("--written-bytes", written_bytes, "Bytes to write")->required()->check(sizes);

  if (argc > 1) check_kind(app, argv[1]);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  if (limit.parsed()) print_limit(read_bytes, written_bytes);
  for (const KindCommand& command : commands) {
    if (command.command->parsed()) measure_points(command.measurer, command.options);
  }
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure", gsst::experiments::run, argc, argv);
}
