#include <memory>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/07_automaton/host_automaton.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/07_automaton",
    .base = "search/02_byte_automaton_on_codes",
    .title = "Any automaton of up to 63 states, in rows that do not meet in one bank",
    .section = "search",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 90,
    .parameters = {warps_parameter},
};

const stage::QueryPlans plans = {
    .reads = [](format::BlockFormat format) { return format == format::BlockFormat::tiles; },
    .make = [](const stage::QuerySubject& subject) -> std::unique_ptr<stage::Plan> {
      return std::make_unique<AutomatonPlan>(description, subject);
    }};

const stage::Registration registration(stage::this_executor, description, plans);

}  // namespace
}  // namespace gsst::search::kernels
