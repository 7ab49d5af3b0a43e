#include "experiments/measure/shared/points.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using reference::CodecOption;

// What headers of frames say for all formats: 1 where blocks have none.
constexpr const char* splits_key = "splits";

// What the stage recommends for the current device.
std::map<std::string, std::uint64_t> recommended_by(const Point& point) {
  const auto plans = point.stage->decode.find(stage::Executor::gpu);
  if (plans == point.stage->decode.end() || plans->second.recommend == nullptr) return {};
  const stage::BlocksAndSplits cut = plans->second.recommend(point.parameters);
  return {{"blocks", cut.blocks}, {splits_key, cut.splits}};
}

// The option that a key says.
std::string option_of_key(std::string key) {
  std::ranges::replace(key, '_', '-');
  return key;
}

std::string key_of_option(std::string option) {
  std::ranges::replace(option, '-', '_');
  return option;
}

// Nullptr where the format has no such option.
const CodecOption* find_option(format::BlockFormat format, std::string_view name) {
  const std::span<const CodecOption> options = reference::codec_of(format).traits().options;
  const auto found = std::ranges::find(options, name, &CodecOption::name);
  return found == options.end() ? nullptr : &*found;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// "1, 2 or 3".
std::string choice_of(std::span<const std::string> words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
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

  static bool is_of_all(std::string_view key) {
    constexpr std::array<std::string_view, 4> of_all = {"stage", "variant", "parameters", "row"};
    return contains(of_all, key);
  }

  // Whether the key says an option of the format or one of `of_stage`, or nothing that is not so anyway.
  static bool is_option(format::BlockFormat format, std::span<const std::string_view> of_stage,
                        const std::string& key, const Json& value) {
    const std::string name = option_of_key(key);
    // One spelling, so that no option is said twice.
    const bool is_spelt_so = key_of_option(name) == key;
    return (is_spelt_so && (find_option(format, name) != nullptr || contains(of_stage, name))) ||
           (key == splits_key && value == 1);
  }

  // Reads all keys that are not of the operation. A misspelt one would silently measure something else.
  void read_options(Point& point, std::span<const std::string_view> of_operation,
                    std::span<const std::string_view> of_stage = {}) const {
    const format::BlockFormat format = point.input.format;
    for (const auto& [key, value] : entry_.items()) {
      if (is_of_all(key) || contains(of_operation, key)) continue;
      const std::string name = option_of_key(key);
      if (!is_option(format, of_stage, key, value)) {
        fail("unknown key '" + key + "' for format " + std::string(format::block_format_name(format)));
      }
      if (const CodecOption* const option = find_option(format, name)) {
        point.input.options[name] = option_value(*option, key, value, point);
      } else if (contains(of_stage, name)) {
        point.input.options[name] = whole_number(key.c_str());
      }
    }
  }

  std::uint64_t option_value(const CodecOption& option, const std::string& key, const Json& value,
                             const Point& point) const {
    if (!option.names.empty()) {
      const auto name = std::ranges::find_if(option.names, [&](const auto& text) { return value == text; });
      if (name == option.names.end()) {
        fail("'" + key + "' must be " +
             choice_of(std::vector<std::string>(option.names.begin(), option.names.end())));
      }
      return static_cast<std::uint64_t>(name - option.names.begin());
    }
    const std::uint64_t number = value == "recommended" ? recommended(key, point) : whole_number(key.c_str());
    const bool is_allowed = option.values.empty()
                                ? number >= option.least && number <= option.most
                                : std::ranges::find(option.values, number) != option.values.end();
    if (!is_allowed) fail("'" + key + "' is " + std::to_string(number) + ", allowed are " + range_of(option));
    return number;
  }

  static std::string range_of(const CodecOption& option) {
    if (option.values.empty()) return std::to_string(option.least) + " to " + std::to_string(option.most);
    std::vector<std::string> numbers;
    for (const std::uint64_t value : option.values) numbers.push_back(std::to_string(value));
    return choice_of(numbers);
  }

  // What the codec is told besides block and options.
  void read_settings(Input& input) const {
    if (entry_.contains("level")) {
      const unsigned most = reference::codec_of(input.format).traits().max_level;
      const Json& level = entry_["level"];
      if (most == 0) {
        fail("'level': format " + std::string(format::block_format_name(input.format)) + " has none");
      }
      if (!level.is_number_unsigned() || level < 1u || level > most) {
        fail("'level' is out of range, which is 1 to " + std::to_string(most));
      }
      input.level = level;
    }
    if (entry_.contains("checksum")) input.checksum = checksum_kind(entry_["checksum"]);
    reference::codec_of(input.format).check(encode_settings(input, 1));
  }

  format::ChecksumKind checksum_kind(const Json& name) const {
    std::vector<std::string> names;
    for (const format::ChecksumKind kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
      names.emplace_back(format::checksum_kind_name(kind));
      if (name == names.back()) return kind;
    }
    fail("'checksum' must be " + choice_of(names));
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
    constexpr std::array<std::string_view, 5> keys = {"blocks", "block_bytes", "level", "checksum", "graph"};
    const stage::Description& description = point.stage->description;
    point.input.format = description.format;
    stage::check_parameters(description, point.parameters);
    read_options(point, keys);
    read_settings(point.input);
    point.graph = flag("graph");
    if (entry_.contains("blocks") == entry_.contains("block_bytes")) {
      fail("either 'blocks' or 'block_bytes' must be there");
    }
    if (entry_.contains("blocks")) {
      point.input.blocks = block_count(point);
    } else {
      point.input.block_bytes = block_bytes();
    }
  }

  void read_encoder(Point& point) const {
    constexpr std::array<std::string_view, 2> keys = {"format", "block_bytes"};
    const stage::EncodePlans& plans = *point.stage->encode.begin()->second;
    point.input.format = format_to_write(plans, keys);
    point.input.block_bytes = block_bytes();
    read_options(point, keys, plans.options());
    static_cast<void>(plans.describe(input_to_encode(point, 0)));
  }

  format::BlockFormat format_to_write(const stage::EncodePlans& plans,
                                      std::span<const std::string_view> keys) const {
    if (entry_.contains("format")) return named_format(plans.formats());
    for (const format::BlockFormat format : plans.formats()) {
      const auto items = entry_.items();
      const bool has_all = std::all_of(items.begin(), items.end(), [&](const auto& item) {
        return is_of_all(item.key()) || contains(keys, item.key()) ||
               is_option(format, plans.options(), item.key(), item.value());
      });
      if (has_all) return format;
    }
    return plans.formats().front();
  }

  void read_ranges(Point& point) const {
    constexpr std::array<std::string_view, 5> keys = {"format", "level", "checksum", "on_cpu", "ranges"};
    std::vector<format::BlockFormat> formats;
    for (const format::Format& format : format::registered_formats()) {
      if (stage::handles_format(*point.stage, format.id)) formats.push_back(format.id);
    }
    point.input.format = named_format(formats);
    stage::check_parameters(point.stage->description, point.parameters);
    read_options(point, keys);
    read_settings(point.input);
    point.on_cpu = flag("on_cpu");
    point.ranges = wanted_ranges();
  }

  // The value of `format`, which must be one of `formats`.
  format::BlockFormat named_format(std::span<const format::BlockFormat> formats) const {
    std::vector<std::string> names;
    for (const format::BlockFormat format : formats) {
      names.emplace_back(format::block_format_name(format));
      if (entry_.value("format", Json()) == names.back()) return format;
    }
    fail("'format' must be " + choice_of(names));
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

  std::uint64_t whole_number(const char* key) const {
    if (!entry_.contains(key)) fail("'" + std::string(key) + "' is missing");
    if (!entry_[key].is_number_unsigned()) fail("'" + std::string(key) + "' must be a whole number");
    return entry_[key];
  }

  std::uint64_t block_bytes() const {
    const std::uint64_t bytes = whole_number("block_bytes");
    if (bytes == 0) fail("'block_bytes' is 0");
    return bytes;
  }

  bool flag(const char* key) const {
    if (!entry_.contains(key)) return false;
    if (!entry_[key].is_boolean()) fail("'" + std::string(key) + "' must be true or false");
    return entry_[key];
  }

  std::uint64_t recommended(const std::string& key, const Point& point) const {
    const auto numbers = recommended_by(point);
    const auto number = numbers.find(key);
    if (number == numbers.end()) fail("'" + key + "': the stage recommends nothing");
    return number->second;
  }

  std::uint64_t block_count(const Point& point) const {
    const Json& value = entry_["blocks"];
    std::uint64_t number = 0;
    if (value.is_number_unsigned()) {
      number = value;
    } else if (value == "recommended") {
      number = recommended("blocks", point);
    } else if (value.is_string()) {
      number = count_per_multiprocessor(value, "blocks");
    } else {
      fail("'blocks' must be a number, \"<number> per SM\" or \"recommended\"");
    }
    if (number == 0 || number > format::max_block_count) {
      fail("'blocks' is " + std::to_string(number) + ", allowed are 1 to " +
           std::to_string(format::max_block_count));
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
  if (point.stage->description.operation != stage::Operation::decode) {
    json["format"] = format::block_format_name(input.format);
  }
  if (input.blocks != 0) json["blocks"] = input.blocks;
  if (input.block_bytes != 0) json["block_bytes"] = input.block_bytes;
  for (const auto& [name, value] : input.options) {
    const CodecOption* const option = find_option(input.format, name);
    const bool is_named = option != nullptr && !option->names.empty();
    json[key_of_option(name)] = is_named ? Json(option->names[value]) : Json(value);
  }
  if (input.level != Input().level) json["level"] = input.level;
  if (input.checksum) json["checksum"] = format::checksum_kind_name(*input.checksum);
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

format::EncodeSettings encode_settings(const Input& input, std::uint64_t text_bytes) {
  format::EncodeSettings settings = {
      .level = input.level, .checksum_kind = input.checksum, .options = input.options};
  if (input.blocks != 0) {
    settings.block_bytes = format::part_size(text_bytes, input.blocks);
  } else if (input.block_bytes != 0) {
    settings.block_bytes = input.block_bytes;
  }
  return settings;
}

std::vector<std::uint8_t> make_frame(const Input& input, std::span<const std::uint8_t> text) {
  return reference::encode_file(reference::codec_of(input.format), text, encode_settings(input, text.size()));
}

stage::InputToEncode input_to_encode(const Point& point, std::uint64_t input_bytes) {
  return {.format = point.input.format,
          .input_bytes = input_bytes,
          .block_bytes = point.input.block_bytes,
          .options = point.input.options,
          .parameters = point.parameters};
}

Json decode_parameters(const Point& point, std::uint64_t blocks, std::uint32_t splits) {
  Json parameters = stage_parameters(point);
  parameters["blocks"] = blocks;
  parameters[splits_key] = splits;
  return parameters;
}

Json encode_parameters(const Point& point) {
  Json parameters = stage_parameters(point);
  parameters["block_bytes"] = point.input.block_bytes;
  const stage::EncodePlans& plans = *point.stage->encode.begin()->second;
  for (const auto& [name, number] : plans.describe(input_to_encode(point, 0))) parameters[name] = number;
  return parameters;
}

}  // namespace gsst::experiments
