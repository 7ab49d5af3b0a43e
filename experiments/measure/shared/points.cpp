#include "experiments/measure/shared/points.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <limits>

#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Format tiles of encoders that are told the bits of a code alone.
constexpr std::uint32_t most_codes_per_lane = 32;

struct Shape {
  std::uint64_t blocks;
  std::uint32_t splits;
};

// What the stage recommends for the current device, if anything.
std::optional<Shape> recommended_shape(const Point& point) {
  const auto plans = point.stage->decode.find(stage::Executor::gpu);
  if (plans == point.stage->decode.end() || plans->second.recommend == nullptr) return std::nullopt;
  const stage::BlocksAndSplits cut = plans->second.recommend(point.parameters);
  return Shape{cut.blocks, cut.splits};
}

// For messages.
const char* what_it_does(stage::Operation operation) {
  if (operation == stage::Operation::encode) return "encodes";
  return operation == stage::Operation::ranges ? "decodes ranges" : "decodes";
}

// Reads one point; messages say which one is wrong.
class PointReader {
public:
  PointReader(const Json& entry, const PointRules& rules, std::string place)
      : entry_(entry), rules_(rules), place_(std::move(place)) {}

  Point read() const {
    if (!entry_.is_object()) fail("must be an object");
    if (!entry_.contains("stage")) fail("'stage' is missing");
    Point point;
    point.id = entry_["stage"];
    point.variant = entry_.value("variant", std::string());
    point.parameters = entry_.value("parameters", stage::ParameterValues());
    point.row = entry_.value("row", Json::object());
    if (!point.row.is_object()) fail("'row' must be an object");
    point.stage = find_stage(point.id);
    switch (point.stage->description.operation) {
      case stage::Operation::encode:
        read_encoder(point);
        return point;
      case stage::Operation::ranges:
        read_ranges(point);
        return point;
      default:
        read_decoder(point);
        return point;
    }
  }

private:
  [[noreturn]] void fail(const std::string& problem) const { throw InputError(place_ + ": " + problem); }

  // A misspelt key would silently measure something else.
  void check_keys(std::span<const std::string_view> of_operation) const {
    constexpr std::array<std::string_view, 4> of_all = {"stage", "variant", "parameters", "row"};
    for (const auto& [key, value] : entry_.items()) {
      const bool known = std::ranges::find(of_all, key) != of_all.end() ||
                         std::ranges::find(of_operation, key) != of_operation.end();
      if (!known) fail("unknown key '" + key + "'");
    }
  }

  const stage::RegisteredStage* find_stage(const std::string& id) const {
    std::string names;
    for (const stage::Operation operation : rules_.operations) {
      if (const stage::RegisteredStage* const found = stage::find_stage(id, operation)) return found;
      names += names.empty() ? "" : " or ";
      names += what_it_does(operation);
    }
    fail("there is no stage '" + id + "' that " + names);
  }

  void read_decoder(Point& point) const {
    constexpr std::array<std::string_view, 7> keys = {"blocks", "splits", "code_bits", "codes_per_lane",
                                                      "level",  "parse",  "graph"};
    check_keys(keys);
    const stage::Description& description = point.stage->description;
    // What of the input is wrong otherwise, the encoder says before anything is measured.
    point.input.format = description.format;
    point.input.code_bits = small_number("code_bits", 0);
    point.input.codes_per_lane = small_number("codes_per_lane", 0);
    point.input.level = small_number("level", reference::default_level);
    point.input.parse = parse();
    point.graph = flag("graph");
    stage::check_parameters(description, point.parameters);
    point.input.blocks = count("blocks", format::max_block_count, point, &Shape::blocks);
    if (format::has_splits(description.format)) {
      point.input.splits =
          static_cast<std::uint32_t>(count("splits", format::max_split_count, point, &Shape::splits));
    }
  }

  void read_encoder(Point& point) const {
    constexpr std::array<std::string_view, 5> keys = {"block_bytes", "splits", "blocks_per_table",
                                                      "code_bits", "codes_per_lane"};
    check_keys(keys);
    point.input.block_bytes = whole_number("block_bytes");
    point.input.splits = word("splits");
    point.input.blocks_per_table = word("blocks_per_table", 1);
    if (entry_.contains("code_bits")) {
      point.input.code_bits = word("code_bits");
      point.input.codes_per_lane = word("codes_per_lane", most_codes_per_lane);
      if (!handles_format(*point.stage, format::BlockFormat::tiles))
        fail("stage '" + point.id + "' does not write format tiles");
    }
    stage::check_settings(point.stage->description, encode_settings(point, 0));
  }

