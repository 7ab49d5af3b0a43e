#include "stages/stage_case.hpp"

#include <algorithm>

namespace gsst::stage {

std::string case_name(const testing::TestParamInfo<StageCase>& parameter) {
  std::string name = parameter.param.stage + (parameter.param.executor == Executor::gpu ? "_gpu" : "_simt");
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void shorten_for_simt(Executor executor, std::vector<std::uint8_t>& input, std::size_t bytes) {
  if (executor == Executor::simt) input.resize(std::min(input.size(), bytes));
}

}  // namespace gsst::stage
