#include <algorithm>
#include <limits>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "experiments/measure/statistics.hpp"
#include "experiments/measure_gpu/event_timer.hpp"
#include "experiments/measure_gpu/streaming_limit.hpp"

namespace gsst::experiments {
namespace {

// Each thread block reads its share of the input and writes its share of the output, 16 bytes a thread at a
// time, `Unroll` of them in flight. The value written depends on what was read, so that no read can be left
// out.
template <int Unroll>
__global__ void stream(const uint4* input, std::size_t read_words, uint4* output, std::size_t written_words) {
  const std::size_t read_begin = read_words * blockIdx.x / gridDim.x;
  const std::size_t read_end = read_words * (blockIdx.x + 1) / gridDim.x;
  const std::size_t write_begin = written_words * blockIdx.x / gridDim.x;
  const std::size_t write_end = written_words * (blockIdx.x + 1) / gridDim.x;
  const std::size_t steps = (write_end - write_begin + blockDim.x * Unroll - 1) / (blockDim.x * Unroll);
  uint4 sum = {0, 0, 0, 0};
  for (std::size_t step = 0; step < steps; ++step) {
    // The reads are spread over the writes as a decoder's are.
    const std::size_t from = read_begin + (read_end - read_begin) * step / steps;
    const std::size_t to = read_begin + (read_end - read_begin) * (step + 1) / steps;
#pragma unroll
    for (int i = 0; i < Unroll; ++i) {
      const std::size_t word = from + std::size_t{blockDim.x} * i + threadIdx.x;
      if (word < to) {
        const uint4 value = input[word];
        sum = {sum.x ^ value.x, sum.y ^ value.y, sum.z ^ value.z, sum.w ^ value.w};
      }
    }
#pragma unroll
    for (int i = 0; i < Unroll; ++i) {
      const std::size_t word = write_begin + (step * Unroll + i) * blockDim.x + threadIdx.x;
      if (word < write_end) output[word] = sum;
    }
  }
}

double median_seconds(EventTimer& timer, unsigned repetitions, const std::function<void()>& enqueue) {
  enqueue();
  std::vector<double> seconds;
  for (unsigned i = 0; i < repetitions; ++i) seconds.push_back(timer.seconds(nullptr, enqueue));
  return summarize(seconds).median;
}

}  // namespace

StreamingLimit measure_streaming_limit(const std::uint8_t* input, std::size_t read_bytes,
                                       std::uint8_t* output, std::size_t written_bytes,
                                       unsigned repetitions) {
  EventTimer timer;
  int multiprocessors = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  StreamingLimit limit{.seconds = std::numeric_limits<double>::infinity(), .copy_bytes_per_second = 0};
  const auto* const in = reinterpret_cast<const uint4*>(input);
  auto* const out = reinterpret_cast<uint4*>(output);
  const std::size_t read_words = read_bytes / sizeof(uint4);
  const std::size_t written_words = written_bytes / sizeof(uint4);
  for (const unsigned blocks_per_multiprocessor : {2u, 4u, 8u, 32u}) {
    for (const unsigned threads : {256u, 512u}) {
      const unsigned blocks = blocks_per_multiprocessor * static_cast<unsigned>(multiprocessors);
      const auto measure = [&](auto kernel) {
        const double seconds = median_seconds(timer, repetitions, [&] {
          kernel<<<blocks, threads>>>(in, read_words, out, written_words);
          GSST_CUDA_CHECK(cudaGetLastError());
        });
        limit.seconds = std::min(limit.seconds, seconds);
      };
      measure(stream<1>);
      measure(stream<4>);
    }
  }
  // A copy between addresses that are not aligned alike runs at a part of the speed.
  const std::size_t half = written_bytes / 2 / 4096 * 4096;
  const double copy = median_seconds(timer, repetitions, [&] {
    GSST_CUDA_CHECK(cudaMemcpyAsync(output, output + half, half, cudaMemcpyDeviceToDevice));
  });
  limit.copy_bytes_per_second = 2.0 * static_cast<double>(half) / copy;
  return limit;
}

}  // namespace gsst::experiments
