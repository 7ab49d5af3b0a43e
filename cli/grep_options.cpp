#include "cli/grep_options.hpp"

#include <getopt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

#include "cli/command_error.hpp"
#include "cli/file_descriptor.hpp"
#include "cli/input_file.hpp"
#include "cli/list_text.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
namespace {

constexpr const char* help_text =
    "Searches compressed files for lines that match a pattern, and prints them.\n"
    "Output and exit codes are those of grep -a in the locale C, for what gsst -d -c FILE\n"
    "writes: bytes, of which letters of ASCII have two cases, and leftmost-longest matches.\n"
    "Files of every format are searched. Without FILE, or if FILE is -, reads standard\n"
    "input. (To compress a file named grep, write ./grep.)\n"
    "In files of format tiles, gsst looks in the codes for words that every match has, such\n"
    "as royalt in royalt(y|ies), and decompresses only the lines where they may be. It does\n"
    "not check the text's checksums then. It decompresses blocks where the words are frequent,\n"
    "and all blocks for patterns without such words or with more than eight of them, and with\n"
    "-v, -A, -B or -C.\n"
    "\n"
    "gsst grep [OPTIONS] PATTERN [FILE...]\n"
    "gsst grep [OPTIONS] -e PATTERN... [-f PATTERNS] [FILE...]\n"
    "\n"
    "Patterns:\n"
    "  -e, --regexp PATTERN     Search for this pattern; several may be given, and a line\n"
    "                           end in one separates patterns\n"
    "  -f, --file PATTERNS      Search for the patterns of this file, one on each line\n"
    "  -E, --extended-regexp    Patterns are extended regular expressions (default), without\n"
    "                           back-references\n"
    "  -F, --fixed-strings      Patterns are plain bytes, not expressions\n"
    "  -i, --ignore-case        Letters match in both cases\n"
    "  -w, --word-regexp        Matches are whole words\n"
    "  -x, --line-regexp        Matches are whole lines\n"
    "  -v, --invert-match       Select the lines without a match\n"
    "Output:\n"
    "  -c, --count              Print how many lines are selected\n"
    "  -l, --files-with-matches Print the names of files with selected lines\n"
    "  -L, --files-without-match\n"
    "                           Print the names of files without\n"
    "  -o, --only-matching      Print only the matches, each on a line\n"
    "  -q, --quiet, --silent    Print nothing, and end at the first selected line\n"
    "  -b, --byte-offset        Print where each line, or match, begins in the text\n"
    "  -n, --line-number        Print the number of each line\n"
    "  -H, --with-filename      Print the name of each line's file\n"
    "  -h, --no-filename        Print no names (default for one file)\n"
    "  -m, --max-count N        Select N lines of each file at most\n"
    "  -A, --after-context N    Print N lines after each selected line\n"
    "  -B, --before-context N   Print N lines before each selected line\n"
    "  -C, --context N          Print N lines on both sides\n"
    "Execution:\n"
    "      --format NAME        For files that are not frames and not named as such\n"
    "      --threads N          Threads that decompress and search; 0 (default) is one\n"
    "                           per core\n"
    "      --device NAME        Where the search runs: cpu (default)\n"
    "      --json               Lines, bytes and rates as a JSON list, one entry per file, on\n"
    "                           standard error; with -q on standard output\n"
    "      --help               Show this text\n"
    "\n"
    "Exit codes:\n"
    "  0  lines were selected\n"
    "  1  none were\n"
    "  2  there was an error, unless -q was given and a line was selected\n";

CommandError grep_usage_error(const std::string& message) {
  return CommandError(ExitCode::usage, message);
}

// Long options without a letter.
enum LongOption : int { option_help = 256, option_json, option_threads, option_device, option_format };

constexpr const char* short_options = ":e:f:EFivwxcloLqbnHhm:A:B:C:";
// Ends with an option without a name.
constexpr std::array<option, 28> long_options = {{
    {"regexp", required_argument, nullptr, 'e'},
    {"file", required_argument, nullptr, 'f'},
    {"extended-regexp", no_argument, nullptr, 'E'},
    {"fixed-strings", no_argument, nullptr, 'F'},
    {"ignore-case", no_argument, nullptr, 'i'},
    {"invert-match", no_argument, nullptr, 'v'},
    {"word-regexp", no_argument, nullptr, 'w'},
    {"line-regexp", no_argument, nullptr, 'x'},
    {"count", no_argument, nullptr, 'c'},
    {"files-with-matches", no_argument, nullptr, 'l'},
    {"files-without-match", no_argument, nullptr, 'L'},
    {"only-matching", no_argument, nullptr, 'o'},
    {"quiet", no_argument, nullptr, 'q'},
    {"silent", no_argument, nullptr, 'q'},
    {"byte-offset", no_argument, nullptr, 'b'},
    {"line-number", no_argument, nullptr, 'n'},
    {"with-filename", no_argument, nullptr, 'H'},
    {"no-filename", no_argument, nullptr, 'h'},
    {"max-count", required_argument, nullptr, 'm'},
    {"after-context", required_argument, nullptr, 'A'},
    {"before-context", required_argument, nullptr, 'B'},
    {"context", required_argument, nullptr, 'C'},
    {"help", no_argument, nullptr, option_help},
    {"json", no_argument, nullptr, option_json},
    {"threads", required_argument, nullptr, option_threads},
    {"device", required_argument, nullptr, option_device},
    {"format", required_argument, nullptr, option_format},
    {nullptr, 0, nullptr, 0},
}};

// What options say and GrepOptions does not hold.
struct GrepArguments {
  bool has_patterns = false;
  bool count = false;
  bool quiet = false;
  // The last of -l and -L.
  std::optional<GrepOutput> names_only;
  // The last of -h and -H.
  std::optional<bool> file_names;
  std::optional<std::uint64_t> lines_before;
  std::optional<std::uint64_t> lines_after;
  std::optional<std::uint64_t> lines_around;
};

// A number that is larger than any text means all of it.
std::int64_t parse_count(const char* option_name, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error == std::errc::result_out_of_range) {
    const bool has_only_digits =
        std::all_of(text.begin() + 1, text.end(), [](char byte) { return byte >= '0' && byte <= '9'; });
    if (has_only_digits) return text.front() == '-' ? -1 : std::numeric_limits<std::int64_t>::max();
  }
  if (error != std::errc() || end != text.end()) {
    throw grep_usage_error(std::string("grep: ") + option_name + ": '" + std::string(text) +
                           "' is no number");
  }
  return number;
}

