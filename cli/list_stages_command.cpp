#include "cli/list_stages_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/summary.hpp"
#include "common/encode_stage/registry.hpp"
#include "common/format/block.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string compute_capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

Json parameter_json(const stage::Parameter& parameter) {
  return {{"name", parameter.name},
          {"description", parameter.description},
          {"values", parameter.values},
          {"default", parameter.default_value},
          {"compile_time", parameter.compile_time}};
}

// How the GPU of this machine wants its input to be cut; null where there is none or the stage does not say.
Json recommended_json(const stage::RegisteredStage& stage) {
  const auto recommend = stage.recommend.find(stage::Executor::gpu);
  if (recommend == stage.recommend.end() || !stage::is_available(stage::Executor::gpu)) return nullptr;
  const stage::BlocksAndSplits cut = recommend->second({});
  return {{"blocks", cut.blocks}, {"splits", cut.splits}};
}

Json description_json(const stage::Description& description) {
  Json parameters = Json::array();
  for (const stage::Parameter& parameter : description.parameters)
    parameters.push_back(parameter_json(parameter));
  return {{"id", description.id},
          {"base", description.base},
          {"title", description.title},
          {"section", description.section},
          {"format", format::block_format_name(description.format)},
          {"operation", description.operation == stage::Operation::decode ? "decode" : "encode"},
          {"minimum_compute_capability", compute_capability_text(description.minimum_compute_capability)},
          {"parameters", parameters}};
}

// The devices that `functions`, by executor, has something for.
template <typename Functions>
Json devices_json(const Functions& functions) {
  Json devices = Json::array();
  if (functions.contains(stage::Executor::simt)) devices.push_back("simt");
  if (functions.contains(stage::Executor::gpu)) devices.push_back("gpu");
  return devices;
}

// Decoders and encoders, by rising id.
std::vector<Json> all_stages() {
  std::vector<Json> stages;
  for (const stage::RegisteredStage& stage : stage::registered_stages()) {
    Json json = description_json(stage.description);
    json["devices"] = devices_json(stage.decode);
    json["recommended"] = recommended_json(stage);
    stages.push_back(json);
  }
  for (const stage::RegisteredEncoder& stage : stage::registered_encoders()) {
    Json json = description_json(stage.description);
    json["devices"] = devices_json(stage.encoders);
    json["recommended"] = nullptr;
    stages.push_back(json);
  }
  std::ranges::sort(stages, {}, [](const Json& stage) { return stage.at("id").get<std::string>(); });
  return stages;
}

}  // namespace

std::string list_stages(bool json) {
  const std::vector<Json> stages = all_stages();
  if (json) return json_text(stages);
  std::string text;
  for (const Json& stage : stages) {
    text += stage.at("id").get<std::string>() + "  " + stage.at("title").get<std::string>() + " (" +
            (stage.at("operation") == "decode" ? "thesis " : "") + stage.at("section").get<std::string>() +
            ")\n";
  }
  return text;
}

}  // namespace gsst::cli
