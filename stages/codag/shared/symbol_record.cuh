#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// What one thread has decoded, for others to write.
namespace gsst::codag {
namespace {

// Stands for the output stream where a decoder's step() runs, and keeps what it would write.
class SymbolRecord {
public:
  // `left` as in the output stream.
  __device__ explicit SymbolRecord(std::uint32_t left) : left_(left) {}

  __device__ std::uint32_t left() const { return left_; }
  __device__ void write_run(std::uint64_t first, std::uint32_t count, std::uint64_t delta) {
    first_ = first;
    delta_ = delta;
    count_ = count;
  }
  __device__ void write_value(std::uint64_t value) { write_run(value, 1, 0); }

  // All lanes of a warp: each gets the record of lane 0.
  __device__ void broadcast() {
    first_ = __shfl_sync(every_lane, first_, 0);
    delta_ = __shfl_sync(every_lane, delta_, 0);
    count_ = __shfl_sync(every_lane, count_, 0);
  }

  // Whether there is nothing to write, since step() has met a problem.
  __device__ bool is_empty() const { return count_ == 0; }
  // Values.
  __device__ std::uint32_t count() const { return count_; }

  // Writes what was kept.
  template <typename Output>
  __device__ void write(Output& output) const {
    if (count_ == 1) {
      output.write_value(first_);
    } else {
      output.write_run(first_, count_, delta_);
    }
  }
  // The same without a stream, from value `place` on.
  template <typename Values>
  __device__ void write_at(std::uint32_t place, const Values& values) const {
    values.write_run(place, first_, count_, delta_);
  }

private:
  std::uint32_t left_;
  std::uint32_t count_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t delta_ = 0;
};

}  // namespace
}  // namespace gsst::codag
