#include "stages/gsst/encode/encode_plans.hpp"

#include <stdexcept>
#include <string>

#include "stages/gsst/encode/encode_plan.hpp"

namespace gsst::stage {

GsstEncodePlans::GsstEncodePlans(Executor executor, const Description& description, const Encoder& encoder)
    : executor_(executor), description_(description), encoder_(encoder), formats_{description.format} {
  if (encoder.load_tile_table != nullptr) formats_.push_back(format::BlockFormat::tiles);
}

std::unique_ptr<Plan> GsstEncodePlans::make(const EncodeSubject& subject) const {
  check_subject(description_, encoder_, subject);
  return std::make_unique<EncodePlan>(encoder_, subject);
}

std::vector<format::SymbolTable> GsstEncodePlans::tables(const EncodeSettings& settings,
                                                         std::span<const Given> given, Stream stream) const {
  return encoder_.tables(EncodePlan::request_in(settings, given, stream));
}

const GsstEncodePlans& gsst_encode_plans(const RegisteredStage& stage, Executor executor) {
  const auto registered = stage.encode.find(executor);
  const auto* const plans =
      registered == stage.encode.end() ? nullptr : dynamic_cast<const GsstEncodePlans*>(registered->second);
  if (plans != nullptr) return *plans;
  throw std::invalid_argument("stage " + stage.description.id +
                              ": is no encoder of series gsst on executor " +
                              std::string(executor_name(executor)));
}

}  // namespace gsst::stage
