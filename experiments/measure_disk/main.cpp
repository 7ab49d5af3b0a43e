// gsst_measure_disk: compresses a file from a disk to the same disk and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_disk/disk_works.hpp"

namespace gsst::experiments {
namespace {

// experiments/environment.py reads these two lines.
constexpr const char* version_of_disk_program = "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;

std::string check_digest(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int measure_disk(int argc, char** argv) {
  CLI::App app("Measures how fast zero-length coding compresses from a disk to the same disk.");
  app.set_version_flag("--version", version_of_disk_program, "Prints the compiler and its flags");
  DiskOptions options{};
  Dataset dataset;
  std::filesystem::path output;
  app.add_option("--input", options.input, "File to measure with")->required();
  app.add_option("--folder", options.folder, "Folder on the disk; without it that of the input");
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_digest);
  app.add_option("--threads", options.threads, "Numbers of threads that compress, separated by commas")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--repetitions", options.repetitions, "Times that each row is timed")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  if (options.folder.empty()) options.folder = std::filesystem::absolute(options.input).parent_path();
  measure_works(disk_works(options, dataset),
                {{"dataset", dataset.name},
                 {"dataset_sha256", dataset.sha256},
                 {"folder", options.folder.string()},
                 {"repetitions", options.repetitions},
                 {"version", version_of_disk_program}},
                output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_disk", gsst::experiments::measure_disk, argc, argv);
}
