#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "common/encode_stage/registry.hpp"
#include "common/encode_stage/run_encode.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/stage_case.hpp"

// Encoders that train on the GPU need the host for nothing: captured once in a CUDA graph, the whole encoding
// runs again for other bytes.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t text_bytes = 300000;

EncodeSettings text_settings() {
  EncodeSettings settings = {.input_bytes = text_bytes, .block_bytes = 50000, .split_count = 100};
  settings.blocks_per_table = 2;
  return settings;
}

std::vector<StageCase> encoders_that_train_on_a_gpu() {
  std::vector<StageCase> cases;
  for (const RegisteredEncoder& stage : registered_encoders()) {
    const auto encoder = stage.encoders.find(Executor::gpu);
    if (encoder != stage.encoders.end() && encoder->second.trains_on_executor(text_settings())) {
      cases.push_back({.stage = stage.description.id, .executor = Executor::gpu});
    }
  }
  return cases;
}

// A stream, and what was captured from it.
class CapturedGraph {
public:
  CapturedGraph() { GSST_CUDA_CHECK(cudaStreamCreate(&stream_)); }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
  ~CapturedGraph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
  }

  cudaStream_t stream() { return stream_; }

  template <typename Enqueue>
  void capture(Enqueue enqueue) {
    GSST_CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    enqueue();
    GSST_CUDA_CHECK(cudaStreamEndCapture(stream_, &graph_));
    GSST_CUDA_CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
  }

  // Runs what was captured, and waits for it.
  void run() {
    GSST_CUDA_CHECK(cudaGraphLaunch(executable_, stream_));
    GSST_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }

private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

class EncodeGraphTest : public testing::TestWithParam<StageCase> {};
INSTANTIATE_TEST_SUITE_P(GpuEncoders, EncodeGraphTest, testing::ValuesIn(encoders_that_train_on_a_gpu()),
                         case_name);

TEST_P(EncodeGraphTest, RunsAgainForOtherBytes) {
  if (!is_available(Executor::gpu)) GTEST_SKIP() << "no GPU";
  const RegisteredEncoder& stage = *find_encoder(GetParam().stage);
  const Encoder& encoder = stage.encoders.at(Executor::gpu);
  const Bytes text = reference::test::make_text(text_bytes, 1);
  const EncodeSettings settings = text_settings();
  const EncodeSpace space = encoder.space(settings);
  cuda::DeviceBuffer input(text);
  cuda::DeviceBuffer output(space.output_bytes);
  cuda::DeviceBuffer scratch(space.scratch_bytes);
  cuda::DeviceBuffer status(block_count(settings) * sizeof(std::uint32_t));
  cuda::DeviceBuffer frame_bytes(sizeof(std::uint64_t));
  CapturedGraph graph;
  const EncodeRequest request = {.settings = settings,
                                 .input = input.data(),
                                 .output = output.data(),
                                 .scratch = scratch.data(),
                                 .status = reinterpret_cast<std::uint32_t*>(status.data()),
                                 .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes.data()),
                                 .stream = graph.stream()};
  graph.capture([&] {
    encoder.train(request);
    for (const EncodePhase& phase : encoder.phases) phase.enqueue(request);
  });
  for (const std::uint64_t seed : {2u, 3u, 2u}) {
    const Bytes other = reference::test::make_mixed(text.size(), seed);
    GSST_CUDA_CHECK(cudaMemcpy(input.data(), other.data(), other.size(), cudaMemcpyHostToDevice));
    output.fill(0xb7);
    scratch.fill(0xb7);
    graph.run();
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, frame_bytes.to_host().data(), sizeof bytes);
    Bytes frame = output.to_host();
    ASSERT_LE(bytes, frame.size());
    frame.resize(bytes);
    EXPECT_TRUE(frame == run_encode(stage, Executor::gpu, other, settings).frame);
  }
}

}  // namespace
}  // namespace gsst::stage
