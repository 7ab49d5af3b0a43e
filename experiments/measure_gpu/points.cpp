#include "experiments/measure_gpu/points.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <tuple>

#include "common/format/block.hpp"
#include "common/format/frame.hpp"
#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

struct Shape {
  std::uint64_t blocks;
  std::uint32_t splits;
};

// What the stage recommends for the current device, if anything.
std::optional<Shape> recommended_shape(const stage::RegisteredStage& stage,
                                       const stage::ParameterValues& parameters) {
  const auto plans = stage.decode.find(stage::Executor::gpu);
  if (plans == stage.decode.end() || plans->second.recommend == nullptr) return std::nullopt;
  const stage::BlocksAndSplits cut = plans->second.recommend(parameters);
  return Shape{cut.blocks, cut.splits};
}

// Reads the points of one document; messages say which point is wrong.
class PointReader {
public:
  PointReader(unsigned multiprocessors, std::string place)
      : multiprocessors_(multiprocessors), place_(std::move(place)) {}

  Point read(const Json& entry) const {
    if (!entry.is_object()) fail("must be an object");
    check_keys(entry);
    const stage::RegisteredStage& stage = find(entry);
    Point point{.stage = &stage,
                .variant = entry.value("variant", std::string()),
                .parameters = entry.value("parameters", stage::ParameterValues()),
                .blocks = 0,
                .splits = 1,
                .code_bits = small_number(entry, "code_bits", 0),
                .codes_per_lane = small_number(entry, "codes_per_lane", 0),
                .level = small_number(entry, "level", 1),
                .parse = parse(entry),
                .graph = graph(entry),
                .row = entry.value("row", Json::object())};
    if (!point.row.is_object()) fail("'row' must be an object");
    stage::check_parameters(stage.description, point.parameters);
    point.blocks = count(entry, "blocks", format::max_block_count, point, &Shape::blocks);
    if (format::has_splits(stage.description.format)) {
      point.splits =
          static_cast<std::uint32_t>(count(entry, "splits", format::max_split_count, point, &Shape::splits));
    }
    return point;
  }

private:
  [[noreturn]] void fail(const std::string& problem) const { throw InputError(place_ + ": " + problem); }

  // A misspelt key would silently measure something else.
  void check_keys(const Json& entry) const {
    for (const auto& [key, value] : entry.items()) {
      constexpr std::array known = {"stage",     "variant",        "parameters", "blocks", "splits",
                                    "code_bits", "codes_per_lane", "level",      "parse",  "graph",
                                    "row"};
      if (std::find(known.begin(), known.end(), key) == known.end()) fail("unknown key '" + key + "'");
    }
  }

  // What the encoder checks: a wrong one ends the run before anything is measured.
  std::uint32_t small_number(const Json& entry, const char* key, std::uint32_t absent) const {
    if (!entry.contains(key)) return absent;
    if (!entry[key].is_number_unsigned() || entry[key] > 64u)
      fail(std::string("'") + key + "' is out of range");
    return entry[key];
  }

  std::optional<reference::Parse> parse(const Json& entry) const {
    if (!entry.contains("parse")) return std::nullopt;
    if (entry["parse"] == "greedy") return reference::Parse::greedy;
    if (entry["parse"] == "optimal") return reference::Parse::optimal;
    fail("'parse' must be \"greedy\" or \"optimal\"");
  }

  bool graph(const Json& entry) const {
    if (!entry.contains("graph")) return false;
    if (!entry["graph"].is_boolean()) fail("'graph' must be true or false");
    return entry["graph"];
  }

  const stage::RegisteredStage& find(const Json& entry) const {
    if (!entry.contains("stage")) fail("'stage' is missing");
    const std::string id = entry["stage"];
    const stage::RegisteredStage* const found = stage::find_stage(id, stage::Operation::decode);
    if (found == nullptr) fail("there is no stage '" + id + "'");
    return *found;
  }

