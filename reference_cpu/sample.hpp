#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gsst::reference {

/// The parts of `input` that the trainer reads: all of it up to sample_bytes, else chunks of
/// sample_chunk_bytes, one from each of as many equal parts of the input, at places that `seed` decides.
std::vector<std::span<const std::uint8_t>> draw_sample(std::span<const std::uint8_t> input,
                                                       std::uint64_t seed);

}  // namespace gsst::reference
