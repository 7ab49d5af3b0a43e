#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gsst::reference {

/// The parts of `input` that a trainer reads: all of it up to `bytes`, else chunks of sample_chunk_bytes, one
/// from each of as many equal parts of the input, at places that `seed` decides. `bytes` is at least one
/// chunk.
std::vector<std::span<const std::uint8_t>> draw_sample(std::span<const std::uint8_t> input, std::size_t bytes,
                                                       std::uint64_t seed);

}  // namespace gsst::reference
