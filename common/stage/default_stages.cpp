#include "common/stage/default_stages.hpp"

#include <algorithm>

#include "common/format/formats.hpp"

namespace gsst::stage {

const RegisteredStage* default_stage(format::BlockFormat format, Operation operation, Executor executor) {
  const std::span<const DefaultStage> defaults = default_stages();
  const auto found = std::ranges::find_if(defaults, [&](const DefaultStage& line) {
    return line.format == format::block_format_name(format) && line.operation == operation &&
           line.executor == executor;
  });
  return found == defaults.end() ? nullptr : find_stage(found->stage, operation);
}

}  // namespace gsst::stage
