#include "experiments/measure_search_cpu/search_cpu_rows.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <system_error>
#include <utility>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_command/spawned_command.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "experiments/measure_search_cpu/search_ways.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr double seconds_of_repeated_command = 1;
constexpr std::size_t least_repetitions_of_command = 3;
// The order of one round differs from that of another, and is the same in every run.
constexpr std::uint32_t seed_of_search_order = 1;

// This process, and what it starts, has one processor.
class OnOneProcessor {
public:
  OnOneProcessor() {
    if (::sched_getaffinity(0, sizeof(before_), &before_) != 0) fail();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    if (::sched_setaffinity(0, sizeof(one), &one) != 0) fail();
  }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;
  ~OnOneProcessor() { ::sched_setaffinity(0, sizeof(before_), &before_); }

private:
  [[noreturn]] static void fail() {
    throw std::system_error(errno, std::generic_category(), "to choose a processor");
  }

  cpu_set_t before_{};
};

struct TextAndFiles {
  TextAndFiles(const SearchCpuOptions& options, const SearchTools& tools)
      : files(options.input, options.tiles, tools) {
    const std::vector<std::uint8_t> text = read_input_file(options.input);
    bytes = text.size();
    lines = static_cast<std::uint64_t>(std::ranges::count(text, std::uint8_t{'\n'}));
    if (text.back() != '\n') ++lines;
  }

  SearchedFiles files;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
};

struct CountedLines {
  double seconds;
  std::uint64_t lines;
};

CountedLines count_lines(const std::vector<std::string>& command) {
  std::string printed;
  const double seconds = seconds_of_command(
      command, [&](std::span<const std::uint8_t> bytes) { printed.append(bytes.begin(), bytes.end()); });
  std::uint64_t lines = 0;
  const char* const end = printed.data() + printed.size();
  const auto [rest, error] = std::from_chars(printed.data(), end, lines);
  if (error != std::errc() || std::string(rest, end) != "\n") {
    throw MismatchError(command.front() + " printed no count, but: " + printed);
  }
  return {.seconds = seconds, .lines = lines};
}

double checked_seconds(const SearchWay& way, std::uint64_t matched_lines, std::uint64_t all_lines) {
  const std::uint64_t expected = way.counts_others ? all_lines - matched_lines : matched_lines;
  const CountedLines counted = count_lines(way.command);
  if (counted.lines == expected) return counted.seconds;
  throw MismatchError(way.stage + ", " + way.variant + ": counts " + std::to_string(counted.lines) +
                      " lines, expected " + std::to_string(expected));
}

// By turns, so that what disturbs the machine for a while disturbs all of them.
std::vector<std::vector<double>> time_ways(std::span<const SearchWay> ways, std::uint64_t matched_lines,
                                           std::uint64_t all_lines, std::size_t repetitions) {
  const Repetitions limited = {.wanted = repetitions,
                               .seconds_limit = seconds_of_repeated_command,
                               .minimum = std::min(least_repetitions_of_command, repetitions)};
  std::vector<std::size_t> counts;
  for (const SearchWay& way : ways) {
    counts.push_back(limited.count(checked_seconds(way, matched_lines, all_lines)));
  }
  std::mt19937 random(seed_of_search_order);
  std::vector<std::vector<double>> seconds(ways.size());
  for (std::size_t round = 0;; ++round) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (counts[i] > round) left.push_back(i);
    }
    if (left.empty()) return seconds;
    std::ranges::shuffle(left, random);
    for (const std::size_t i : left) {
      seconds[i].push_back(checked_seconds(ways[i], matched_lines, all_lines));
    }
  }
}

std::vector<Json> rows_of_question(const SearchQuestion& question, const TextAndFiles& text,
                                   const SearchCpuOptions& options, const SearchTools& tools,
                                   const Dataset& dataset) {
  const OnOneProcessor pinned;
  const std::filesystem::path patterns = text.files.write_patterns(question.patterns);
  std::vector<SearchWay> ways = other_search_ways(text.files, options.tiles, tools, patterns);
  ways.push_back(grep_of_text(text.files, patterns));
  const std::uint64_t matched_lines = count_lines(ways.back().command).lines;
  const auto seconds = time_ways(ways, matched_lines, text.lines, options.repetitions);
  std::vector<Json> rows;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Json row = row_to_json({.stage = ways[i].stage,
                            .variant = ways[i].variant,
                            .parameters = ways[i].parameters,
                            .uncompressed_bytes = text.bytes,
                            .compressed_bytes = ways[i].file_bytes,
                            .seconds = summarize(seconds[i])},
                           dataset);
    row["operation"] = "query";
    row["question"] = question.name;
    row["patterns"] = question.patterns;
    row["lines"] = text.lines;
    row["matched_lines"] = matched_lines;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<SearchQuestion> read_search_questions(const std::filesystem::path& path) {
  std::ifstream file(path);
  const Json document = Json::parse(file, nullptr, false);
  std::vector<SearchQuestion> questions;
  try {
    for (const auto& [name, patterns] : document.items()) {
      questions.push_back({.name = name, .patterns = patterns.get<std::vector<std::string>>()});
    }
  } catch (const Json::exception&) {
    questions.clear();
  }
  if (questions.empty()) throw InputError(path.string() + ": no object of questions with lists of patterns");
  return questions;
}

std::vector<StudiedWork> search_cpu_works(const SearchCpuOptions& options, const SearchTools& tools,
                                          const Dataset& dataset) {
  input_file_bytes(options.input);
  for (const auto& [program, name] : {std::pair("zstd", "zstd"), std::pair("rg", "ripgrep")}) {
    if (!has_program(program)) std::cerr << "missing codec: " << name << "\n";
  }
  // Compressed by the first question that is measured: an interrupted run may have kept the rows of all.
  const auto text = std::make_shared<std::unique_ptr<TextAndFiles>>();
  std::vector<StudiedWork> works;
  for (const SearchQuestion& question : read_search_questions(options.questions)) {
    works.push_back({.key = {{"question", question.name}, {"patterns", question.patterns}}, .measure = [=] {
                       if (*text == nullptr) *text = std::make_unique<TextAndFiles>(options, tools);
                       return rows_of_question(question, **text, options, tools, dataset);
                     }});
  }
  return works;
}

}  // namespace gsst::experiments
