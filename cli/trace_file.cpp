#include "cli/trace_file.hpp"

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cli/command_error.hpp"
#include "cli/summary.hpp"
#include "common/simt/access_counts_json.hpp"
#include "common/simt/access_trace.hpp"

namespace gsst::cli {
namespace {

using Json = nlohmann::ordered_json;

// The line itself first, then those that it was called from.
Json lines_of(const std::string& place) {
  constexpr std::string_view separator = " called from ";
  Json lines = Json::array();
  std::size_t first = 0;
  while (true) {
    const std::size_t end = place.find(separator, first);
    lines.push_back(place.substr(first, end - first));
    if (end == std::string::npos) return lines;
    first = end + separator.size();
  }
}

Json line_json(const simt::LineCounts& line) {
  Json json = {{"lines", lines_of(line.place)},
               {"accesses", simt::access_class_names.at(static_cast<std::size_t>(line.access_class))}};
  json.update(simt::counts_json(line.access_class, line.counts));
  return json;
}

Json trace_json(const simt::AccessTrace& trace) {
  Json counts = Json::array();
  for (const simt::LineCounts& line : trace.lines()) counts.push_back(line_json(line));
  return {
      {"schema", 1}, {"launches", trace.launches()}, {"thread_blocks", trace.blocks()}, {"counts", counts}};
}

}  // namespace

void with_trace(const Options& options, const std::function<void()>& work) {
  if (!options.trace) {
    work();
    return;
  }
  const simt::AccessTrace trace;
  work();
  write_trace(trace, *options.trace);
}

void write_trace(const simt::AccessTrace& trace, const std::string& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << json_text(trace_json(trace)) << std::flush;
  if (!file) throw CommandError(ExitCode::input_output, path + ": the trace cannot be written");
}

}  // namespace gsst::cli
