#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/stage/plans_of_stage.hpp"
#include "common/stage/stage.hpp"

namespace gsst::stage {

/// What a stage that encodes registers: common/stage/encode_plans.hpp.
struct EncodePlans;

/// A stage as it is registered for one operation: what it is, and what makes its plans on each executor that
/// this program was built with. The maps of other operations are empty.
struct RegisteredStage {
  Description description;
  std::map<Executor, DecodePlans> decode;
  /// Never nullptr.
  std::map<Executor, const EncodePlans*> encode;
  std::map<Executor, RangesPlans> ranges;
  std::map<Executor, QueryPlans> query;
};

/// All stages of that operation, by rising id.
const std::vector<RegisteredStage>& registered_stages(Operation operation);

/// The stage of that id that is registered for `operation`, or nullptr.
const RegisteredStage* find_stage(std::string_view id, Operation operation);

/// Whether the stage is registered for `executor`.
bool is_registered_for(const RegisteredStage& stage, Executor executor);

/// Whether the stage does its operation with `format` on some executor: decodes it, encodes files of it,
/// decodes ranges of it, answers questions about it.
bool handles_format(const RegisteredStage& stage, format::BlockFormat format);

/// Registers a stage for its description's operation when the program starts: one object of this type in each
/// stage's stage.cu. Throws std::logic_error if it is registered for `executor` already, or if its
/// description says another operation than the plans are for. An encoder's plans must live as long as the
/// program.
class Registration {
public:
  Registration(Executor executor, const Description& description, const DecodePlans& plans);
  Registration(Executor executor, const Description& description, const EncodePlans* plans);
  Registration(Executor executor, const Description& description, const RangesPlans& plans);
  Registration(Executor executor, const Description& description, const QueryPlans& plans);
};

}  // namespace gsst::stage
