// Compresses a file on the GPU, decompresses it there, and counts its lines in a kernel of our own on the
// same stream.
//   gpu FILE
#include <fstream>
#include <gsst/gpu.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

__global__ void count_lines(const std::byte* text, std::size_t bytes, unsigned long long* lines) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place < bytes && text[place] == std::byte{'\n'}) atomicAdd(lines, 1ULL);
}

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
template <typename Value>
Value value_of(gsst::Result<Value> result) {
  if (!result) throw std::runtime_error(result.failure().message);
  return std::move(result).value();
}

template <typename Value>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&values_), count * sizeof(Value)));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(values_); }
  std::span<Value> all() { return {values_, count_}; }
  void copy_from(const void* host) {
    check(cudaMemcpy(values_, host, count_ * sizeof(Value), cudaMemcpyDefault));
  }
  std::vector<Value> first(std::size_t count) const {
    std::vector<Value> host(count);
    check(cudaMemcpy(host.data(), values_, count * sizeof(Value), cudaMemcpyDefault));
    return host;
  }

private:
  Value* values_ = nullptr;
  std::size_t count_;
};

int main(int argument_count, char** arguments) try {
  std::ifstream file(argument_count == 2 ? arguments[1] : "", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  cudaStream_t stream = nullptr;  // any stream will do

  const auto compress = value_of(gsst::gpu::CompressPlan::create(text.size()));
  DeviceArray<std::byte> input(text.size()), packed(compress.sizes().output_bytes);
  DeviceArray<std::byte> compress_scratch(compress.sizes().scratch_bytes);
  DeviceArray<std::uint64_t> frame_bytes(1);
  input.copy_from(text.data());
  value_of(compress.execute({input.all(), packed.all(), compress_scratch.all(), frame_bytes.all().data()},
                            stream));
  const std::vector<std::byte> frame = packed.first(frame_bytes.first(1)[0]);  // waits

  // The plan looks at the frame in host memory; the same bytes are still in device memory.
  const auto plan = value_of(gsst::gpu::DecompressPlan::create(frame));
  DeviceArray<std::byte> output(plan.sizes().output_bytes), scratch(plan.sizes().scratch_bytes);
  DeviceArray<std::uint32_t> status(plan.sizes().status_count);
  DeviceArray<unsigned long long> lines(1);
  check(cudaMemsetAsync(lines.all().data(), 0, sizeof(unsigned long long), stream));
  value_of(
      plan.execute({packed.all().first(frame.size()), output.all(), scratch.all(), status.all()}, stream));
  const unsigned blocks = static_cast<unsigned>(text.size() / 256 + 1);
  count_lines<<<blocks, 256, 0, stream>>>(output.all().data(), text.size(), lines.all().data());
  check(cudaGetLastError());

  value_of(gsst::gpu::check_status(status.first(plan.sizes().status_count)));  // waits
  std::cout << text.size() << " -> " << frame.size() << " bytes, " << lines.first(1)[0] << " lines\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
