#include "experiments/measure_accesses/access_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "common/format/formats.hpp"
#include "common/simt/access_counts_json.hpp"
#include "common/simt/access_trace.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/run_decode.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// All kinds, also those that the stage does not have: expressions of figures read each.
Json accesses_json(const simt::AccessTrace& trace) {
  std::array<simt::AccessCounts, simt::access_class_count> sums;
  for (const simt::LineCounts& line : trace.lines()) {
    sums.at(static_cast<std::size_t>(line.access_class)) += line.counts;
  }
  Json json = Json::object();
  for (std::size_t index = 0; index < sums.size(); ++index) {
    json[simt::access_class_names[index]] =
        simt::counts_json(static_cast<simt::AccessClass>(index), sums[index]);
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
