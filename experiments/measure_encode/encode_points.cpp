#include "experiments/measure_encode/encode_points.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array point_keys = {"stage",       "variant",        "parameters",
                                   "block_bytes", "splits",         "blocks_per_table",
                                   "code_bits",   "codes_per_lane", "row"};

[[noreturn]] void fail(const std::string& place, const std::string& problem) {
  throw InputError(place + ": " + problem);
}

// A whole number that is there, or `otherwise` where it may be left out.
std::uint64_t number(const Json& entry, const char* key, const std::string& place,
                     std::uint64_t otherwise = 0) {
  if (!entry.contains(key)) {
    if (otherwise == 0) fail(place, "'" + std::string(key) + "' is missing");
    return otherwise;
  }
  if (!entry[key].is_number_unsigned()) fail(place, "'" + std::string(key) + "' must be a whole number");
  return entry[key].get<std::uint64_t>();
}

// Of a point whose frame has format tiles.
std::optional<format::TileShape> tile_shape(const Json& entry, const std::string& place) {
  if (!entry.contains("code_bits")) return std::nullopt;
  constexpr std::uint32_t most_codes_per_lane = 32;
  return format::TileShape{.code_bits = static_cast<std::uint32_t>(number(entry, "code_bits", place)),
                           .codes_per_lane = static_cast<std::uint32_t>(
                               number(entry, "codes_per_lane", place, most_codes_per_lane))};
}

EncodePoint parse_point(const Json& entry, const std::string& place) {
  if (!entry.is_object()) fail(place, "must be an object");
  for (const auto& [key, value] : entry.items()) {
    // A misspelt key would silently measure something else.
    const bool known = std::find(point_keys.begin(), point_keys.end(), key) != point_keys.end();
    if (!known) fail(place, "unknown key '" + key + "'");
  }
  if (!entry.contains("stage")) fail(place, "'stage' is missing");
  const std::string id = entry["stage"];
  EncodePoint point{.stage = stage::find_stage(id, stage::Operation::encode),
                    .variant = entry.value("variant", std::string()),
                    .settings = {.input_bytes = 0,
                                 .block_bytes = number(entry, "block_bytes", place),
                                 .split_count = static_cast<std::uint32_t>(number(entry, "splits", place)),
                                 .blocks_per_table =
                                     static_cast<std::uint32_t>(number(entry, "blocks_per_table", place, 1)),
                                 .parameters = entry.value("parameters", stage::ParameterValues())},
                    .row = entry.value("row", Json::object())};
  if (point.stage == nullptr) fail(place, "there is no encoder stage '" + id + "'");
  if (!point.row.is_object()) fail(place, "'row' must be an object");
  point.settings.tiles = tile_shape(entry, place);
  if (point.settings.tiles && !writes_tiles(*point.stage)) {
    fail(place, "stage '" + id + "' does not write format tiles");
  }
  stage::check_settings(point.stage->description, point.settings);
  return point;
}

}  // namespace

std::vector<EncodePoint> parse_encode_points(const Json& document, const std::string& place) {
  const Json list = document.is_object() ? document.value("points", Json()) : document;
  if (!list.is_array() || list.empty()) fail(place, "must be a list of points, or hold one in 'points'");
  std::vector<EncodePoint> points;
  for (std::size_t i = 0; i < list.size(); ++i) {
    points.push_back(parse_point(list[i], place + ": point " + std::to_string(i + 1)));
  }
  return points;
}

std::vector<EncodePoint> read_encode_points(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError("cannot read " + path.string());
  try {
    return parse_encode_points(Json::parse(file), path.string());
  } catch (const Json::exception& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

Json parameters_of(const EncodePoint& point) {
  Json parameters = Json::object();
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    parameters[parameter.name] =
        stage::parameter_value(point.stage->description, point.settings.parameters, parameter.name);
  }
  parameters["block_bytes"] = point.settings.block_bytes;
  parameters["splits"] = point.settings.split_count;
  parameters["blocks_per_table"] = point.settings.blocks_per_table;
  if (point.settings.tiles) {
    parameters["code_bits"] = point.settings.tiles->code_bits;
    parameters["codes_per_lane"] = point.settings.tiles->codes_per_lane;
  }
  return parameters;
}

Json point_to_json(const EncodePoint& point) {
  return {{"stage", point.stage->description.id},
          {"variant", point.variant},
          {"parameters", parameters_of(point)},
          {"row", point.row}};
}

}  // namespace gsst::experiments
