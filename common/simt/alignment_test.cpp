#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/simt/asynchronous_copy.hpp"
#include "common/simt/cuda_on_cpu.hpp"

// Kernels that access wide types at addresses that a GPU refuses. Compiled as kernels are.
namespace gsst::simt {
namespace {

constexpr Launch two_blocks = {.grid = {.x = 2}, .block = {.x = 4}, .shared_bytes = 256};

std::string error_of(const std::function<void()>& body) {
  try {
    run_grid(two_blocks, body);
  } catch (const KernelError& error) {
    return error.what();
  }
  return "";
}

// The last thread of the grid does what it must not.
void expect_error_of_last_thread(const std::string& error, int line, const std::string& problem) {
  const std::string start = "block (1, 0, 0) thread (3, 0, 0) at ";
  EXPECT_EQ(error.substr(0, start.size()), start);
  const std::string place = "alignment_test.cpp:" + std::to_string(line) + ": ";
  EXPECT_NE(error.find(place), std::string::npos) << "'" << place << "' is not in: " << error;
  EXPECT_TRUE(error.ends_with(problem)) << "'" << problem << "' is not at the end of: " << error;
}

__device__ std::size_t misaligned_by_last_thread(std::size_t bytes) {
  return blockIdx.x == 1 && threadIdx.x == 3 ? bytes : 0;
}

template <int Bytes>
struct alignas(Bytes) Wide {
  std::uint8_t bytes[Bytes];
};

constexpr int line_of_store = __LINE__ + 4;
template <int Bytes>
__global__ void store_wide(std::uint8_t* output, std::size_t misaligned) {
  const std::size_t place = threadIdx.x * std::size_t{Bytes} + misaligned_by_last_thread(misaligned);
  *reinterpret_cast<Wide<Bytes>*>(output + place) = Wide<Bytes>{};
  __syncthreads();
}

constexpr int line_of_load = __LINE__ + 7;
template <int Bytes>
__global__ void load_wide(std::uint8_t* output, std::size_t misaligned) {
  std::uint8_t* const shared = shared_memory();
  // What a GPU's library does may own memory on the CPU.
  std::vector<unsigned> words(threadIdx.x);
  const std::size_t place = threadIdx.x * std::size_t{Bytes} + misaligned_by_last_thread(misaligned);
  const Wide<Bytes> loaded = *reinterpret_cast<const Wide<Bytes>*>(shared + place);
  __syncthreads();
  output[threadIdx.x] = static_cast<std::uint8_t>(loaded.bytes[0] + words.size());
}

constexpr int line_of_word = __LINE__ + 3;
__global__ void add_to_word(std::uint8_t* output, std::size_t misaligned) {
  auto* const words = reinterpret_cast<std::uint64_t*>(output + misaligned_by_last_thread(misaligned));
  words[threadIdx.x] += 1;
}

alignas(16) std::uint8_t global_memory[256];

TEST(Alignment, AlignedAccessesAreRight) {
  EXPECT_EQ(error_of([] { store_wide<16>(global_memory, 0); }), "");
  EXPECT_EQ(error_of([] { load_wide<16>(global_memory, 16); }), "");
  EXPECT_EQ(error_of([] { add_to_word(global_memory, 8); }), "");
}

TEST(Alignment, AMisalignedStoreNamesThreadAndLine) {
  expect_error_of_last_thread(error_of([] { store_wide<16>(global_memory, 8); }), line_of_store,
                              "an address that is not a multiple of 16");
  expect_error_of_last_thread(error_of([] { store_wide<4>(global_memory, 2); }), line_of_store,
                              "an address that is not a multiple of 4");
}

TEST(Alignment, AMisalignedLoadNamesThreadAndLine) {
  expect_error_of_last_thread(error_of([] { load_wide<16>(global_memory, 4); }), line_of_load,
                              "an address that is not a multiple of 16");
}

TEST(Alignment, AMisalignedWordNamesThreadAndLine) {
  expect_error_of_last_thread(error_of([] { add_to_word(global_memory, 4); }), line_of_word,
                              "an address that is not a multiple of 8");
}

// The threads that wait for the one that stopped are gone, and so is it.
TEST(Alignment, AKernelAfterAnErrorRuns) {
  EXPECT_NE(error_of([] { load_wide<16>(global_memory, 4); }), "");
  EXPECT_EQ(error_of([] { load_wide<16>(global_memory, 0); }), "");
}

constexpr int line_of_copy = __LINE__ + 7;
__global__ void copy_asynchronously(std::uint8_t* from, std::size_t source, std::size_t destination,
                                    std::size_t more) {
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  std::uint8_t* const to = shared_memory() + std::size_t{32} * threadIdx.x;
  from += misaligned_by_last_thread(source);
  const cuda::aligned_size_t<16> size(16 + misaligned_by_last_thread(more));
  cuda::memcpy_async(to + misaligned_by_last_thread(destination), from, size, pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
}

TEST(Alignment, AMisalignedAsynchronousCopyNamesThreadAndLine) {
  EXPECT_EQ(error_of([] { copy_asynchronously(global_memory, 16, 16, 16); }), "");
  expect_error_of_last_thread(error_of([] { copy_asynchronously(global_memory, 8, 0, 0); }), line_of_copy,
                              "memcpy_async's source is not a multiple of 16");
  expect_error_of_last_thread(error_of([] { copy_asynchronously(global_memory, 0, 4, 0); }), line_of_copy,
                              "memcpy_async's destination is not a multiple of 16");
  expect_error_of_last_thread(error_of([] { copy_asynchronously(global_memory, 0, 0, 15); }), line_of_copy,
                              "memcpy_async's size is not a multiple of 16");
}

}  // namespace
}  // namespace gsst::simt
