#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "stages/codag/shared/runs_and_lists.cuh"
#include "stages/codag/shared/varint.cuh"

// Format orc_rle_v1: runs have a difference, values are varints.
namespace gsst::codag {
namespace {

struct VarintValues {
  static constexpr bool has_differences = true;
  static constexpr std::uint32_t most_bytes = format::codag::max_varint_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return integer_chunk(block); }

  template <typename Input>
  __device__ static bool fetch(Input& input, bool is_signed, std::uint64_t& value) {
    return fetch_number(input, is_signed, value);
  }
};

using OrcRleV1 = RunsAndLists<VarintValues>;

}  // namespace
}  // namespace gsst::codag
