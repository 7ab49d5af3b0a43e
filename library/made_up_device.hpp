#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "gsst/gpu.h"

/// For tests of wrong arguments, with and without a GPU: while a made-up device lives, it answers what the
/// library asks of CUDA (gpu_misuse_test.cpp). Host memory stands for its memory, and is copied as the host
/// does; no kernel comes to use it.
namespace gsst::gpu::test {

struct MadeUpDevice {
  int number = 0;
  /// 10 * major + minor.
  int capability = 90;
  /// Bytes of shared memory of a thread block. By default none can train: a plan of splits would ask next how
  /// many such thread blocks run at once.
  int shared_bytes = 1;
  bool is_capturing = false;
  /// A pointer to something else than the device's memory, and what that is.
  const void* elsewhere = nullptr;
  cudaMemoryType type_elsewhere = cudaMemoryTypeHost;
};

extern std::optional<MadeUpDevice> made_up;

/// Bytes at a multiple of the largest alignment that is asked for.
class AlignedBytes {
public:
  explicit AlignedBytes(std::size_t size)
      : size_(size), bytes_(static_cast<std::byte*>(::operator new(size, alignment))) {}

  std::span<std::byte> all() const { return {bytes_.get(), size_}; }

private:
  static constexpr std::align_val_t alignment{GSST_GPU_COMPRESS_ALIGNMENT};
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, alignment); }
  };

  std::size_t size_;
  std::unique_ptr<std::byte, Free> bytes_;
};

class GpuMisuse : public testing::Test {
protected:
  void SetUp() override { made_up.emplace(); }
  void TearDown() override { made_up.reset(); }
};

}  // namespace gsst::gpu::test
