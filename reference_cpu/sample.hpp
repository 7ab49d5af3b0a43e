#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/host_device.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {

/// Where the chunk of part `part` of an input starts, if the input has parts of `part_bytes` bytes, at least
/// sample_chunk_bytes, and more than these.
GSST_HOST_DEVICE inline std::uint64_t sample_chunk_begin(std::uint64_t part, std::uint64_t part_bytes,
                                                         std::uint64_t seed) {
  // The number `part` of the splitmix64 generator: four lines with the same result on every machine, which
  // the distributions of <random> do not promise.
  std::uint64_t mixed = seed + (part + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return part * part_bytes + (mixed ^ (mixed >> 31)) % (part_bytes - sample_chunk_bytes + 1);
}

/// The parts of `input` that a trainer reads: all of it up to `bytes`, else chunks of sample_chunk_bytes, one
/// from each of as many equal parts of the input, at places that `seed` decides. `bytes` is at least one
/// chunk.
std::vector<std::span<const std::uint8_t>> draw_sample(std::span<const std::uint8_t> input, std::size_t bytes,
                                                       std::uint64_t seed);

}  // namespace gsst::reference