std::uint64_t parse_lines(const char* option_name, std::string_view text) {
  const std::int64_t number = parse_count(option_name, text);
  if (number < 0) {
    throw grep_usage_error(std::string("grep: ") + option_name + ": '" + std::string(text) +
                           "' is no number of lines");
  }
  return static_cast<std::uint64_t>(number);
}

void add_patterns(GrepOptions& options, GrepArguments& arguments, std::string_view text) {
  const std::vector<std::string> added = search::patterns_of_lines(text);
  options.patterns.insert(options.patterns.end(), added.begin(), added.end());
  arguments.has_patterns = true;
}

// Of the command line, where even an empty one, and one after a last line end, is a pattern.
void add_pattern_argument(GrepOptions& options, GrepArguments& arguments, std::string_view text) {
  add_patterns(options, arguments, std::string(text) + "\n");
}

void add_pattern_file(GrepOptions& options, GrepArguments& arguments, const char* name) {
  InputFile file(name);
  std::string text;
  std::array<std::uint8_t, 65536> buffer{};
  for (std::size_t count = buffer.size(); count == buffer.size();) {
    count = file.read(buffer);
    text.append(reinterpret_cast<const char*>(buffer.data()), count);
  }
  add_patterns(options, arguments, text);
}

format::BlockFormat format_named(const std::string& name) {
  std::vector<std::string> names;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->name() == name) return codec->traits().format;
    names.emplace_back(codec->name());
  }
  throw grep_usage_error("grep: --format: '" + name + "' is none of " + list_text(names, "and"));
}

void check_device(const std::string& name) {
  if (name == "cpu") return;
  if (name == "gpu") {
    throw grep_usage_error(
        "grep: --device gpu: no stage of this build searches on a GPU; --device cpu does what is asked for");
  }
  throw grep_usage_error("grep: --device: '" + name + "' is none of cpu and gpu");
}

unsigned parse_threads(const char* text) {
  const std::uint64_t threads = parse_lines("--threads", text);
  if (threads > max_threads) {
    throw grep_usage_error("grep: --threads: " + std::string(text) + " is more than " +
                           std::to_string(max_threads));
  }
  return static_cast<unsigned>(threads);
}

// What selects lines. False for another option.
bool set_selection(int letter, const char* value, GrepOptions& options, GrepArguments& arguments) {
  switch (letter) {
    case 'e':
      add_pattern_argument(options, arguments, value);
      return true;
    case 'f':
      add_pattern_file(options, arguments, value);
      return true;
    case 'E':
      options.pattern_settings.syntax = search::PatternSyntax::extended;
      return true;
    case 'F':
      options.pattern_settings.syntax = search::PatternSyntax::fixed;
      return true;
    case 'i':
      options.pattern_settings.ignore_case = true;
      return true;
    case 'w':
      options.pattern_settings.whole_words = true;
      return true;
    case 'x':
      options.pattern_settings.whole_lines = true;
      return true;
    case 'v':
      options.line_settings.invert = true;
      return true;
    case 'm': {
      // A negative number is no limit.
      const std::int64_t count = parse_count("-m", value);
      options.line_settings.max_selected.reset();
      if (count >= 0) options.line_settings.max_selected = static_cast<std::uint64_t>(count);
      return true;
    }
    default:
      return false;
  }
}

