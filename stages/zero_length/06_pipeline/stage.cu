#include "common/stage/kernels_on.hpp"
#include "common/stage/registry.hpp"
#include "stages/zero_length/06_pipeline/host_decode.cuh"
#include "stages/zero_length/06_pipeline/host_encode_batches.cuh"
#include "stages/zero_length/06_pipeline/host_encode_file.cuh"
#include "stages/zero_length/06_pipeline/host_encode_memory.cuh"

namespace gsst::zero_length::host_to_host {
namespace {

const PipelinePlans plans;
const stage::Registration registration(stage::this_executor, description, &plans);
const stage::KernelsOn<HostToHost> in_memory(stage::this_executor, {.stage = description.id,
                                                                    .shape = batch_shape,
                                                                    .make_encoder = make_encoder,
                                                                    .make_batch_encoder = make_batch_encoder,
                                                                    .make_decoder = make_decoder});

}  // namespace
}  // namespace gsst::zero_length::host_to_host
