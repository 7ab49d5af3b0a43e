// A small program for the tests of carry-over: what its host does differently is its argument, what its
// kernels have differently are macros. Prints nothing.
#include <cuda_runtime.h>

#include <string>

#ifdef RENAMED
#define Numbers Values
#endif
#ifndef FACTOR
#define FACTOR 3
#endif
#ifndef LOCAL_NUMBERS
#define LOCAL_NUMBERS 40
#endif

// The bytes after `count` are nobody's.
struct Numbers {
  float* data;
  unsigned char count;
};

namespace {

__constant__ float table[4] = {1, 2, FACTOR, 4};

__global__ void scale(Numbers numbers) {
  extern __shared__ float staged[];
  if (threadIdx.x >= numbers.count) return;
  staged[threadIdx.x] = numbers.data[threadIdx.x] * table[threadIdx.x % 4];
  numbers.data[threadIdx.x] = staged[threadIdx.x];
}

__global__ void reorder(Numbers numbers) {
  float kept[LOCAL_NUMBERS];
#pragma unroll 1
  for (int i = 0; i < LOCAL_NUMBERS; ++i) kept[i] = numbers.data[i];
#pragma unroll 1
  for (int i = 0; i < LOCAL_NUMBERS; ++i) numbers.data[i] = kept[static_cast<int>(kept[i]) % LOCAL_NUMBERS];
}

// A frame of its own, in which calls of the runtime have left something.
[[gnu::noinline]] void enqueue(float* data, cudaStream_t stream, const std::string& change) {
  const auto is = [&](const char* name) { return change == name; };
  Numbers numbers;
  numbers.data = data + (is("offset") ? 1 : 0);
  numbers.count = is("parameter") ? 31 : 32;
  const int blocks = is("grid") ? 5 : 4;
  const int threads = is("block") ? 64 : 32;
  scale<<<blocks, threads, is("shared") ? 512 : 256, is("stream") ? nullptr : stream>>>(numbers);
  if (!is("launch")) reorder<<<1, 1, 0, stream>>>(numbers);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string change = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return change == name; };
  void* memory = nullptr;
  if (is("allocation")) cudaMalloc(&memory, 100);
  float* data = nullptr;
  cudaMalloc(&data, 4096);
  char content[2048] = {};
  if (is("content")) content[7] = 1;
  cudaMemcpy(data, content, sizeof content, cudaMemcpyHostToDevice);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  if (is("carveout")) cudaFuncSetAttribute(scale, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
  if (is("most shared")) cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  if (!is("timer")) cudaEventRecord(start, stream);
  if (!is("clear")) cudaMemsetAsync(data, 0, 512, stream);
  if (is("timer")) cudaEventRecord(start, stream);
  enqueue(data, stream, change);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  cudaFree(data);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
