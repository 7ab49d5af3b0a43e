#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/stage/stage.hpp"

/// With which parameters the tests of this series run a stage.
namespace gsst::zero_length::test {

/// Each value of parameter `name` up to `most`, and no other parameter; only the defaults where the stage has
/// none of that name.
inline std::vector<stage::ParameterValues> values_of(const stage::Description& stage, const std::string& name,
                                                     std::int64_t most) {
  for (const stage::Parameter& parameter : stage.parameters) {
    if (parameter.name != name) continue;
    std::vector<stage::ParameterValues> choices;
    for (const std::int64_t value : parameter.values) {
      if (value <= most) choices.push_back({{name, value}});
    }
    return choices;
  }
  return {{}};
}

/// Each instruction set that this processor has, where the stage has several.
inline std::vector<stage::ParameterValues> instruction_choices(const stage::Description& stage) {
  return values_of(stage, "vector_bytes", 64);
}

/// One thread to four, where the stage has several.
inline std::vector<stage::ParameterValues> thread_choices(const stage::Description& stage) {
  return values_of(stage, "threads", 4);
}

}  // namespace gsst::zero_length::test
