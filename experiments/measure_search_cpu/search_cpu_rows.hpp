#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_search_cpu/searched_files.hpp"

namespace gsst::experiments {

/// Lines with a match of any of these extended regular expressions are looked for.
struct SearchQuestion {
  std::string name;
  std::vector<std::string> patterns;
};

/// What gsst_measure_search_cpu is told.
struct SearchCpuOptions {
  std::filesystem::path input = {};
  /// A JSON object with the patterns of each question by its name.
  std::filesystem::path questions = {};
  SearchedTiles tiles = {};
  /// Times that each command is timed, or fewer, but three, where that would take longer than a second.
  std::size_t repetitions = 0;
};

/// The questions of a file. Throws InputError where it cannot be read or holds something else.
std::vector<SearchQuestion> read_search_questions(const std::filesystem::path& path);

/// A work for each question. Its rows are of commands that count the text's lines with a match, each from the
/// start of its processes to their end, all on one and the same processor, in random order: grep_of_text()
/// and other_search_ways(), which say what `stage` and `variant` are. Each command is started once before it
/// is timed. Throughput is bytes of text. A row has `question`, `patterns`, `lines` of the text, and
/// `matched_lines` of it. Throws MismatchError where a command counts other lines than grep at any time, and
/// InputError where a command fails, as they do that find no line, and for a file that cannot be read or is
/// empty. Commands that PATH does not have are named on standard error.
std::vector<StudiedWork> search_cpu_works(const SearchCpuOptions& options, const SearchTools& tools,
                                          const Dataset& dataset);

}  // namespace gsst::experiments
