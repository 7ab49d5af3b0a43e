#include "cli/list_stages_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/summary.hpp"
#include "common/format/formats.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::cli {
namespace {

using Json = nlohmann::ordered_json;

// Null for a stage without a kernel.
Json compute_capability_json(int capability) {
  if (capability == 0) return nullptr;
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

Json parameter_json(const stage::Parameter& parameter) {
  return {{"name", parameter.name},
          {"description", parameter.description},
          {"values", parameter.values},
          {"default", parameter.default_value},
          {"compile_time", parameter.compile_time}};
}

// All that the stage does its operation with; the description names one of them.
Json formats_json(const stage::RegisteredStage& stage) {
  Json formats = Json::array();
  for (const format::Format& format : format::registered_formats()) {
    if (handles_format(stage, format.id)) formats.push_back(format.name);
  }
  return formats;
}

// How the GPU of this machine wants its input to be cut; null where there is none or the stage does not say.
Json recommended_json(const stage::RegisteredStage& stage) {
  const auto plans = stage.decode.find(stage::Executor::gpu);
  if (plans == stage.decode.end() || plans->second.recommend == nullptr ||
      !stage::is_available(stage::Executor::gpu)) {
    return nullptr;
  }
  const stage::BlocksAndSplits cut = plans->second.recommend({});
  return {{"blocks", cut.blocks}, {"splits", cut.splits}};
}

Json description_json(const stage::RegisteredStage& stage) {
  const stage::Description& description = stage.description;
  Json parameters = Json::array();
  for (const stage::Parameter& parameter : description.parameters)
    parameters.push_back(parameter_json(parameter));
  return {{"id", description.id},
          {"base", description.base},
          {"title", description.title},
          {"section", description.section},
          {"format", format::block_format_name(description.format)},
          {"formats", formats_json(stage)},
          {"operation", stage::operation_name(description.operation)},
          {"minimum_compute_capability", compute_capability_json(description.minimum_compute_capability)},
          {"parameters", parameters}};
}

Json devices_json(const stage::RegisteredStage& stage) {
  Json devices = Json::array();
  for (const stage::Executor executor : stage::executors) {
    if (is_registered_for(stage, executor)) devices.push_back(executor_name(executor));
  }
  return devices;
}

// The formats that the stage is the default of, each with the devices.
Json defaults_json(const stage::Description& description) {
  Json defaults = Json::object();
  for (const stage::DefaultStage& line : stage::default_stages()) {
    if (line.stage != description.id || line.operation != description.operation) continue;
    defaults[std::string(line.format)].push_back(executor_name(line.executor));
  }
  return defaults;
}

// By rising id, then by operation.
std::vector<Json> all_stages() {
  std::vector<Json> stages;
  for (const stage::Operation operation : stage::operations) {
    for (const stage::RegisteredStage& stage : stage::registered_stages(operation)) {
      Json json = description_json(stage);
      json["devices"] = devices_json(stage);
      json["default_for"] = defaults_json(stage.description);
      json["recommended"] = recommended_json(stage);
      stages.push_back(json);
    }
  }
  std::ranges::sort(stages, {}, [](const Json& stage) {
    return std::pair(stage.at("id").get<std::string>(), stage.at("operation").get<std::string>());
  });
  return stages;
}

// A number by itself is of the thesis; sections of others name what they are of.
std::string section_text(const std::string& section) {
  const bool is_number = !section.empty() && section.front() >= '0' && section.front() <= '9';
  return (is_number ? "thesis " : "") + section;
}

// What a line says of the formats that the stage is the default of, with the device where it is one of them.
std::string defaults_text(const Json& stage) {
  std::string text;
  for (const auto& [format, devices] : stage.at("default_for").items()) {
    text += (text.empty() ? ", default for " : " and ") + format;
    if (devices.size() < stage.at("devices").size()) text += " on " + devices.front().get<std::string>();
  }
  return text;
}

}  // namespace

std::string list_stages(bool json) {
  const std::vector<Json> stages = all_stages();
  if (json) return json_text(stages);
  std::string text;
  for (const Json& stage : stages) {
    text += stage.at("id").get<std::string>() + "  " + stage.at("title").get<std::string>() + " (" +
            section_text(stage.at("section").get<std::string>()) + ")" + defaults_text(stage) + "\n";
  }
  return text;
}

}  // namespace gsst::cli
