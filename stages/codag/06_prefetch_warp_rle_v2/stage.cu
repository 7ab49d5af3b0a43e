#include "stages/codag/06_prefetch_warp_rle_v2/description.hpp"

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"

namespace gsst::codag::pair_of_v2 {
namespace {

const stage::Registration registration(stage::this_executor, description,
                                       stage::DecodePlans{.make = [](const stage::DecodeSubject& subject) {
                                         return stage::find_stage(kernels_of, stage::Operation::decode)
                                             ->decode.at(stage::this_executor)
                                             .make(subject);
                                       }});

}  // namespace
}  // namespace gsst::codag::pair_of_v2
