#include "common/stage/registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace gsst::stage {
namespace {

// Made at first use, since registrations of other files may run before this file's objects exist.
std::vector<RegisteredStage>& stages() {
  static std::vector<RegisteredStage> all;
  return all;
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

const std::vector<RegisteredStage>& registered_stages() {
  return stages();
}

const RegisteredStage* find_stage(std::string_view id) {
  const auto found = std::find_if(stages().begin(), stages().end(),
                                  [&](const RegisteredStage& stage) { return stage.description.id == id; });
  return found == stages().end() ? nullptr : &*found;
}

Registration::Registration(Executor executor, const Description& description, DecodeFunction decode,
                           RecommendFunction recommend) {
  auto place = std::lower_bound(
      stages().begin(), stages().end(), description.id,
      [](const RegisteredStage& stage, const std::string& id) { return stage.description.id < id; });
  if (place == stages().end() || place->description.id != description.id) {
    place = stages().insert(place, {.description = description, .decode = {}, .recommend = {}});
  }
  if (!place->decode.emplace(executor, decode).second) {
    throw std::logic_error("stage " + description.id + " is registered twice");
  }
  if (recommend != nullptr) place->recommend.emplace(executor, recommend);
}

std::size_t scratch_bytes(const Description& stage, const FrameOnDevice& frame) {
  return stage.scratch_bytes == nullptr ? 0 : stage.scratch_bytes(frame);
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
