#include "experiments/measure_accesses/access_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "common/format/formats.hpp"
#include "common/simt/access_trace.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/run_decode.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

struct NamedClass {
  simt::AccessClass access_class;
  std::string_view name;
};
constexpr std::array<NamedClass, simt::access_class_count> named_classes = {
    {{simt::AccessClass::global_load, "global_load"},
     {simt::AccessClass::global_store, "global_store"},
     {simt::AccessClass::global_atomic, "global_atomic"},
     {simt::AccessClass::global_copy, "global_copy"},
     {simt::AccessClass::shared_load, "shared_load"},
     {simt::AccessClass::shared_store, "shared_store"},
     {simt::AccessClass::shared_atomic, "shared_atomic"},
     {simt::AccessClass::shared_copy, "shared_copy"}}};

Json counts_json(const simt::AccessCounts& counts, bool is_shared) {
  Json json = {{"requests", counts.requests}, {"lanes", counts.lanes}, {"bytes", counts.bytes}};
  if (is_shared) {
    json["passes"] = counts.passes;
    json["passes_without_conflicts"] = counts.passes_without_conflicts;
  } else {
    json["sectors"] = counts.sectors;
  }
  return json;
}

// All kinds, also those that the stage does not have: expressions of figures read each.
Json accesses_json(const simt::AccessTrace& trace) {
  std::array<simt::AccessCounts, simt::access_class_count> sums;
  for (const simt::LineCounts& line : trace.lines()) {
    sums.at(static_cast<std::size_t>(line.access_class)) += line.counts;
  }
  Json json = Json::object();
  for (const NamedClass& named : named_classes) {
    json[named.name] = counts_json(sums.at(static_cast<std::size_t>(named.access_class)),
                                   simt::is_shared(named.access_class));
  }
  return json;
}

Json row_of(const Point& point, std::span<const std::uint8_t> frame, std::span<const std::uint8_t> text,
            const Dataset& dataset) {
  const simt::AccessTrace trace;
  const stage::DecodeResult result =
      stage::run_decode(*point.stage, stage::Executor::simt, frame, point.parameters);
  if (!std::ranges::equal(result.output(), text)) {
    throw MismatchError(point.id + ": decoded bytes differ from the input");
  }
  const stage::FrameOnDevice shape = stage::frame_shape(frame);
  Json row = row_to_json({.stage = point.id,
                          .variant = point.variant,
                          .parameters = decode_parameters(point, shape.block_count, shape.split_count),
                          .uncompressed_bytes = text.size(),
                          .compressed_bytes = frame.size(),
                          .seconds = {}},
                         dataset);
  row["operation"] = "decode";
  row["accesses"] = accesses_json(trace);
  row.update(point.row);
  return row;
}

}  // namespace

Json access_rows(std::span<const Point> points, std::span<const std::uint8_t> text, const Dataset& dataset) {
  Json rows = Json::array();
  for (const std::vector<std::size_t>& group : group_by_input(points)) {
    const std::vector<std::uint8_t> frame = make_frame(points[group.front()].input, text);
    for (const std::size_t index : group) rows.push_back(row_of(points[index], frame, text, dataset));
  }
  return rows;
}

}  // namespace gsst::experiments
