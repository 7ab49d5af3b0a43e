#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train_tiles.hpp"
#include "stages/gsst/encode/encode_settings.hpp"
#include "stages/gsst/tests/run_encode.hpp"
#include "stages/suite/stage_case.hpp"

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

EncodeSettings tile_settings() {
  return {.input_bytes = text_bytes,
          .block_bytes = 50000,
          .split_count = 1,
          .tiles = format::TileShape{.code_bits = 8, .codes_per_lane = 32}};
}

// All ways of a stage to train and encode without the host.
std::vector<EncodeSettings> captured_settings(const RegisteredStage& stage) {
  std::vector<EncodeSettings> settings = {text_settings()};
  for (const Parameter& parameter : stage.description.parameters) {
    if (parameter.name != "pieces") continue;
    settings.push_back(text_settings());
    settings.back().parameters = {{parameter.name, parameter.values.back()}};
  }
  if (handles_format(stage, format::BlockFormat::tiles)) settings.push_back(tile_settings());
  return settings;
}

// Without a GPU, which says what an encoder can do on it, all are named: their tests are skipped.
std::vector<StageCase> encoders_that_train_on_a_gpu() {
  const bool has_gpu = is_available(Executor::gpu);
  std::vector<StageCase> cases;
  for (const RegisteredStage& stage : registered_stages(Operation::encode)) {
    if (!stage.encode.contains(Executor::gpu)) continue;
    if (!handles_format(stage, format::BlockFormat::splits)) continue;
    if (!has_gpu ||
        trains_on_executor(*gsst_encode_plans(stage, Executor::gpu).make({.settings = text_settings()}))) {
      cases.push_back({.stage = stage.description.id, .executor = Executor::gpu});
    }
  }
  return cases;
}

// Those of them that write tiles.
std::vector<StageCase> tile_encoders_on_a_gpu() {
  std::vector<StageCase> cases = encoders_that_train_on_a_gpu();
  std::erase_if(cases, [](const StageCase& one) {
    return !handles_format(*find_stage(one.stage, Operation::encode), format::BlockFormat::tiles);
  });
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

// The device memory of an encoding.
class DeviceEncoding {
public:
  explicit DeviceEncoding(const Plan& plan) {
    for (const Part& part : plan.parts()) memory_.emplace_back(part.bytes);
  }

  // In the order of the parts.
  std::vector<Given> given() {
    std::vector<Given> all;
    for (cuda::DeviceBuffer& memory : memory_) all.push_back({.data = memory.data(), .bytes = memory.size()});
    return all;
  }
  void set_input(const Bytes& bytes) {
    GSST_CUDA_CHECK(cudaMemcpy(memory_[0].data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  }
  // Forgets the frame, so that one that is not written again is found.
  void poison_output() { memory_[1].fill(0xb7); }
  void poison_state() { memory_[2].fill(0xb7); }
  Bytes frame() const {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, memory_[4].to_host().data(), sizeof bytes);
    Bytes frame = memory_[1].to_host();
    if (bytes > frame.size()) return {};
    frame.resize(bytes);
    return frame;
  }

private:
  std::vector<cuda::DeviceBuffer> memory_;
};

TEST_P(EncodeGraphTest, RunsAgainForOtherBytes) {
  if (!is_available(Executor::gpu)) GTEST_SKIP() << "no GPU";
  const RegisteredStage& stage = *find_stage(GetParam().stage, Operation::encode);
  const GsstEncodePlans& plans = gsst_encode_plans(stage, Executor::gpu);
  for (const EncodeSettings& settings : captured_settings(stage)) {
    const std::unique_ptr<Plan> plan = plans.make({.settings = settings});
    CapturedGraph graph;
    DeviceEncoding encoding(*plan);
    graph.capture([&] { enqueue_all(*plan, encoding.given(), graph.stream()); });
    for (const std::uint64_t seed : {2u, 3u, 2u}) {
      const Bytes other = reference::test::make_mixed(text_bytes, seed);
      encoding.set_input(other);
      encoding.poison_output();
      encoding.poison_state();
      graph.run();
      EXPECT_TRUE(encoding.frame() == run_encode(stage, Executor::gpu, other, settings).frame);
    }
  }
}

class EncodeTilesGraphTest : public EncodeGraphTest {};
INSTANTIATE_TEST_SUITE_P(GpuEncoders, EncodeTilesGraphTest, testing::ValuesIn(tile_encoders_on_a_gpu()),
                         case_name);

// With a table that the host has loaded; all else is captured.
TEST_P(EncodeTilesGraphTest, RunsAgainForOtherBytes) {
  const RegisteredStage& stage = *find_stage(GetParam().stage, Operation::encode);
  if (!is_available(Executor::gpu)) GTEST_SKIP() << "no GPU";
  const format::TileTable table =
      reference::train_tile_table(reference::test::make_text(text_bytes, 1), 8, 1, reference::Parse::greedy);
  const EncodeSettings settings = tile_settings();
  const std::unique_ptr<Plan> plan =
      gsst_encode_plans(stage, Executor::gpu).make({.settings = settings, .tables = table});
  CapturedGraph graph;
  DeviceEncoding encoding(*plan);
  encoding.poison_state();
  plan->prepare(encoding.given(), graph.stream());
  graph.capture([&] { enqueue_all(*plan, encoding.given(), graph.stream()); });
  for (const std::uint64_t seed : {2u, 3u, 2u}) {
    const Bytes other = reference::test::make_text(text_bytes, seed);
    encoding.set_input(other);
    encoding.poison_output();
    graph.run();
    EXPECT_TRUE(encoding.frame() == run_encode_tiles(stage, Executor::gpu, other, settings, table).frame);
  }
}

}  // namespace
}  // namespace gsst::stage
