#include "cli/list_stages_command.hpp"

#include <nlohmann/json.hpp>

#include "cli/summary.hpp"
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

Json stage_json(const stage::RegisteredStage& stage) {
  const stage::Description& description = stage.description;
  Json parameters = Json::array();
  for (const stage::Parameter& parameter : description.parameters)
    parameters.push_back(parameter_json(parameter));
  Json devices = Json::array();
  if (stage.decode.contains(stage::Executor::simt)) devices.push_back("simt");
  if (stage.decode.contains(stage::Executor::gpu)) devices.push_back("gpu");
  return {{"id", description.id},
          {"base", description.base},
          {"title", description.title},
          {"section", description.section},
          {"format", format::block_format_name(description.format)},
          {"operation", description.operation == stage::Operation::decode ? "decode" : "encode"},
          {"minimum_compute_capability", compute_capability_text(description.minimum_compute_capability)},
          {"devices", devices},
          {"parameters", parameters},
          {"recommended", recommended_json(stage)}};
}

}  // namespace

std::string list_stages(bool json) {
  if (json) {
    Json list = Json::array();
    for (const stage::RegisteredStage& stage : stage::registered_stages()) list.push_back(stage_json(stage));
    return json_text(list);
  }
  std::string text;
  for (const stage::RegisteredStage& stage : stage::registered_stages()) {
    text += stage.description.id + "  " + stage.description.title + " (thesis " + stage.description.section +
            ")\n";
  }
  return text;
}

}  // namespace gsst::cli
