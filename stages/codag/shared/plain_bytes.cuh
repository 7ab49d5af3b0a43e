#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// Bytes for InputStream: a load from global memory for each.
namespace gsst::codag {
namespace {

class PlainBytes {
public:
  __device__ PlainBytes(const std::uint8_t* bytes, std::uint32_t count) : bytes_(bytes), count_(count) {}

  __device__ std::uint32_t byte(std::uint32_t position) const {
    return position < count_ ? bytes_[position] : 0;
  }
  __device__ std::uint32_t far_byte(std::uint32_t position) const { return byte(position); }
  __device__ std::uint32_t count() const { return count_; }

private:
  const std::uint8_t* bytes_;
  std::uint32_t count_;
};

}  // namespace
}  // namespace gsst::codag
