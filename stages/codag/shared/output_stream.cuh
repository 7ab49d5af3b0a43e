#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// The paper's output_stream (section IV-B, Table II) for values: where the next one goes, and how many there
// is room for. Who writes them, and how, is `Values`.
namespace gsst::codag {
namespace {

// `Values` has write_run() and write_value() as below, for the value that has number `first` in the chunk.
template <typename Values>
class OutputStream {
public:
  __device__ OutputStream(const Values& values, std::uint32_t count) : values_(values), left_(count) {}

  // Values that are still to be written. A caller writes no more.
  __device__ std::uint32_t left() const { return left_; }

  // `count` values, `first` and each next one larger by `delta`. Sums wrap.
  __device__ void write_run(std::uint64_t first, std::uint32_t count, std::uint64_t delta) {
    values_.write_run(next_, first, count, delta);
    advance(count);
  }

  // The paper's write_byte(), for values of all sizes.
  __device__ void write_value(std::uint64_t value) {
    values_.write_value(next_, value);
    advance(1);
  }

  // The paper's memcpy(): the `count` bytes that begin `offset` bytes earlier, of which there are as many.
  // Where `count` is larger, these repeat. For `Values` with copy(), which are bytes.
  __device__ void copy(std::uint32_t offset, std::uint32_t count) {
    values_.copy(next_, offset, count);
    advance(count);
  }

  // `count` bytes that are not of the output, at any address. For `Values` with write_bytes().
  __device__ void write_bytes(const std::uint8_t* bytes, std::uint32_t count) {
    values_.write_bytes(next_, bytes, count);
    advance(count);
  }

private:
  __device__ void advance(std::uint32_t count) {
    next_ += count;
    left_ -= count;
  }

  Values values_;
  std::uint32_t next_ = 0;
  std::uint32_t left_;
};

}  // namespace
}  // namespace gsst::codag
