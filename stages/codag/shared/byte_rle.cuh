#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "stages/codag/shared/runs_and_lists.cuh"

// Format byte_rle: values are bytes, those of a run are equal.
namespace gsst::codag {
namespace {

struct ByteValues {
  static constexpr bool has_differences = false;
  static constexpr std::uint32_t most_bytes = 1;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return byte_chunk(block); }

  template <typename Input>
  __device__ static bool fetch(Input& input, bool /*is_signed*/, std::uint64_t& value) {
    value = input.fetch_byte();
    return true;
  }
};

using ByteRle = RunsAndLists<ByteValues>;

}  // namespace
}  // namespace gsst::codag
