#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/stage/stage.hpp"

namespace gsst::stage {

/// How a stage encodes: common/encode_stage/encode_stage.hpp.
struct Encoder;

/// A stage as it is registered for one operation: what it is, and how it runs on each executor that this
/// program was built with.
struct RegisteredStage {
  Description description;
  /// Empty for Operation::encode.
  std::map<Executor, DecodeFunction> decode;
  /// Empty where the stage recommends nothing, and for Operation::encode.
  std::map<Executor, RecommendFunction> recommend;
  /// Empty for Operation::decode. Never nullptr.
  std::map<Executor, const Encoder*> encoders;
};

/// All stages of that operation, by rising id.
const std::vector<RegisteredStage>& registered_stages(Operation operation);

/// The stage of that id that is registered for `operation`, or nullptr.
const RegisteredStage* find_stage(std::string_view id, Operation operation);

/// Whether the stage is registered for `executor`.
bool is_registered_for(const RegisteredStage& stage, Executor executor);

/// Registers a stage for its description's operation when the program starts: one object of this type in each
/// stage's stage.cu.
class Registration {
public:
  /// Registers a decoder. Throws std::logic_error if it is registered for `executor` already, or if its
  /// description says another operation. `recommend` may be nullptr.
  Registration(Executor executor, const Description& description, DecodeFunction decode,
               RecommendFunction recommend = nullptr);

  /// Registers an encoder, which must live as long as the program. Throws std::logic_error as above.
  Registration(Executor executor, const Description& description, const Encoder* encoder);
};

}  // namespace gsst::stage
