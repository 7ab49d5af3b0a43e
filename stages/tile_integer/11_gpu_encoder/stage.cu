#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/11_gpu_encoder/host_encode.cuh"

namespace gsst::tile_integer::encoder {
namespace {

const Encoder functions = {.scratch_bytes = scratch_bytes, .phases = phases};
const KernelEncodePlans plans(stage::this_executor, description, functions);
const stage::Registration registration(stage::this_executor, description, &plans);

}  // namespace
}  // namespace gsst::tile_integer::encoder
