#pragma once

#include "common/stage/registry.hpp"
#include "stages/zero_length/04_cuda_runs/host_encode.cuh"

namespace gsst::zero_length::encoder {
namespace {

const Encoder encoder = {.scratch_bytes = scratch_bytes, .phases = phases};
const KernelEncodePlans plans(stage::this_executor, description, encoder);
const stage::Registration registration(stage::this_executor, description, &plans);

}  // namespace
}  // namespace gsst::zero_length::encoder
