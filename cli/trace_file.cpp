#include "cli/trace_file.hpp"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cli/command_error.hpp"
#include "cli/summary.hpp"
#include "common/simt/access_trace.hpp"

namespace gsst::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, simt::access_class_count> class_names = {
    "global_load", "global_store", "global_atomic", "global_copy",
    "shared_load", "shared_store", "shared_atomic", "shared_copy"};

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

Json counts_json(const simt::LineCounts& line) {
  const simt::AccessCounts& counts = line.counts;
  Json json = {{"lines", lines_of(line.place)},
               {"accesses", class_names.at(static_cast<std::size_t>(line.access_class))},
               {"requests", counts.requests},
               {"lanes", counts.lanes},
               {"bytes", counts.bytes}};
  if (simt::is_shared(line.access_class)) {
    json["passes"] = counts.passes;
    json["passes_without_conflicts"] = counts.passes_without_conflicts;
  } else {
    json["sectors"] = counts.sectors;
  }
  return json;
}

Json trace_json(const simt::AccessTrace& trace) {
  Json counts = Json::array();
  for (const simt::LineCounts& line : trace.lines()) counts.push_back(counts_json(line));
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
