#include "cli/list_stages_command.hpp"

#include <nlohmann/json.hpp>

#include "cli/summary.hpp"

namespace gsst::cli {

std::string list_stages(bool json) {
  return json ? json_text(nlohmann::ordered_json::array())
              : "This build has no stages: it compresses and decompresses on the CPU.\n";
}

}  // namespace gsst::cli
