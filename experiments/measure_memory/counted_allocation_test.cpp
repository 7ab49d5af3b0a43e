// Linked as gsst_measure_memory is, but with made_up_cuda_runtime.cpp in the place of the CUDA runtime, which
// has 64 bytes.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "experiments/measure_memory/allocation_log.hpp"

namespace gsst::experiments {
namespace {

class CountedAllocation : public testing::Test {
protected:
  void SetUp() override { allocation_log().restart(); }

  static std::size_t counted() { return allocation_log().most_bytes("test"); }

  AllocationPurpose purpose_{"test"};
  void* address_ = nullptr;
};

TEST_F(CountedAllocation, EachWayToAllocateIsCountedAndEnds) {
  ASSERT_EQ(cudaMalloc(&address_, 10), cudaSuccess);
  ASSERT_EQ(cudaFree(address_), cudaSuccess);
  EXPECT_EQ(counted(), 10u);
  ASSERT_EQ(cudaMallocAsync(&address_, 20, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(address_, nullptr), cudaSuccess);
  EXPECT_EQ(counted(), 20u);
  ASSERT_EQ(cudaMallocFromPoolAsync(&address_, 30, nullptr, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(address_, nullptr), cudaSuccess);
  EXPECT_EQ(counted(), 30u);
  ASSERT_EQ(cudaMallocManaged(&address_, 40, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaFree(address_), cudaSuccess);
  EXPECT_EQ(counted(), 40u);
  allocation_log().restart();
  EXPECT_EQ(counted(), 0u);
}

TEST_F(CountedAllocation, WhatFailsIsNotCounted) {
  EXPECT_EQ(cudaMalloc(&address_, 65), cudaErrorMemoryAllocation);
  EXPECT_EQ(counted(), 0u);
}

TEST_F(CountedAllocation, WhatCannotBeCountedIsRefused) {
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&address_, &pitch, 8, 8), cudaErrorNotSupported);
  cudaArray_t array = nullptr;
  EXPECT_EQ(cudaMallocArray(&array, nullptr, 8, 8, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaMalloc3D(nullptr, {}), cudaErrorNotSupported);
  EXPECT_EQ(cudaMalloc3DArray(&array, nullptr, {}, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaMallocMipmappedArray(nullptr, nullptr, {}, 1, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphAddMemAllocNode(nullptr, nullptr, nullptr, 0, nullptr), cudaErrorNotSupported);
}

}  // namespace
}  // namespace gsst::experiments
