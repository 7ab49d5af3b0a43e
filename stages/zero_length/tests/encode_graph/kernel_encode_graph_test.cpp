#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/zero_length/encode/kernel_encode_plans.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// Encoders on the GPU need the host for nothing: captured once in a CUDA graph, an encoding runs again for
// other bytes.
namespace gsst::zero_length {
namespace {

using stage::Executor;
using stage::StageCase;
using test::Bytes;

// Those whose phases wait for nothing. Without a GPU all are named: their tests are skipped.
std::vector<StageCase> encoders_on_a_gpu() {
  std::vector<StageCase> cases;
  for (const stage::RegisteredStage& one : stage::registered_stages(stage::Operation::encode)) {
    const auto plans = one.encode.find(Executor::gpu);
    if (plans == one.encode.end()) continue;
    if (dynamic_cast<const KernelEncodePlans*>(plans->second) == nullptr) continue;
    cases.push_back({.stage = one.description.id, .executor = Executor::gpu});
  }
  return cases;
}

// All phases of a plan, captured, and the device memory that they work in.
class CapturedEncoding {
public:
  explicit CapturedEncoding(const stage::Plan& plan) {
    std::vector<stage::Given> given;
    memory_.reserve(plan.parts().size());
    for (const stage::Part& part : plan.parts()) {
      cuda::DeviceBuffer& memory = memory_.emplace_back(part.bytes);
      given.push_back({.data = memory.data(), .bytes = memory.size()});
    }
    GSST_CUDA_CHECK(cudaStreamCreate(&stream_));
    GSST_CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    stage::enqueue_all(plan, given, stream_);
    GSST_CUDA_CHECK(cudaStreamEndCapture(stream_, &graph_));
    GSST_CUDA_CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  CapturedEncoding(const CapturedEncoding&) = delete;
  CapturedEncoding& operator=(const CapturedEncoding&) = delete;
  ~CapturedEncoding() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  // The file of `input`, of as many bytes as the plan is for. What the memory held before is forgotten.
  Bytes run(const Bytes& input) {
    GSST_CUDA_CHECK(cudaMemcpy(memory_[0].data(), input.data(), input.size(), cudaMemcpyHostToDevice));
    memory_[1].fill(0xb7);
    memory_[2].fill(0xb7);
    GSST_CUDA_CHECK(cudaGraphLaunch(executable_, stream_));
    GSST_CUDA_CHECK(cudaStreamSynchronize(stream_));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, memory_[4].to_host().data(), sizeof bytes);
    Bytes file = memory_[1].to_host();
    if (bytes > file.size()) return {};
    file.resize(bytes);
    return file;
  }

private:
  std::vector<cuda::DeviceBuffer> memory_;
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

class KernelEncodeGraphTest : public testing::TestWithParam<StageCase> {};
INSTANTIATE_TEST_SUITE_P(GpuEncoders, KernelEncodeGraphTest, testing::ValuesIn(encoders_on_a_gpu()),
                         stage::case_name);

TEST_P(KernelEncodeGraphTest, RunsAgainForOtherBytes) {
  if (!is_available(Executor::gpu)) GTEST_SKIP() << "no GPU";
  const stage::EncodePlans& plans =
      *stage::find_stage(GetParam().stage, stage::Operation::encode)->encode.at(Executor::gpu);
  constexpr std::uint64_t input_bytes = 300'000;
  constexpr std::uint64_t block_bytes = 70'000;
  for (const format::BlockFormat format : plans.formats()) {
    const std::unique_ptr<stage::Plan> plan =
        plans.plan_of({.format = format, .input_bytes = input_bytes, .block_bytes = block_bytes});
    CapturedEncoding encoding(*plan);
    for (const std::uint64_t seed : {2U, 3U, 2U}) {
      const Bytes input = test::random_mix(input_bytes, seed);
      EXPECT_TRUE(encoding.run(input) ==
                  reference::encode_file(
                      reference::codec_of(format), input,
                      {.block_bytes = block_bytes, .checksum_kind = format::ChecksumKind::xxh64_tree}));
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length
