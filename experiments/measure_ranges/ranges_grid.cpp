#include "experiments/measure_ranges/ranges_grid.hpp"

#include <optional>

#include "common/format/formats.hpp"
#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const Json& non_empty_list(const Json& document, const char* key, const std::string& place) {
  if (!document.is_object() || !document.contains(key) || !document[key].is_array() ||
      document[key].empty()) {
    throw InputError(place + ": '" + key + "' must be a list that is not empty");
  }
  return document[key];
}

RangePattern pattern_from_name(const Json& name, const std::string& place) {
  for (const RangePattern pattern :
       {RangePattern::scattered, RangePattern::shuffled, RangePattern::clustered}) {
    if (name == range_pattern_name(pattern)) return pattern;
  }
  throw InputError(place + ": 'patterns' holds " + name.dump() + ", not scattered, shuffled or clustered");
}

std::uint32_t number_of(const Json& point, const char* key, const std::string& place) {
  if (!point.contains(key) || !point[key].is_number_unsigned()) {
    throw InputError(place + ": a point needs a number as '" + key + "'");
  }
  return point[key];
}

RangesFrame parse_frame_of_point(const Json& point, const std::string& place) {
  const bool has_format = point.is_object() && point.contains("format") && point["format"].is_string();
  const std::optional<format::BlockFormat> format =
      has_format ? format::block_format_from_name(point["format"].get<std::string>()) : std::nullopt;
  RangesFrame frame;
  if (format == format::BlockFormat::tiles) {
    frame.options.code_bits = number_of(point, "code_bits", place);
    if (point.value("short_strips", false)) frame.options.strip_codes = short_strip_codes;
  } else if (format == format::BlockFormat::splits) {
    frame.options.split_count = number_of(point, "splits", place);
  } else {
    throw InputError(place + ": a point needs the 'format' tiles or splits");
  }
  frame.options.format = *format;
  frame.on_cpu = point.value("on_cpu", false);
  return frame;
}

}  // namespace

RangesGrid parse_ranges_grid(const Json& document, const std::string& place) {
  RangesGrid grid;
  for (const Json& point : non_empty_list(document, "points", place)) {
    grid.frames.push_back(parse_frame_of_point(point, place));
  }
  for (const Json& name : non_empty_list(document, "patterns", place)) {
    grid.patterns.push_back(pattern_from_name(name, place));
  }
  for (const Json& part : non_empty_list(document, "selectivities", place)) {
    if (!part.is_number() || part <= 0 || part > 1) {
      throw InputError(place + ": 'selectivities' holds " + part.dump() + ", not a part above 0 and up to 1");
    }
    grid.selectivities.push_back(part);
  }
  for (const Json& bytes : non_empty_list(document, "range_bytes", place)) {
    if (!bytes.is_number_unsigned() || bytes == 0) {
      throw InputError(place + ": 'range_bytes' holds " + bytes.dump() + ", not a number of bytes");
    }
    grid.range_bytes.push_back(bytes);
  }
  return grid;
}

}  // namespace gsst::experiments
