#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/stage/stage.hpp"

namespace gsst::pipeline {

/// Memory that is freed with the object. What it holds at first is not defined.
class Buffer {
public:
  /// `size` bytes of host memory, page-locked where `executor` is the GPU, so that copies to and from it run
  /// beside everything else. `size` may be 0. Throws std::bad_alloc, cuda::CudaError.
  static Buffer on_host(stage::Executor executor, std::size_t size);
  /// `size` bytes of host memory that is not page-locked: quicker to get, slower to copy from and to.
  static Buffer pageable(std::size_t size);
  /// `size` bytes of the executor's memory: device memory for the GPU, host memory for the CPU executor.
  static Buffer on_device(stage::Executor executor, std::size_t size);

  std::uint8_t* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<std::uint8_t> bytes() const { return {data_.get(), size_}; }

private:
  Buffer(std::shared_ptr<std::uint8_t[]> data, std::size_t size) : data_(std::move(data)), size_(size) {}

  std::shared_ptr<std::uint8_t[]> data_;
  std::size_t size_;
};

}  // namespace gsst::pipeline
