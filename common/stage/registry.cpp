#include "common/stage/registry.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "common/stage/encode_plans.hpp"

namespace gsst::stage {
namespace {

// By operation. Made at first use, since registrations of other files may run before this file's objects
// exist.
std::vector<RegisteredStage>& stages(Operation operation) {
  static std::array<std::vector<RegisteredStage>, operations.size()> all;
  return all[static_cast<std::size_t>(operation)];
}

// Where `id` is, or where it belongs.
auto find_place(std::vector<RegisteredStage>& sorted, std::string_view id) {
  return std::ranges::lower_bound(
      sorted, id, {}, [](const RegisteredStage& stage) { return std::string_view(stage.description.id); });
}

// The stage of that description, which is registered with it if it is not there yet.
RegisteredStage& find_or_add(const Description& description, Operation operation) {
  if (description.operation != operation) {
    throw std::logic_error("stage " + description.id +
                           ": its description says another operation than it is registered for");
  }
  const auto place = find_place(stages(operation), description.id);
  if (place != stages(operation).end() && place->description.id == description.id) return *place;
  return *stages(operation).insert(
      place, {.description = description, .decode = {}, .encode = {}, .ranges = {}, .query = {}});
}

template <typename Plans>
void add(const Description& description, std::map<Executor, Plans>& registered, Executor executor,
         const Plans& plans) {
  if (!registered.emplace(executor, plans).second) {
    throw std::logic_error("stage " + description.id + " is registered twice");
  }
}

const Parameter& find_parameter(const Description& stage, const std::string& name) {
  const auto found = std::find_if(stage.parameters.begin(), stage.parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.name == name; });
  if (found == stage.parameters.end()) {
    throw std::invalid_argument("stage " + stage.id + " has no parameter '" + name + "'");
  }
  return *found;
}

void check_value(const Description& stage, const Parameter& parameter, std::int64_t value) {
  const std::vector<std::int64_t>& allowed = parameter.values;
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  std::string message = "stage " + stage.id + ": parameter '" + parameter.name + "' is ";
  message.append(std::to_string(value)).append(", allowed are");
  for (const std::int64_t choice : allowed) message.append(" ").append(std::to_string(choice));
  throw std::invalid_argument(message);
}

}  // namespace

const std::vector<RegisteredStage>& registered_stages(Operation operation) {
  return stages(operation);
}

const RegisteredStage* find_stage(std::string_view id, Operation operation) {
  const auto place = find_place(stages(operation), id);
  return place == stages(operation).end() || place->description.id != id ? nullptr : &*place;
}

bool is_registered_for(const RegisteredStage& stage, Executor executor) {
  return stage.decode.contains(executor) || stage.encode.contains(executor) ||
         stage.ranges.contains(executor) || stage.query.contains(executor);
}

bool handles_format(const RegisteredStage& stage, format::BlockFormat format) {
  const auto writes = [&](const auto& registered) {
    const std::span<const format::BlockFormat> formats = registered.second->formats();
    return std::ranges::find(formats, format) != formats.end();
  };
  const auto decodes = [&](const auto& registered) { return registered.second.decodes(format); };
  const auto reads = [&](const auto& registered) { return registered.second.reads(format); };
  return (!stage.decode.empty() && stage.description.format == format) ||
         std::ranges::any_of(stage.encode, writes) || std::ranges::any_of(stage.ranges, decodes) ||
         std::ranges::any_of(stage.query, reads);
}

Registration::Registration(Executor executor, const Description& description, const DecodePlans& plans) {
  add(description, find_or_add(description, Operation::decode).decode, executor, plans);
}

Registration::Registration(Executor executor, const Description& description, const EncodePlans* plans) {
  add(description, find_or_add(description, Operation::encode).encode, executor, plans);
}

Registration::Registration(Executor executor, const Description& description, const RangesPlans& plans) {
  add(description, find_or_add(description, Operation::ranges).ranges, executor, plans);
}

Registration::Registration(Executor executor, const Description& description, const QueryPlans& plans) {
  add(description, find_or_add(description, Operation::query).query, executor, plans);
}

std::string_view executor_name(Executor executor) {
  constexpr std::array<std::string_view, executors.size()> names = {"cpu", "simt", "gpu"};
  return names[static_cast<std::size_t>(executor)];
}

std::string_view operation_name(Operation operation) {
  constexpr std::array<std::string_view, operations.size()> names = {"decode", "encode", "ranges", "query"};
  return names[static_cast<std::size_t>(operation)];
}

std::int64_t parameter_value(const Description& stage, const ParameterValues& values,
                             const std::string& name) {
  const Parameter& parameter = find_parameter(stage, name);
  const auto value = values.find(name);
  return value == values.end() ? parameter.default_value : value->second;
}

void check_parameters(const Description& stage, const ParameterValues& values) {
  for (const auto& [name, value] : values) check_value(stage, find_parameter(stage, name), value);
}

}  // namespace gsst::stage
