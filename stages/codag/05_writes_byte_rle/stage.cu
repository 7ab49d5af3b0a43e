#include "stages/codag/05_writes_byte_rle/description.hpp"

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"

namespace gsst::codag::warp_of_bytes {
namespace {

const stage::Registration registration(stage::this_executor, description,
                                       stage::DecodePlans{.make = [](const stage::DecodeSubject& subject) {
                                         return stage::find_stage(kernels_of, stage::Operation::decode)
                                             ->decode.at(stage::this_executor)
                                             .make(subject);
                                       }});

}  // namespace
}  // namespace gsst::codag::warp_of_bytes
