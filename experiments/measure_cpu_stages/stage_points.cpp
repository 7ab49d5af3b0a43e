#include "experiments/measure_cpu_stages/stage_points.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/format/formats.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* operation_key = "operation";
constexpr const char* format_key = "format";
constexpr const char* where_offered_key = "where_offered";

stage::Operation operation_of(const Json& entry, const std::string& place) {
  for (const stage::Operation operation : {stage::Operation::encode, stage::Operation::decode}) {
    if (entry.is_object() && entry.value(operation_key, Json()) == stage::operation_name(operation)) {
      return operation;
    }
  }
  throw InputError(place + ": 'operation' must be encode or decode");
}

// Nothing where the stage has the parameter's value here, or where somebody else says what is wrong with it.
std::optional<std::string> value_not_offered(const Json& entry, stage::Operation operation) {
  const stage::RegisteredStage* const stage =
      stage::find_stage(entry.value("stage", std::string()), operation);
  if (stage == nullptr) return std::nullopt;
  const auto values = entry.value("parameters", stage::ParameterValues());
  for (const std::string& name : entry.value(where_offered_key, std::vector<std::string>())) {
    const auto parameter = std::ranges::find(stage->description.parameters, name, &stage::Parameter::name);
    const auto value = values.find(name);
    if (parameter == stage->description.parameters.end() || value == values.end()) continue;
    if (std::ranges::find(parameter->values, value->second) == parameter->values.end()) {
      return stage->description.id + ", " + parameter->name + " " + std::to_string(value->second);
    }
  }
  return std::nullopt;
}

bool runs_on_host(const stage::RegisteredStage& stage) {
  return stage.decode.contains(stage::Executor::cpu) || stage.encode.contains(stage::Executor::cpu);
}

// The format that the point names, if it names one.
std::optional<std::string> take_format(Json& entry) {
  if (!entry.contains(format_key)) return std::nullopt;
  const auto name = entry[format_key].get<std::string>();
  entry.erase(format_key);
  return name;
}

// A decoder's point may say that it decodes the blocks of bare files; elsewhere it reads its stage's format.
format::BlockFormat format_to_decode(const std::string& name, const stage::RegisteredStage& stage,
                                     const std::string& place) {
  const format::BlockFormat own = stage.description.format;
  const bool reads_bare = own == format::zero_length::frame_format;
  const auto format = format::block_format_from_name(name);
  if (format == own || (reads_bare && format == format::zero_length::bare_format)) return *format;
  throw InputError(place + ": 'format' must be " + (reads_bare ? "zle_bare or " : "") +
                   std::string(format::block_format_name(own)) + " where " + stage.description.id +
                   " decodes");
}

StagePoint read_point(Json entry, stage::Operation operation, const std::string& place) {
  entry.erase(operation_key);
  entry.erase(where_offered_key);
  const bool decodes = operation == stage::Operation::decode;
  const auto name = decodes ? take_format(entry) : std::nullopt;
  PointList list = parse_points(
      Json::array({entry}), {.kind = "cpu_stages", .operations = {operation}, .multiprocessors = 1}, place);
  Point point = std::move(list.points.front());
  if (!runs_on_host(*point.stage))
    throw InputError(place + ": " + point.id + " does not run on executor cpu");
  if (name) point.input.format = format_to_decode(*name, *point.stage, place);
  return {.operation = operation, .point = std::move(point)};
}

}  // namespace

std::string StagePoint::stage_id() const {
  return is_vectorised_by_compiler() ? point.id
                                     : point.id.substr(0, point.id.size() - unvectorised_suffix.size());
}

bool StagePoint::is_vectorised_by_compiler() const {
  return !point.id.ends_with(unvectorised_suffix);
}

StagePoints read_stage_points(const std::filesystem::path& path) {
  const Json document = read_document(path);
  const Json entries = document.is_object() ? document.value("points", Json()) : Json();
  if (document.is_object() && document.contains("files") && !document.contains("points")) return {};
  if (!entries.is_array() || entries.empty()) throw InputError(path.string() + ": holds no list of points");
  StagePoints read;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string place = path.string() + ": point " + std::to_string(i + 1);
    try {
      const stage::Operation operation = operation_of(entries[i], place);
      if (const auto missing = value_not_offered(entries[i], operation)) {
        read.left_out.push_back(*missing);
      } else {
        read.points.push_back(read_point(entries[i], operation, place));
      }
    } catch (const std::invalid_argument& error) {
      throw InputError(place + ": " + error.what());
    } catch (const Json::exception& error) {
      throw InputError(place + ": " + error.what());
    }
  }
  // Each compressed form is made once, and only one is kept.
  std::ranges::stable_sort(read.points, {}, [](const StagePoint& each) {
    return std::pair(each.point.input.format, each.point.input.block_bytes);
  });
  return read;
}

}  // namespace gsst::experiments
