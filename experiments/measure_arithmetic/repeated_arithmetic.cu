#include "experiments/measure_arithmetic/repeated_arithmetic.hpp"

#include <algorithm>
#include <cstdint>

#include "common/stage/kernels_on.hpp"
#include "common/stage/launch.hpp"

// Whether lanes that compute the same take from each other what a multiprocessor computes (CODAG paper,
// IV-D).
namespace gsst::experiments {
namespace {

constexpr std::uint32_t arithmetic_lanes = 32;
constexpr std::uint32_t arithmetic_threads = 256;

// The two numbers are parameters: the compiler would put steps together where it knows them.
template <ComputingLanes Lanes>
__global__ void repeat_arithmetic(const std::uint32_t* input, std::uint64_t words, std::uint32_t operations,
                                  std::uint32_t multiplier, std::uint32_t increment, std::uint32_t* output) {
  const std::uint32_t lane = threadIdx.x % arithmetic_lanes;
  if (Lanes == ComputingLanes::one && lane != 0) return;
  const std::uint64_t warps = std::uint64_t{gridDim.x} * (blockDim.x / arithmetic_lanes);
  const std::uint64_t first =
      std::uint64_t{blockIdx.x} * (blockDim.x / arithmetic_lanes) + threadIdx.x / arithmetic_lanes;
  for (std::uint64_t i = first; i < words; i += warps) {
    std::uint32_t value = input[i];
    for (std::uint32_t step = 0; step < operations; ++step) value = value * multiplier + increment;
    if (lane == 0) output[i] = value;
  }
}

void enqueue_arithmetic(ComputingLanes lanes, const std::uint32_t* input, std::uint64_t words,
                        std::uint32_t operations, std::uint32_t* output, void* stream) {
  constexpr std::uint32_t warps_of_block = arithmetic_threads / arithmetic_lanes;
  const auto warps = static_cast<std::uint32_t>(std::min<std::uint64_t>(words, most_arithmetic_warps));
  const stage::LaunchShape shape = {.thread_blocks = (warps + warps_of_block - 1) / warps_of_block,
                                    .threads_per_block = arithmetic_threads,
                                    .shared_bytes = 0,
                                    .stream = stream};
  if (lanes == ComputingLanes::one) {
    stage::launch(shape, repeat_arithmetic<ComputingLanes::one>, input, words, operations,
                  arithmetic_multiplier, arithmetic_increment, output);
  } else {
    stage::launch(shape, repeat_arithmetic<ComputingLanes::all>, input, words, operations,
                  arithmetic_multiplier, arithmetic_increment, output);
  }
}

const stage::KernelsOn<RepeatedArithmetic> arithmetic_kernels(stage::this_executor,
                                                              {.enqueue = enqueue_arithmetic});

}  // namespace
}  // namespace gsst::experiments
