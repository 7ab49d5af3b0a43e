// Compresses a file on the GPU, decompresses it there, and counts its lines in a kernel of our own on the
// same stream.
//   gpu FILE
#include <filesystem>
#include <fstream>
#include <gsst/gpu.hpp>
#include <iostream>
#include <stdexcept>

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

// Managed, so that this program copies nothing; memory of cudaMalloc() does as well.
template <typename Value>
struct Memory : std::span<Value> {
  explicit Memory(std::size_t count) : std::span<Value>(allocate(count), count) {}
  Memory(const Memory&) = delete;
  ~Memory() { cudaFree(this->data()); }
  static Value* allocate(std::size_t count) {
    Value* values = nullptr;
    check(cudaMallocManaged(&values, (count + 1) * sizeof(Value)));  // nothing cannot be allocated
    return values;
  }
};

int main(int argument_count, char** arguments) try {
  const std::filesystem::path path(argument_count == 2 ? arguments[1] : "");
  Memory<std::byte> text(std::filesystem::file_size(path));
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(text.data()), text.size());
  cudaStream_t stream = nullptr;  // any stream will do

  const auto compress = value_of(gsst::gpu::CompressPlan::create(text.size()));
  Memory<std::byte> packed(compress.sizes().output_bytes), compress_scratch(compress.sizes().scratch_bytes);
  Memory<std::uint64_t> frame_bytes(1);
  value_of(compress.execute({text, packed, compress_scratch, frame_bytes.data()}, stream));
  check(cudaStreamSynchronize(stream));
  const std::span<std::byte> frame = packed.first(frame_bytes[0]);

  const auto plan = value_of(gsst::gpu::DecompressPlan::create(frame));  // looks at it on the host
  Memory<std::byte> output(plan.sizes().output_bytes), scratch(plan.sizes().scratch_bytes);
  Memory<std::uint32_t> status(plan.sizes().status_count);
  Memory<unsigned long long> lines(1);
  lines[0] = 0;
  value_of(plan.execute({frame, output, scratch, status}, stream));
  const unsigned blocks = static_cast<unsigned>(text.size() / 256 + 1);
  count_lines<<<blocks, 256, 0, stream>>>(output.data(), text.size(), lines.data());
  check(cudaGetLastError());
  check(cudaStreamSynchronize(stream));

  value_of(gsst::gpu::check_status(status));
  std::cout << text.size() << " -> " << frame.size() << " bytes, " << lines[0] << " lines\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