  // `recommended` is where the stage's recommendation for `point` has the number.
  template <typename Number>
  std::uint64_t count(const Json& entry, const char* key, std::uint64_t largest, const Point& point,
                      Number Shape::*recommended) const {
    if (!entry.contains(key)) fail(std::string("'") + key + "' is missing");
    const Json& value = entry[key];
    std::uint64_t number = 0;
    if (value.is_number_unsigned()) {
      number = value;
    } else if (value == "recommended") {
      const std::optional<Shape> shape = recommended_shape(*point.stage, point.parameters);
      if (!shape) fail(std::string("'") + key + "': the stage recommends nothing");
      number = (*shape).*recommended;
    } else if (value.is_string()) {
      number = count_per_multiprocessor(value, key);
    } else {
      fail(std::string("'") + key + "' must be a number, \"<number> per SM\" or \"recommended\"");
    }
    if (number == 0 || number > largest) {
      fail(std::string("'") + key + "' is " + std::to_string(number) + ", allowed are 1 to " +
           std::to_string(largest));
    }
    return number;
  }

  std::uint64_t count_per_multiprocessor(const std::string& text, const char* key) const {
    const std::string unit = " per SM";
    const std::string number = text.substr(0, text.size() - std::min(text.size(), unit.size()));
    // Nine digits are less than 2^32 and more than any device needs.
    const bool valid = text.ends_with(unit) && !number.empty() && number.size() <= 9 &&
                       number.find_first_not_of("0123456789") == std::string::npos;
    if (!valid) fail(std::string("'") + key + "' is '" + text + "', not '<number> per SM' or 'recommended'");
    return std::stoull(number) * multiprocessors_;
  }

  unsigned multiprocessors_;
  std::string place_;
};

auto frame_key(const Point& point) {
  return std::tuple(point.stage->description.format, point.blocks, point.splits, point.code_bits,
                    point.codes_per_lane, point.level, point.parse);
}

}  // namespace

PointList parse_points(const Json& document, unsigned multiprocessors, const std::string& place) {
  PointList list;
  if (document.is_object()) list.target = document.value("target", std::string());
  const Json entries = document.is_object() ? document.value("points", Json()) : document;
  if (!entries.is_array()) throw InputError(place + ": no list of points");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const PointReader reader(multiprocessors, place + ": point " + std::to_string(i));
    list.points.push_back(reader.read(entries[i]));
  }
  return list;
}

PointList read_points(const std::filesystem::path& path, unsigned multiprocessors) {
  std::ifstream file(path);
  if (!file) throw InputError("cannot open " + path.string());
  try {
    return parse_points(Json::parse(file), multiprocessors, path.string());
  } catch (const Json::exception& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

PointList read_points(std::span<const std::filesystem::path> paths, unsigned multiprocessors) {
  PointList all;
  for (const std::filesystem::path& path : paths) {
    PointList list = read_points(path, multiprocessors);
    if (all.target.empty()) all.target = list.target;
    std::move(list.points.begin(), list.points.end(), std::back_inserter(all.points));
  }
  if (all.points.empty()) throw InputError("the points files hold no point");
  return all;
}

std::string target_of(const PointList& list, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  if (list.target.empty()) throw InputError("no points file names a target: say which with --target");
  return list.target;
}

Json point_to_json(const Point& point) {
  Json json = {{"stage", point.stage->description.id},
               {"variant", point.variant},
               {"parameters", point.parameters},
               {"blocks", point.blocks},
               {"splits", point.splits},
               {"code_bits", point.code_bits},
               {"codes_per_lane", point.codes_per_lane},
               {"level", point.level},
               {"row", point.row}};
  if (point.parse) json["parse"] = *point.parse == reference::Parse::greedy ? "greedy" : "optimal";
  if (point.graph) json["graph"] = true;
  return json;
}

bool share_frame(const Point& a, const Point& b) {
  return frame_key(a) == frame_key(b);
}

std::vector<std::vector<std::size_t>> group_by_frame(std::span<const Point> points) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& members) {
      return share_frame(points[members.front()], points[i]);
    });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

}  // namespace gsst::experiments
