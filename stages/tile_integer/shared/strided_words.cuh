#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// Words of a lane, between which other lanes have theirs.
namespace gsst::tile_integer {
namespace {

template <std::uint32_t Stride>
class StridedWords {
public:
  // `words`: from the lane's first word on.
  __device__ explicit StridedWords(const std::uint32_t* words) : words_(words) {}

  __device__ std::uint32_t word(std::uint32_t number) const { return words_[number * Stride]; }

private:
  const std::uint32_t* words_;
};

}  // namespace
}  // namespace gsst::tile_integer
