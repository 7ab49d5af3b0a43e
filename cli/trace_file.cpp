#include "cli/trace_file.hpp"

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_error.hpp"
#include "cli/summary.hpp"
#include "common/simt/access_counts_json.hpp"
#include "common/simt/access_trace.hpp"
#include "common/simt/dimensions.hpp"
#include "common/simt/warp_accesses.hpp"

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

// An address for each lane, null for those that do not take part.
Json addresses_of(const simt::WarpRequest& request) {
  Json addresses = Json::array();
  for (unsigned lane = 0; lane < simt::warp_lanes; ++lane) {
    const bool takes_part = (request.lanes >> lane & 1) != 0;
    addresses.push_back(takes_part ? Json(request.addresses[lane]) : Json());
  }
  return addresses;
}

Json requests_json(const simt::AccessTrace& trace, std::span<const simt::LineCounts> lines) {
  Json requests = Json::array();
  for (const auto& [line, request] : trace.requests(lines)) {
    Json json = {{"count", line}, {"bytes", request.bytes}};
    const simt::AccessCounts counts = simt::count_request(request);
    if (simt::is_shared(request.access_class)) {
      json["passes"] = counts.passes;
    } else {
      json["sectors"] = counts.sectors;
    }
    json["addresses"] = addresses_of(request);
    requests.push_back(std::move(json));
  }
  return requests;
}

Json memory_json(const simt::AccessTrace& trace) {
  Json memory = Json::array();
  for (const simt::LoggedMemory& piece : trace.memory()) {
    memory.push_back({{"first", piece.first}, {"bytes", piece.bytes}});
  }
  return memory;
}

Json trace_json(const simt::AccessTrace& trace) {
  const std::vector<simt::LineCounts> lines = trace.lines();
  Json counts = Json::array();
  for (const simt::LineCounts& line : lines) counts.push_back(line_json(line));
  return {{"schema", 1},      {"launches", trace.launches()}, {"thread_blocks", trace.blocks()},
          {"counts", counts}, {"memory", memory_json(trace)}, {"requests", requests_json(trace, lines)}};
}

}  // namespace

void with_trace(const Options& options, const std::function<void()>& work) {
  if (!options.trace) {
    work();
    return;
  }
  const simt::AccessTrace trace(options.trace_requests);
  work();
  write_trace(trace, *options.trace);
}

void write_trace(const simt::AccessTrace& trace, const std::string& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << json_text(trace_json(trace)) << std::flush;
  if (!file) throw CommandError(ExitCode::input_output, path + ": the trace cannot be written");
}

}  // namespace gsst::cli
