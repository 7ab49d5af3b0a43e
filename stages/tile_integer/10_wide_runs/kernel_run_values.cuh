#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_instructions.cuh"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// A run block in shared memory on its way from runs to values: the values of runs, and heads, a byte for each
// value that says whether a run begins with it.
namespace gsst::tile_integer::wide_runs {
namespace {

using format::tile_integer::run_block_values;

// Runs are unpacked by four a lane.
constexpr std::uint32_t runs_of_lane = 4;
constexpr std::uint32_t runs_of_step = runs_of_lane * lanes_of_warp;

template <std::uint32_t ValueBytes>
constexpr std::uint32_t steps_of_run_block = run_block_values / values_of_step<ValueBytes>;

// The values of a run block's runs in shared memory. Places are bytes from the first one of a thread block's.
//
// With `IsExchanged`, neighbours change places so that lanes meet different banks which have every second or
// fourth run. Those that have neighbouring ones do so anyhow.
template <std::uint32_t ValueBytes, bool IsExchanged>
class RunValues {
public:
  using Number = NumberOf<ValueBytes>;
  static constexpr std::uint32_t number_bytes = sizeof(Number);

  // From place `begin` on, a multiple of the bytes of four numbers.
  __device__ RunValues(std::uint8_t* memory, std::uint32_t begin) : memory_(memory), begin_(begin) {}

  __device__ std::uint32_t begin() const { return begin_; }
  // Of the run at `place`: begin() and number_bytes for each run before it.
  __device__ Number load(std::uint32_t place) const {
    return *reinterpret_cast<const Number*>(memory_ + (place ^ exchange(place)));
  }
  // Those of runs `run` to `run` + 3, a multiple of 4.
  __device__ void store(std::uint32_t run, const Number (&values)[runs_of_lane]) const {
    const std::uint32_t place = begin_ + run * number_bytes;
    const std::uint32_t first = place ^ exchange(place);
#pragma unroll
    for (std::uint32_t i = 0; i < runs_of_lane; ++i) {
      *reinterpret_cast<Number*>(memory_ + (first ^ i * number_bytes)) = values[i];
    }
  }

private:
  static constexpr std::uint32_t bytes_of_banks = 128;

  // Bits of places: four neighbours change theirs with each other.
  __device__ static std::uint32_t exchange(std::uint32_t place) {
    if (!IsExchanged) return 0;
    return place / (bytes_of_banks / number_bytes) & (runs_of_lane - 1) * number_bytes;
  }

  std::uint8_t* memory_;
  std::uint32_t begin_;
};

// For each of a lane's values of a step, how many runs begin with it and with those before it in the lane:
// bytes, each times the bytes of a number.
template <std::uint32_t ValueBytes>
struct HeadSums {
  static constexpr std::uint32_t number_bytes = sizeof(NumberOf<ValueBytes>);

  std::uint32_t words[ValueBytes == 8 ? 1 : values_of_lane<ValueBytes> / 4];

  // Of the lane whose first value's head is at `heads`.
  __device__ explicit HeadSums(const std::uint8_t* heads) {
    if constexpr (ValueBytes == 8) {
      words[0] = *reinterpret_cast<const std::uint16_t*>(heads) * (number_bytes * 0x0101U);
    } else {
      std::uint32_t before = 0;
#pragma unroll
      for (std::uint32_t i = 0; i < values_of_lane<ValueBytes> / 4; ++i) {
        // No sum of four bytes carries into the next one.
        words[i] = (reinterpret_cast<const std::uint32_t*>(heads)[i] * number_bytes + before) * 0x01010101U;
        before = words[i] >> 24;
      }
    }
  }
  __device__ std::uint32_t of_value(std::uint32_t index) const {
    return byte_of(words[index / 4], selector_of_first_byte + index % 4);
  }
  __device__ std::uint32_t of_lane() const {
    return of_value(values_of_lane<ValueBytes> - 1);
  }
};

// How many runs begin in a step, for all steps of a run block: one sum over the warp is of all.
template <std::uint32_t ValueBytes>
class RunsOfSteps {
public:
  // `heads_of` makes the HeadSums of a step.
  template <typename HeadsOf>
  __device__ explicit RunsOfSteps(HeadsOf&& heads_of) {
    Counts counts = 0;
#pragma unroll
    for (std::uint32_t step = 0; step < steps_of_run_block<ValueBytes>; ++step) {
      counts |= Counts{heads_of(step).of_lane() / number_bytes} << step * bits;
    }
    Counts sums[1] = {counts};
    warp_inclusive_sums(sums);
    before_lane_ = sums[0] - counts;
    of_warp_ = __shfl_sync(every_lane, sums[0], static_cast<int>(lanes_of_warp - 1));
  }

  // Those of the step in the lanes before this one, and in all lanes.
  __device__ std::uint32_t before_lane(std::uint32_t step) const {
    return of_step(before_lane_, step);
  }
  __device__ std::uint32_t of_warp(std::uint32_t step) const {
    return of_step(of_warp_, step);
  }

private:
  using Counts = NumberOf<ValueBytes>;
  static constexpr std::uint32_t number_bytes = HeadSums<ValueBytes>::number_bytes;
  static constexpr std::uint32_t bits = 8 * sizeof(Counts) / steps_of_run_block<ValueBytes>;
  static_assert(bits == 32 || values_of_step<ValueBytes> < 1U << bits);

  __device__ static std::uint32_t of_step(Counts counts, std::uint32_t step) {
    if constexpr (bits == 8) {
      return byte_of(static_cast<std::uint32_t>(counts >> step / 4 * 32), selector_of_first_byte + step % 4);
    }
    return static_cast<std::uint32_t>(counts >> step * bits) & lowest_ones(bits);
  }

  Counts before_lane_;
  Counts of_warp_;
};

}  // namespace
}  // namespace gsst::tile_integer::wide_runs
