#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/error.hpp"
#include "gsst/gpu.hpp"
#include "reference_cpu/test_inputs.hpp"

/// For the tests of the library on a GPU: memory, streams, and frames to work on.
namespace gsst::gpu::test {

using Bytes = std::vector<std::byte>;

inline bool has_gpu() {
  int devices = 0;
  const bool found = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  cudaGetLastError();
  return found;
}

inline Bytes to_bytes(const std::vector<std::uint8_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}
inline Bytes text(std::size_t size, std::uint64_t seed) {
  return to_bytes(reference::test::make_text(size, seed));
}

template <typename Value>
Value value_of(Result<Value> result) {
  if (!result) throw std::runtime_error(result.failure().message);
  return std::move(result).value();
}

// Waits for what the default stream still does, which streams of class Stream do not wait for: a memset, and
// a copy from host memory, may go on when their call has returned.
inline void finish_default_stream() {
  GSST_CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

inline constexpr int guard = 0xa5;
inline constexpr std::size_t guard_bytes = 512;

// Device memory between bytes that nobody may change.
template <typename Value>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    GSST_CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&memory_), whole_bytes()));
    GSST_CUDA_CHECK(cudaMemset(memory_, guard, whole_bytes()));
    finish_default_stream();
  }
  explicit DeviceArray(std::span<const Value> values) : DeviceArray(values.size()) { write(values); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(memory_); }

  Value* data() { return reinterpret_cast<Value*>(memory_ + guard_bytes); }
  std::span<Value> all() { return {data(), count_}; }
  void write(std::span<const Value> values) {
    GSST_CUDA_CHECK(cudaMemcpy(data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
    finish_default_stream();
  }
  void fill(int value) {
    GSST_CUDA_CHECK(cudaMemset(data(), value, count_ * sizeof(Value)));
    finish_default_stream();
  }
  std::vector<Value> read() const {
    std::vector<Value> values(count_);
    GSST_CUDA_CHECK(
        cudaMemcpy(values.data(), memory_ + guard_bytes, count_ * sizeof(Value), cudaMemcpyDeviceToHost));
    return values;
  }
  bool is_intact() const {
    std::vector<std::uint8_t> bytes(whole_bytes());
    GSST_CUDA_CHECK(cudaMemcpy(bytes.data(), memory_, bytes.size(), cudaMemcpyDeviceToHost));
    const auto end = bytes.end() - static_cast<std::ptrdiff_t>(guard_bytes);
    return std::count(bytes.begin(), bytes.begin() + guard_bytes, guard) == guard_bytes &&
           std::count(end, bytes.end(), guard) == guard_bytes;
  }

private:
  std::size_t whole_bytes() const { return count_ * sizeof(Value) + 2 * guard_bytes; }

  std::uint8_t* memory_ = nullptr;
  std::size_t count_;
};

// What a decompression works in.
struct DecompressArrays {
  explicit DecompressArrays(const DecompressSizes& sizes)
      : frame(sizes.frame_bytes),
        output(sizes.output_bytes),
        scratch(sizes.scratch_bytes),
        status(sizes.status_count) {}

  DecompressMemory memory() {
    return {.frame = frame.all(), .output = output.all(), .scratch = scratch.all(), .status = status.all()};
  }
  bool is_intact() const {
    return frame.is_intact() && output.is_intact() && scratch.is_intact() && status.is_intact();
  }

  DeviceArray<std::byte> frame;
  DeviceArray<std::byte> output;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint32_t> status;
};

// What a compression works in.
struct CompressArrays {
  explicit CompressArrays(const CompressSizes& sizes)
      : input(sizes.input_bytes), output(sizes.output_bytes), scratch(sizes.scratch_bytes), frame_bytes(1) {}

  CompressMemory memory() {
    return {.input = input.all(),
            .output = output.all(),
            .scratch = scratch.all(),
            .frame_bytes = frame_bytes.data()};
  }
  Bytes frame() const {
    Bytes bytes = output.read();
    bytes.resize(std::min<std::size_t>(frame_bytes.read().front(), bytes.size()));
    return bytes;
  }
  bool is_intact() const {
    return input.is_intact() && output.is_intact() && scratch.is_intact() && frame_bytes.is_intact();
  }

  DeviceArray<std::byte> input;
  DeviceArray<std::byte> output;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint64_t> frame_bytes;
};

class Stream {
public:
  Stream() { GSST_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  cudaStream_t get() const { return stream_; }
  void wait() const { GSST_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

private:
  cudaStream_t stream_ = nullptr;
};

// What `enqueue` puts on a stream, captured. Any call that waits or allocates would end the capture.
class Graph {
public:
  Graph(const Stream& stream, const std::function<void()>& enqueue) {
    GSST_CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
    enqueue();
    GSST_CUDA_CHECK(cudaStreamEndCapture(stream.get(), &graph_));
    GSST_CUDA_CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  // Takes what was captured.
  explicit Graph(cudaGraph_t captured) : graph_(captured) {
    GSST_CUDA_CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }

  void run(const Stream& stream) const {
    GSST_CUDA_CHECK(cudaGraphLaunch(executable_, stream.get()));
    stream.wait();
  }

private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

inline constexpr Format all_formats[] = {Format::blocks, Format::splits, Format::coalesced, Format::tiles};

// Formats that the GPU writes.
inline constexpr Format written_formats[] = {Format::splits, Format::tiles};
inline constexpr std::uint32_t tile_code_bits[] = {8, 10, 12};

inline Bytes compress_on_cpu(const Bytes& input, Format format) {
  return value_of(compress(input, {.format = format, .block_bytes = 50000, .splits = 100}));
}

// Compresses `input` on the GPU, in memory that is checked behind it, with `table` where options ask for one.
inline Bytes compress_on_gpu(const Bytes& input, const CompressOptions& options,
                             const Table* table = nullptr) {
  CompressPlan plan = value_of(CompressPlan::create(input.size(), options));
  const Stream stream;
  CompressArrays arrays(plan.sizes());
  arrays.input.write(input);
  arrays.scratch.fill(0xb7);
  if (table != nullptr) value_of(plan.load_table(*table, arrays.scratch.all(), stream.get()));
  value_of(plan.execute(arrays.memory(), stream.get()));
  stream.wait();
  EXPECT_TRUE(arrays.is_intact());
  return arrays.frame();
}

class GpuLibrary : public testing::Test {
protected:
  void SetUp() override {
    if (!has_gpu()) GTEST_SKIP() << "no GPU";
  }
};

// The text of a refusal has to name `word`.
inline void expect_refused(const Result<Enqueued>& result, Error error, const std::string& word) {
  ASSERT_FALSE(result) << "expected: " << error_text(error);
  EXPECT_EQ(result.failure().error, error) << result.failure().message;
  EXPECT_NE(result.failure().message.find(word), std::string::npos) << result.failure().message;
}

}  // namespace gsst::gpu::test
