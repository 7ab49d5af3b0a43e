#include "cli/grep_command.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_error.hpp"
#include "cli/cpu_decoding.hpp"
#include "cli/file_descriptor.hpp"
#include "cli/grep_options.hpp"
#include "cli/input_file.hpp"
#include "cli/input_format.hpp"
#include "cli/summary.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "reference_cpu/parallel.hpp"
#include "search/codes/frame_lines.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/words_plan.hpp"
#include "search/line_printer.hpp"
#include "search/line_search.hpp"
#include "search/matcher.hpp"
#include "search/parallel_search.hpp"
#include "search/pattern.hpp"
#include "search/pattern_error.hpp"

namespace gsst::cli {
namespace {

// How grep calls standard input in front of its lines.
constexpr std::string_view standard_input_name = "(standard input)";

// Ends a decompression whose rest changes nothing.
struct SearchIsDone {};

struct FileResult {
  std::string name;
  format::BlockFormat format;
  std::uint64_t selected_lines = 0;
  std::uint64_t blocks = 0;
  std::uint64_t searched_bytes = 0;
  std::uint64_t compressed_bytes = 0;
  double seconds = 0;
};

nlohmann::ordered_json result_json(const FileResult& result) {
  return {{"operation", "grep"},
          {"input", result.name},
          {"format", format::block_format_name(result.format)},
          {"selected_lines", result.selected_lines},
          {"blocks", result.blocks},
          {"searched_bytes", result.searched_bytes},
          {"compressed_bytes", result.compressed_bytes},
          {"seconds", result.seconds},
          {"throughput_gb_per_s", static_cast<double>(result.searched_bytes) / result.seconds / 1e9}};
}

// Searches the file until all is known: on its codes where `words`, of which every match has one, can be
// found in them, else what it decompresses to.
FileResult search_file(const GrepOptions& options, const search::Matcher& matcher,
                       std::span<const search::codes::Literal> words, InputFile& input,
                       search::LineSearch& lines) {
  const auto start = std::chrono::steady_clock::now();
  FileResult result{.name = input.name(), .format = format_to_decode(input, options.format)};
  const auto count = [&](const format::StreamTotals& totals) {
    result.blocks = totals.blocks;
    result.compressed_bytes = totals.input_bytes;
  };
  search::ParallelSearch search(matcher, lines, reference::thread_count(options.threads));
  const auto search_piece = [&](std::span<const std::uint8_t> bytes) {
    search.take({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    result.searched_bytes += bytes.size();
    if (lines.is_done()) throw SearchIsDone();
  };
  const auto search_part = [&](const search::codes::TextPart& part) {
    if (part.skipped_bytes != 0) {
      search.flush();
      lines.skip(part.skipped_bytes, part.skipped_line_ends);
      result.searched_bytes += part.skipped_bytes;
    }
    search_piece(part.text);
  };
  try {
    if (!words.empty() && result.format == format::BlockFormat::tiles) {
      const format::ReadFunction read = [&](std::span<std::uint8_t> buffer) { return input.read(buffer); };
      count(search::codes::find_lines_in_frame(read, words, options.line_settings.count_lines, search_part,
                                               options.threads, count));
    } else {
      count(decode_on_cpu(result.format, input, search_piece, options.threads, count));
    }
  } catch (const SearchIsDone&) {
  } catch (...) {
    // Lines before the damage are found.
    search.flush();
    throw;
  }
  search.flush();
  lines.finish();
  result.selected_lines = lines.selected();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void print_of_file(GrepOutput output, std::uint64_t selected_lines, search::LinePrinter& printer) {
  if (output == GrepOutput::count) printer.print_count(selected_lines);
  const bool prints_name = (output == GrepOutput::files_with && selected_lines > 0) ||
                           (output == GrepOutput::files_without && selected_lines == 0);
  if (prints_name) printer.print_file_name();
}

// Whether no text has a line that is selected.
bool selects_nothing(const GrepOptions& options) {
  if (options.line_settings.max_selected == 0) return true;
  if (!options.line_settings.invert) return options.patterns.empty();
  const search::PatternSettings& settings = options.pattern_settings;
  return !options.patterns.empty() && !settings.whole_words && !settings.whole_lines &&
         std::ranges::all_of(options.patterns, [](const std::string& pattern) { return pattern.empty(); });
}

// Every line that has to be seen has one of these. Empty where none are known, or too many to be searched
// for.
std::vector<search::codes::Literal> words_of(const GrepOptions& options) {
  if (search::needs_all_lines(options.line_settings)) return {};
  const auto words = search::words_in_matches(options.patterns, options.pattern_settings);
  if (words.size() > search::codes::most_words_at_once) return {};
  std::vector<search::codes::Literal> literals;
  for (const std::string& word : words) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(word.data()), word.size());
    literals.emplace_back(bytes, options.pattern_settings.ignore_case);
  }
  return literals;
}

// Searches files one after the other.
class Grep {
public:
  explicit Grep(const GrepOptions& options)
      : options_(options),
        matcher_(search::compile(options.patterns, options.pattern_settings)),
        words_(words_of(options)),
        printer_(options.prefix, [](std::string_view text) { write_to_standard_output(std::string(text)); }) {
  }

  GrepExitCode run() {
    for (const std::string& argument : options_.inputs) {
      report_errors(argument, [&] { search_input(argument); });
      if (options_.output == GrepOutput::nothing && has_selected_) break;
    }
    if (options_.json) report_errors("standard output", [&] { write_json(); });
    if (has_failed_ && !(options_.output == GrepOutput::nothing && has_selected_)) return GrepExitCode::error;
    return has_selected_ ? GrepExitCode::selected : GrepExitCode::none;
  }

private:
  void search_input(const std::string& argument) {
    const bool is_standard_input = argument == standard_stream_argument;
    InputFile input(argument);
    if (input.is_terminal()) {
      throw CommandError(ExitCode::usage, input.name() + ": is a terminal; name a FILE");
    }
    printer_.set_file_name(is_standard_input ? standard_input_name : std::string_view(argument));
    search::LineSearch lines(*matcher_, options_.line_settings, printer_);
    try {
      const FileResult result = search_file(options_, *matcher_, words_, input, lines);
      if (options_.json) results_.push_back(result_json(result));
    } catch (...) {
      // What was found before the damage is printed.
      has_selected_ |= lines.selected() > 0;
      printer_.flush();
      throw;
    }
    has_selected_ |= lines.selected() > 0;
    print_of_file(options_.output, lines.selected(), printer_);
    printer_.flush();
  }

  void write_json() {
    if (options_.output == GrepOutput::nothing) {
      write_to_standard_output(json_text(results_));
    } else {
      std::cerr << json_text(results_) << std::flush;
    }
  }

  template <typename Work>
  void report_errors(const std::string& argument, const Work& work) {
    const std::string name = argument == standard_stream_argument ? "standard input" : argument;
    try {
      work();
    } catch (const CommandError& error) {
      report(error.what());
    } catch (const std::bad_alloc&) {
      report(name + ": out of memory; a line has to fit");
    } catch (const std::exception& error) {
      report(name + ": " + error.what());
    }
  }

  void report(const std::string& message) {
    std::cerr << "gsst: grep: " << message << std::endl;
    has_failed_ = true;
  }

  const GrepOptions& options_;
  std::unique_ptr<const search::Matcher> matcher_;
  std::vector<search::codes::Literal> words_;
  search::LinePrinter printer_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  bool has_selected_ = false;
  bool has_failed_ = false;
};

}  // namespace

GrepExitCode run_grep_command(std::span<char* const> arguments) {
  try {
    const std::variant<GrepOptions, Answer> parsed = parse_grep_options(arguments);
    if (const auto* answer = std::get_if<Answer>(&parsed)) {
      write_to_standard_output(answer->text);
      return GrepExitCode::selected;
    }
    const auto& options = std::get<GrepOptions>(parsed);
    // As grep has it, patterns are not even checked then, and nothing is read, but for the names of files
    // without selected lines.
    if (selects_nothing(options) && options.output != GrepOutput::files_without) return GrepExitCode::none;
    return Grep(options).run();
  } catch (const search::PatternError& error) {
    std::cerr << "gsst: grep: " << error.what() << std::endl;
  } catch (const CommandError& error) {
    std::cerr << "gsst: " << error.what() << std::endl;
  }
  return GrepExitCode::error;
}

}  // namespace gsst::cli
