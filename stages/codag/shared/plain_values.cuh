#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// Values for OutputStream: a store for each (paper, section IV-F).
namespace gsst::codag {
namespace {

// All threads of `Team` together. Of a value only the lowest bytes are stored.
template <typename Team = WarpTeam>
class PlainValues {
public:
  // From `output` on, at any address, values of `value_bytes` bytes.
  __device__ PlainValues(std::uint8_t* output, std::uint32_t value_bytes)
      : output_(output),
        value_bytes_(value_bytes),
        is_aligned_(reinterpret_cast<std::uintptr_t>(output) % value_bytes == 0) {}

  // Neighbouring threads write neighbouring values.
  __device__ void write_run(std::uint32_t first, std::uint64_t value, std::uint32_t count,
                            std::uint64_t delta) const {
    for (std::uint32_t i = Team::number(); i < count; i += Team::count()) store(first + i, value + delta * i);
  }

  // One thread does it.
  __device__ void write_value(std::uint32_t first, std::uint64_t value) const {
    if (Team::number() == 0) store(first, value);
  }

  // The calling thread alone.
  __device__ void store(std::uint32_t place, std::uint64_t value) const {
    std::uint8_t* const address = output_ + std::uint64_t{place} * value_bytes_;
    if (!is_aligned_) {
      for (std::uint32_t byte = 0; byte < value_bytes_; ++byte) {
        address[byte] = static_cast<std::uint8_t>(value >> 8 * byte);
      }
    } else if (value_bytes_ == sizeof(std::uint64_t)) {
      *reinterpret_cast<std::uint64_t*>(address) = value;
    } else if (value_bytes_ == sizeof(std::uint32_t)) {
      *reinterpret_cast<std::uint32_t*>(address) = static_cast<std::uint32_t>(value);
    } else if (value_bytes_ == sizeof(std::uint16_t)) {
      *reinterpret_cast<std::uint16_t*>(address) = static_cast<std::uint16_t>(value);
    } else {
      *address = static_cast<std::uint8_t>(value);
    }
  }

  // Whether values are words of so many bytes, and their places in memory as such words.
  __device__ bool has_words(std::uint32_t bytes) const { return is_aligned_ && value_bytes_ == bytes; }
  template <typename Word>
  __device__ Word* words() const {
    return reinterpret_cast<Word*>(output_);
  }

private:
  std::uint8_t* output_;
  std::uint32_t value_bytes_;
  bool is_aligned_;
};

}  // namespace
}  // namespace gsst::codag
