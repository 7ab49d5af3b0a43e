#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/stage/stage.hpp"

namespace gsst::stage {

/// A registered stage: what it is, and how it runs on each executor that this program was built with.
struct RegisteredStage {
  Description description;
  std::map<Executor, DecodeFunction> decode;
  /// Empty where the stage recommends nothing.
  std::map<Executor, RecommendFunction> recommend;
};

/// All stages, by rising id.
const std::vector<RegisteredStage>& registered_stages();

/// The stage of that id, or nullptr.
const RegisteredStage* find_stage(std::string_view id);

/// Registers a stage when the program starts: one object of this type in each stage's stage.cu.
class Registration {
public:
  /// Throws std::logic_error if the stage is registered for `executor` already. `recommend` may be nullptr.
  Registration(Executor executor, const Description& description, DecodeFunction decode,
               RecommendFunction recommend = nullptr);
};

}  // namespace gsst::stage
