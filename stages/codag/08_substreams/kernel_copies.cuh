#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/08_substreams/kernel_input.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A piece of output in shared memory, and the matches that it still lacks.
namespace gsst::codag {
namespace {

constexpr std::uint32_t staged_bytes = 2048;
constexpr std::uint32_t most_matches = 160;
// Shortest match of the format, and what a queued match has of its place.
constexpr std::uint32_t queued_distance_bits = 15;

// In shared memory. Places count from the 16-byte unit in which the piece begins.
struct StagedOutput {
  FourWords units[staged_bytes / 16];
  // Places, and distances less 1. Rising.
  std::uint32_t matches[most_matches];
  // Less 3.
  std::uint8_t lengths[most_matches];

  __device__ std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(units); }

  __device__ void queue(std::uint32_t number, std::uint32_t place, std::uint32_t distance,
                        std::uint32_t length) {
    matches[number] = place << queued_distance_bits | (distance - 1);
    lengths[number] = static_cast<std::uint8_t>(length - 3);
  }
};

// Where a StagedOutput belongs.
struct StagedPlace {
  // The output's first byte, and the one at place 0.
  const std::uint8_t* output;
  std::uint8_t* origin;
  // What is staged; bytes before it are in global memory.
  std::uint32_t begin;
  std::uint32_t end;
};

// All lanes of a warp: a byte for each lane.
__device__ inline void copy_match_by_warp(StagedOutput& staged, const StagedPlace& piece, std::uint32_t place,
                                          std::uint32_t distance, std::uint32_t length) {
  std::uint8_t* const bytes = staged.bytes();
  for (std::uint32_t i = lane_number(); i < length; i += lanes_of_warp) {
    const auto source = static_cast<std::int32_t>(place + (distance < length ? i % distance : i) - distance);
    bytes[place + i] = source < static_cast<std::int32_t>(piece.begin) ? piece.origin[source] : bytes[source];
  }
}

// All lanes of a warp.
__device__ inline void copy_matches(StagedOutput& staged, const StagedPlace& piece, std::uint32_t count) {
  for (std::uint32_t number = 0; number < count; ++number) {
    const std::uint32_t match = staged.matches[number];
    __syncwarp();
    copy_match_by_warp(staged, piece, match >> queued_distance_bits,
                       (match & ((1U << queued_distance_bits) - 1)) + 1,
                       std::uint32_t{staged.lengths[number]} + 3);
  }
}

// All lanes of a warp: writes what is staged to its place, whole units where there are.
__device__ inline void write_staged(const StagedOutput& staged, const StagedPlace& piece) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(staged.units);
  const std::uint32_t lane = lane_number();
  const std::uint32_t first_end = std::min((piece.begin + 15) / 16 * 16, piece.end);
  if (piece.begin + lane < first_end) piece.origin[piece.begin + lane] = bytes[piece.begin + lane];
  auto* const units = reinterpret_cast<FourWords*>(piece.origin);
  for (std::uint32_t unit = first_end / 16 + lane; unit < piece.end / 16; unit += lanes_of_warp) {
    units[unit] = staged.units[unit];
  }
  const std::uint32_t rest = std::max(piece.end / 16 * 16, first_end) + lane;
  if (rest < piece.end) piece.origin[rest] = bytes[rest];
}

}  // namespace
}  // namespace gsst::codag
