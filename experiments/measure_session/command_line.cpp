#include "experiments/measure_session/command_line.hpp"

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

void add_result_options(CLI::App& app, RunOptions& options, std::string& target) {
  app.add_option("--target", target, "Target of the result")->required();
  app.add_option("--output", options.output, "JSON file to write")->required();
  app.add_option("--repetitions", options.repetitions, "Times that each row is timed")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
  app.add_flag("--allow-small", options.allow_small, "Measure data that fits the L2 cache too");
  app.add_option("--commit", options.commit, "Commit that the program was built from")->check(check_commit);
  app.add_flag("--dirty", options.dirty, "The program was built from a changed tree");
  app.add_option("--sources-digest", options.sources_digest, "Digest of the sources, for the result")
      ->required()
      ->check(check_sha256);
  app.add_option("--command", options.command, "What the result calls the command; else this one");
}

void add_input_options(CLI::App& app, InputOptions& options) {
  app.add_option("--input", options.path, "File to measure with")->required();
  app.add_option("--dataset", options.dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", options.dataset.sha256, "SHA-256 of the file")
      ->required()
      ->check(check_sha256);
}

std::string command_text(int argc, char** argv) {
  std::string text = argv[0];
  for (int i = 1; i < argc; ++i) text.append(" ").append(argv[i]);
  return text;
}

}  // namespace gsst::experiments
