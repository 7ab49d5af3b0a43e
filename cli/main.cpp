#include <exception>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/column_command.hpp"
#include "cli/command_error.hpp"
#include "cli/compress_command.hpp"
#include "cli/decompress_command.hpp"
#include "cli/file_descriptor.hpp"
#include "cli/grep_command.hpp"
#include "cli/grep_options.hpp"
#include "cli/input_file.hpp"
#include "cli/list_command.hpp"
#include "cli/list_stages_command.hpp"
#include "cli/options.hpp"
#include "cli/summary.hpp"
#include "cli/termination.hpp"
#include "cli/trace_file.hpp"
#include "common/format/error.hpp"

namespace gsst::cli {
namespace {

ExitCode report(ExitCode code, const std::string& message) {
  std::cerr << "gsst: " << message << std::endl;
  return code;
}

/// Calls `work` and turns what it throws into a message and an exit code. `input` is named where the message
/// of the exception does not do so itself.
template <typename Work>
ExitCode report_errors(const std::string& input, const Work& work) {
  try {
    work();
    return ExitCode::success;
  } catch (const CommandError& error) {
    return report(error.code(), error.what());
  } catch (const format::FormatError& error) {
    return report(ExitCode::invalid_input, input + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return report(ExitCode::input_output,
                  input + ": out of memory; use smaller blocks, fewer threads or less --memory");
  } catch (const std::exception& error) {
    return report(ExitCode::input_output, input + ": " + error.what());
  }
}

/// Calls `work` with each input; a failure does not keep the others from being worked on.
template <typename Work>
ExitCode for_each_input(const Options& options, const Work& work) {
  ExitCode result = ExitCode::success;
  for (const std::string& input : options.inputs) {
    const std::string name = input == standard_stream_argument ? "standard input" : input;
    const ExitCode code = report_errors(name, [&] { work(input); });
    if (result == ExitCode::success) result = code;
  }
  return result;
}

Summary process(const Options& options, const std::string& input) {
  switch (options.operation) {
    case Operation::compress:
      return compress_file(options, input);
    case Operation::decompress:
      return decompress_file(options, input);
    default:
      return test_file(options, input);
  }
}

ExitCode process_files(const Options& options) {
  const bool data_on_standard_output = writes_to_standard_output(options);
  const bool shows_lines = options.verbose || (!options.quiet && !options.json && !data_on_standard_output);
  nlohmann::ordered_json summaries = nlohmann::ordered_json::array();
  ExitCode result = ExitCode::success;
  with_trace(options, [&] {
    result = for_each_input(options, [&](const std::string& input) {
      const Summary summary = process(options, input);
      if (shows_lines) std::cerr << summary_text(summary, options.verbose) << std::endl;
      if (options.json) summaries.push_back(summary_json(summary));
    });
  });
  if (options.json && data_on_standard_output) std::cerr << json_text(summaries) << std::flush;
  if (options.json && !data_on_standard_output) write_to_standard_output(json_text(summaries));
  return result;
}

ExitCode list_files(const Options& options) {
  std::vector<Listing> listings;
  const ExitCode result = for_each_input(
      options, [&](const std::string& input) { listings.push_back(list_file(options, InputFile(input))); });
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Listing& listing : listings) list.push_back(listing_json(listing));
    write_to_standard_output(json_text(list));
  } else if (!listings.empty()) {
    write_to_standard_output(listing_text(listings));
  }
  return result;
}

ExitCode run(int argument_count, const char* const* arguments) {
  const std::variant<Options, Answer> parsed = parse_options(argument_count, arguments);
  if (const auto* answer = std::get_if<Answer>(&parsed)) {
    write_to_standard_output(answer->text);
    return ExitCode::success;
  }
  const Options& options = std::get<Options>(parsed);
  switch (options.operation) {
    case Operation::list:
      return list_files(options);
    case Operation::list_stages:
      write_to_standard_output(list_stages(options.json));
      return ExitCode::success;
    default:
      return process_files(options);
  }
}

}  // namespace
}  // namespace gsst::cli

int main(int argument_count, char** arguments) {
  using namespace gsst::cli;
  reserve_standard_descriptors();
  const std::span given(arguments, static_cast<std::size_t>(argument_count));
  if (is_grep_command(given)) return static_cast<int>(run_grep_command(given));
  ExitCode result = ExitCode::success;
  const ExitCode failure = report_errors("gsst", [&] {
    if (is_column_command(given)) run_column_command(given);
    start_termination_watch();
    result = run(argument_count, arguments);
  });
  return static_cast<int>(failure == ExitCode::success ? result : failure);
}
