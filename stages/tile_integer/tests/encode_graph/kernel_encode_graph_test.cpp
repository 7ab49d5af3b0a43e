#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/encode/kernel_encode_plans.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Encoders on the GPU need the host for nothing: captured once in a CUDA graph, an encoding runs again for
// other values.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;
using stage::Executor;
using stage::StageCase;

// Without a GPU all are named: their tests are skipped.
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

  // The frame of `input`, of as many bytes as the plan is for. What the memory held before is forgotten.
  ValueBytes run(const ValueBytes& input) {
    GSST_CUDA_CHECK(cudaMemcpy(memory_[0].data(), input.data(), input.size(), cudaMemcpyHostToDevice));
    memory_[1].fill(0xb7);
    memory_[2].fill(0xb7);
    GSST_CUDA_CHECK(cudaGraphLaunch(executable_, stream_));
    GSST_CUDA_CHECK(cudaStreamSynchronize(stream_));
    std::uint64_t bytes = 0;
    GSST_CUDA_CHECK(cudaMemcpy(&bytes, memory_[4].data(), sizeof bytes, cudaMemcpyDeviceToHost));
    ValueBytes frame = memory_[1].to_host();
    frame.resize(std::min<std::uint64_t>(bytes, frame.size()));
    return frame;
  }

private:
  std::vector<cuda::DeviceBuffer> memory_;
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

// Values of up to nine bits; every third block of 2000 of all bits.
ValueBytes column(std::size_t count, Type type, std::uint64_t seed) {
  Values values(count);
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    values[i] = lowest_bits(state >> 20, i / 2000 % 3 == 2 ? 44 : 9);
  }
  return bytes_of(values, type);
}

class IntegerEncodeGraphTest : public testing::TestWithParam<StageCase> {};
INSTANTIATE_TEST_SUITE_P(GpuEncoders, IntegerEncodeGraphTest, testing::ValuesIn(encoders_on_a_gpu()),
                         stage::case_name);

TEST_P(IntegerEncodeGraphTest, RunsAgainForOtherValues) {
  if (!is_available(Executor::gpu)) GTEST_SKIP() << "no GPU";
  const stage::EncodePlans& plans =
      *stage::find_stage(GetParam().stage, stage::Operation::encode)->encode.at(Executor::gpu);
  for (const Type type : {Type::i32, Type::u64}) {
    const std::uint64_t block_bytes = std::uint64_t{2000} * format::tile_integer::shape_of(type).value_bytes;
    const format::CodecOptions options = {{"type", static_cast<std::uint64_t>(type)}};
    for (const format::BlockFormat format : plans.formats()) {
      const std::unique_ptr<stage::Plan> plan = plans.plan_of({.format = format,
                                                               .input_bytes = column(33'333, type, 0).size(),
                                                               .block_bytes = block_bytes,
                                                               .options = options});
      CapturedEncoding encoding(*plan);
      for (const std::uint64_t seed : {2U, 3U, 2U}) {
        const ValueBytes input = column(33'333, type, seed);
        EXPECT_TRUE(encoding.run(input) ==
                    reference::encode_file(reference::codec_of(format), input,
                                           {.block_bytes = block_bytes,
                                            .checksum_kind = format::ChecksumKind::xxh64_tree,
                                            .options = options}));
      }
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
