#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// What one thread has decoded of a Deflate stream, for others to write.
namespace gsst::codag {
namespace {

// Stands for the output stream where a decoder's step() runs, and keeps what it would write.
class ElementRecord {
public:
  // `left` as in the output stream.
  __device__ ElementRecord(const std::uint8_t* stream, std::uint32_t left) : stream_(stream), left_(left) {}

  __device__ std::uint32_t left() const { return left_; }
  __device__ void write_value(std::uint32_t byte) { keep(Kind::literal, 1, byte); }
  __device__ void copy(std::uint32_t offset, std::uint32_t count) { keep(Kind::match, count, offset); }
  __device__ void write_bytes(const std::uint8_t* bytes, std::uint32_t count) {
    keep(Kind::stored, count, static_cast<std::uint32_t>(bytes - stream_));
  }

  // All lanes of a warp: each gets the record of lane 0. Whether it is the last one, which lane 0 says.
  __device__ bool broadcast(bool is_last) {
    const std::uint32_t own = count_ << 3 | static_cast<std::uint32_t>(kind_) << 1 | (is_last ? 1 : 0);
    const std::uint32_t word = __shfl_sync(every_lane, own, 0);
    value_ = __shfl_sync(every_lane, value_, 0);
    count_ = word >> 3;
    kind_ = static_cast<Kind>(word >> 1 & 3);
    return (word & 1) != 0;
  }

  // Writes what was kept, if there is something.
  template <typename Output>
  __device__ void write(Output& output) const {
    if (kind_ == Kind::literal) output.write_value(value_);
    if (kind_ == Kind::match) output.copy(value_, count_);
    if (kind_ == Kind::stored) output.write_bytes(stream_ + value_, count_);
  }

private:
  enum class Kind : std::uint8_t { nothing, literal, match, stored };

  __device__ void keep(Kind kind, std::uint32_t count, std::uint32_t value) {
    kind_ = kind;
    count_ = count;
    value_ = value;
  }

  const std::uint8_t* stream_;
  std::uint32_t left_;
  Kind kind_ = Kind::nothing;
  std::uint32_t count_ = 0;
  // The byte, the distance, or where the bytes are in the stream.
  std::uint32_t value_ = 0;
};

}  // namespace
}  // namespace gsst::codag