// What is printed of them. False for another option.
bool set_output(int letter, const char* value, GrepOptions& options, GrepArguments& arguments) {
  switch (letter) {
    case 'c':
      arguments.count = true;
      return true;
    case 'l':
      arguments.names_only = GrepOutput::files_with;
      return true;
    case 'L':
      arguments.names_only = GrepOutput::files_without;
      return true;
    case 'o':
      options.line_settings.only_matches = true;
      return true;
    case 'q':
      arguments.quiet = true;
      return true;
    case 'b':
      options.prefix.byte_offset = true;
      return true;
    case 'n':
      options.prefix.line_number = true;
      return true;
    case 'H':
    case 'h':
      arguments.file_names = letter == 'H';
      return true;
    case 'A':
      arguments.lines_after = parse_lines("-A", value);
      return true;
    case 'B':
      arguments.lines_before = parse_lines("-B", value);
      return true;
    case 'C':
      arguments.lines_around = parse_lines("-C", value);
      return true;
    default:
      return false;
  }
}

void set_execution(int letter, const char* value, GrepOptions& options) {
  switch (letter) {
    case option_json:
      options.json = true;
      break;
    case option_threads:
      options.threads = parse_threads(value);
      break;
    case option_device:
      check_device(value);
      break;
    default:
      options.format = format_named(value);
      break;
  }
}

// Of what getopt_long stopped at: the letter, or the argument of a long option.
std::string refused_option(const char* argument) {
  return optopt > 0 && optopt < option_help ? std::string("-") + static_cast<char>(optopt) : argument;
}

// Both may be given, and then mean less than each other: -q hides names, and these counts.
GrepOutput output_of(const GrepArguments& arguments) {
  if (arguments.quiet) return GrepOutput::nothing;
  if (arguments.names_only) return *arguments.names_only;
  return arguments.count ? GrepOutput::count : GrepOutput::lines;
}

void set_lines(GrepOptions& options, const GrepArguments& arguments) {
  search::LineSettings& lines = options.line_settings;
  const auto before = arguments.lines_before ? arguments.lines_before : arguments.lines_around;
  const auto after = arguments.lines_after ? arguments.lines_after : arguments.lines_around;
  lines.separate_groups = before || after;
  lines.lines_before = before.value_or(0);
  lines.lines_after = after.value_or(0);
  lines.count_lines = options.prefix.line_number;
  lines.quiet = options.output != GrepOutput::lines;
  // One line tells what is asked for.
  const bool ends_at_first = lines.quiet && options.output != GrepOutput::count;
  if (ends_at_first) lines.max_selected = std::min<std::uint64_t>(lines.max_selected.value_or(1), 1);
}

}  // namespace

bool is_grep_command(std::span<char* const> arguments) {
  return arguments.size() > 1 && std::string_view(arguments[1]) == "grep";
}

std::variant<GrepOptions, Answer> parse_grep_options(std::span<char* const> arguments) {
  GrepOptions options;
  GrepArguments given;
  // getopt_long moves files after options.
  std::vector<char*> words(arguments.begin() + 1, arguments.end());
  words.push_back(nullptr);
  const int count = static_cast<int>(words.size()) - 1;
  // 0 resets GNU's getopt.
  optind = 0;
  while (true) {
    const int letter = getopt_long(count, words.data(), short_options, long_options.data(), nullptr);
    if (letter == -1) break;
    if (letter == option_help) return Answer{help_text};
    const char* const argument = words[static_cast<std::size_t>(optind) - 1];
    if (letter == ':') throw grep_usage_error("grep: " + refused_option(argument) + " needs a value");
    if (letter == '?') {
      throw grep_usage_error("grep: there is no option " + refused_option(argument) +
                             " (gsst grep --help lists the options)");
    }
    if (set_selection(letter, optarg, options, given) || set_output(letter, optarg, options, given)) continue;
    set_execution(letter, optarg, options);
  }
  options.inputs.assign(words.begin() + optind, words.end() - 1);
  if (!given.has_patterns) {
    if (options.inputs.empty()) {
      throw grep_usage_error("grep: there is no pattern (gsst grep --help shows how to give one)");
    }
    add_pattern_argument(options, given, options.inputs.front());
    options.inputs.erase(options.inputs.begin());
  }
  if (options.inputs.empty()) options.inputs.emplace_back(standard_stream_argument);
  options.output = output_of(given);
  options.prefix.file_name = given.file_names.value_or(options.inputs.size() > 1);
  set_lines(options, given);
  return options;
}

}  // namespace gsst::cli