  void read_ranges(Point& point) const {
    constexpr std::array<std::string_view, 6> keys = {"format",       "code_bits", "splits",
                                                      "short_strips", "on_cpu",    "ranges"};
    check_keys(keys);
    const Json name = entry_.value("format", Json());
    const auto format =
        name.is_string() ? format::block_format_from_name(name.get<std::string>()) : std::nullopt;
    if (format == format::BlockFormat::tiles) {
      point.input.code_bits = word("code_bits");
      if (flag("short_strips")) point.input.strip_codes = short_strip_codes;
    } else if (format == format::BlockFormat::splits) {
      point.input.splits = word("splits");
    } else {
      fail("'format' must be tiles or splits");
    }
    point.input.format = *format;
    point.on_cpu = flag("on_cpu");
    point.ranges = wanted_ranges();
    stage::check_parameters(point.stage->description, point.parameters);
  }

  WantedRanges wanted_ranges() const {
    const Json ranges = entry_.value("ranges", Json());
    if (!ranges.is_object()) fail("'ranges' is missing");
    const Json part = ranges.value("selectivity", Json());
    if (!part.is_number() || part <= 0 || part > 1) fail("'selectivity' must be above 0 and at most 1");
    const Json bytes = ranges.value("range_bytes", Json());
    if (!bytes.is_number_unsigned() || bytes == 0) fail("'range_bytes' must be a number of bytes");
    for (const RangePattern pattern :
         {RangePattern::scattered, RangePattern::shuffled, RangePattern::clustered}) {
      if (ranges.value("pattern", Json()) == range_pattern_name(pattern)) {
        return {.pattern = pattern, .selectivity = part, .range_bytes = bytes};
      }
    }
    fail("'pattern' must be scattered, shuffled or clustered");
  }

  // A number that is there, or `absent`, which is 0 where it must be there.
  std::uint64_t whole_number(const char* key, std::uint64_t absent = 0) const {
    if (!entry_.contains(key)) {
      if (absent == 0) fail("'" + std::string(key) + "' is missing");
      return absent;
    }
    if (!entry_[key].is_number_unsigned()) fail("'" + std::string(key) + "' must be a whole number");
    return entry_[key];
  }

  std::uint32_t word(const char* key, std::uint32_t absent = 0) const {
    const std::uint64_t number = whole_number(key, absent);
    if (number > std::numeric_limits<std::uint32_t>::max()) fail("'" + std::string(key) + "' is too large");
    return static_cast<std::uint32_t>(number);
  }

  std::uint32_t small_number(const char* key, std::uint32_t absent) const {
    if (!entry_.contains(key)) return absent;
    if (!entry_[key].is_number_unsigned() || entry_[key] > 64u)
      fail("'" + std::string(key) + "' is out of range");
    return entry_[key];
  }

  std::optional<reference::Parse> parse() const {
    if (!entry_.contains("parse")) return std::nullopt;
    if (entry_["parse"] == "greedy") return reference::Parse::greedy;
    if (entry_["parse"] == "optimal") return reference::Parse::optimal;
    fail("'parse' must be \"greedy\" or \"optimal\"");
  }

  bool flag(const char* key) const {
    if (!entry_.contains(key)) return false;
    if (!entry_[key].is_boolean()) fail("'" + std::string(key) + "' must be true or false");
    return entry_[key];
  }

  // `recommended` is where the stage's recommendation for `point` has the number.
  template <typename Number>
  std::uint64_t count(const char* key, std::uint64_t largest, const Point& point,
                      Number Shape::*recommended) const {
    if (!entry_.contains(key)) fail(std::string("'") + key + "' is missing");
    const Json& value = entry_[key];
    std::uint64_t number = 0;
    if (value.is_number_unsigned()) {
      number = value;
    } else if (value == "recommended") {
      const std::optional<Shape> shape = recommended_shape(point);
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
    return std::stoull(number) * rules_.multiprocessors;
  }

  const Json& entry_;
  const PointRules& rules_;
  std::string place_;
};

std::vector<Point> read_list(const Json& entries, const PointRules& rules, const std::string& place) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    points.push_back(PointReader(entries[i], rules, place + " " + std::to_string(i + 1)).read());
  }
  return points;
}

Json stage_parameters(const Point& point) {
  Json parameters = Json::object();
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    parameters[parameter.name] =
        stage::parameter_value(point.stage->description, point.parameters, parameter.name);
  }
  return parameters;
}

}  // namespace

std::string range_pattern_name(RangePattern pattern) {
  switch (pattern) {
    case RangePattern::scattered:
      return "scattered";
    case RangePattern::shuffled:
      return "shuffled";
    case RangePattern::clustered:
      return "clustered";
  }
  return "unknown";
}

