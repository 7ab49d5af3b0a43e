#include "common/stage/registry.hpp"
#include "stages/zero_length/05_cuda_scan/host_decode.cuh"
#include "stages/zero_length/05_cuda_scan/host_encode_registration.cuh"

namespace gsst::zero_length::decoder {
namespace {

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode, scratch_bytes));

}  // namespace
}  // namespace gsst::zero_length::decoder
