#include "experiments/measure/shared/command_line.hpp"

#include <exception>
#include <iostream>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

std::string check_hexadecimal(const std::string& text, std::size_t digits) {
  const bool valid = text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be " + std::to_string(digits) + " lower-case hexadecimal digits";
}

std::string check_sha256(const std::string& text) {
  return check_hexadecimal(text, 64);
}

std::string check_commit(const std::string& text) {
  return text == "unknown" ? std::string() : check_hexadecimal(text, 40);
}

}  // namespace

int run_program(const char* program, const std::function<int(int argc, char** argv)>& run, int argc,
                char** argv) {
  try {
    return run(argc, argv);
  } catch (const InputError& error) {
    std::cerr << program << ": " << error.what() << std::endl;
    return exit_usage;
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << std::endl;
    return exit_failure;
  }
}

void add_result_options(CLI::App& app, RunOptions& options, const std::string& command) {
  options.command = command;
  app.add_option("--output", options.output, "JSON file to write")->required();
  app.add_option("--commit", options.commit, "Commit that the program was built from")->check(check_commit);
  app.add_flag("--dirty", options.dirty, "The program was built from a changed tree");
  app.add_option("--sources-digest", options.sources_digest, "Digest of the sources, for the result")
      ->required()
      ->check(check_sha256);
  app.add_option("--command", options.command, "What the result calls the command; else this one");
}

void add_timing_options(CLI::App& app, RunOptions& options) {
  app.add_option("--repetitions", options.repetitions, "Times that everything is timed")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
  app.add_flag("--allow-small", options.allow_small, "Measure data that fits the L2 cache too");
}

void add_input_options(CLI::App& app, InputOptions& options, const std::string& prefix, bool required) {
  CLI::Option* const path = app.add_option("--" + prefix + "input", options.path, "File to measure with");
  CLI::Option* const name =
      app.add_option("--" + prefix + "dataset", options.dataset.name, "Name of the data in the rows");
  CLI::Option* const sha256 =
      app.add_option("--" + prefix + "dataset-sha256", options.dataset.sha256, "SHA-256 of the file")
          ->check(check_sha256);
  path->required(required)->needs(name)->needs(sha256);
}

std::string command_text(int argc, char** argv) {
  std::string text = argv[0];
  for (int i = 1; i < argc; ++i) text.append(" ").append(argv[i]);
  return text;
}

std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  return std::nullopt;
}

}  // namespace gsst::experiments