PointList parse_points(const Json& document, const PointRules& rules, const std::string& place) {
  PointList list;
  const Json whole = document.is_object() ? document : Json{{"points", document}};
  const std::string kind = whole.value("kind", rules.kind);
  if (kind != rules.kind) throw InputError(place + ": holds points of kind " + kind + ", not " + rules.kind);
  list.target = whole.value("target", std::string());
  const Json points = whole.value("points", Json());
  const Json candidates = whole.value("candidates", Json::array());
  if (!points.is_array() || !candidates.is_array()) throw InputError(place + ": no list of points");
  list.points = read_list(points, rules, place + ": point");
  list.candidates = read_list(candidates, rules, place + ": candidate");
  return list;
}

Json read_document(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError("cannot open " + path.string());
  try {
    return Json::parse(file);
  } catch (const Json::exception& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

PointList read_points(std::span<const std::filesystem::path> paths, const PointRules& rules) {
  PointList all;
  for (const std::filesystem::path& path : paths) {
    const Json document = read_document(path);
    try {
      PointList list = parse_points(document, rules, path.string());
      if (all.target.empty()) all.target = list.target;
      std::ranges::move(list.points, std::back_inserter(all.points));
      std::ranges::move(list.candidates, std::back_inserter(all.candidates));
    } catch (const Json::exception& error) {
      throw InputError(path.string() + ": " + error.what());
    }
  }
  if (all.points.empty() && all.candidates.empty()) throw InputError("the points files hold no point");
  return all;
}

std::string target_of(const PointList& list, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  if (list.target.empty()) throw InputError("no points file names a target: say which with --target");
  return list.target;
}

Json point_to_json(const Point& point) {
  Json json = {{"stage", point.id}, {"variant", point.variant}, {"parameters", point.parameters}};
  const Input& input = point.input;
  if (point.ranges) json["format"] = format::block_format_name(input.format);
  if (input.blocks != 0) json["blocks"] = input.blocks;
  if (input.block_bytes != 0) json["block_bytes"] = input.block_bytes;
  json["splits"] = input.splits;
  if (input.blocks_per_table != 1) json["blocks_per_table"] = input.blocks_per_table;
  if (input.code_bits != 0) json["code_bits"] = input.code_bits;
  if (input.codes_per_lane != 0) json["codes_per_lane"] = input.codes_per_lane;
  if (input.strip_codes != 0) json["short_strips"] = true;
  if (input.level != reference::default_level) json["level"] = input.level;
  if (input.parse) json["parse"] = *input.parse == reference::Parse::greedy ? "greedy" : "optimal";
  if (point.graph) json["graph"] = true;
  if (point.on_cpu) json["on_cpu"] = true;
  if (point.ranges) {
    json["ranges"] = {{"pattern", range_pattern_name(point.ranges->pattern)},
                      {"selectivity", point.ranges->selectivity},
                      {"range_bytes", point.ranges->range_bytes}};
  }
  json["row"] = point.row;
  return json;
}

std::vector<std::vector<std::size_t>> group_by_input(std::span<const Point> points) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto group = std::ranges::find_if(
        groups, [&](const auto& members) { return points[members.front()].input == points[i].input; });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

reference::CompressOptions compress_options(const Input& input, std::uint64_t text_bytes) {
  reference::CompressOptions options{.format = input.format,
                                     .split_count = input.splits,
                                     .code_bits = input.code_bits,
                                     .codes_per_lane = input.codes_per_lane,
                                     .strip_codes = input.strip_codes,
                                     .level = input.level,
                                     .parse = input.parse};
  if (input.blocks != 0) {
    options.block_bytes = format::part_size(text_bytes, input.blocks);
  } else if (input.block_bytes != 0) {
    options.block_bytes = input.block_bytes;
  }
  return options;
}

stage::EncodeSettings encode_settings(const Point& point, std::uint64_t input_bytes) {
  const Input& input = point.input;
  stage::EncodeSettings settings{.input_bytes = input_bytes,
                                 .block_bytes = input.block_bytes,
                                 .split_count = input.splits,
                                 .blocks_per_table = input.blocks_per_table,
                                 .parameters = point.parameters};
  if (input.code_bits != 0) {
    settings.tiles = format::TileShape{.code_bits = input.code_bits, .codes_per_lane = input.codes_per_lane};
  }
  return settings;
}

Json decode_parameters(const Point& point, std::uint64_t blocks) {
  Json parameters = stage_parameters(point);
  parameters["blocks"] = blocks;
  parameters["splits"] = point.input.splits;
  return parameters;
}

Json encode_parameters(const Point& point) {
  Json parameters = stage_parameters(point);
  parameters["block_bytes"] = point.input.block_bytes;
  parameters["splits"] = point.input.splits;
  parameters["blocks_per_table"] = point.input.blocks_per_table;
  if (point.input.code_bits != 0) {
    parameters["code_bits"] = point.input.code_bits;
    parameters["codes_per_lane"] = point.input.codes_per_lane;
  }
  return parameters;
}

}  // namespace gsst::experiments
