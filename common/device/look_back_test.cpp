#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/look_back.cuh"
#include "common/simt/cuda_on_cpu.hpp"
#include "common/simt/test_kernel_errors.hpp"

namespace gsst::device {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr std::uint64_t order_seeds = 6;
#else
constexpr std::uint64_t order_seeds = 24;
#endif

struct Tiles {
  std::vector<std::uint64_t> values;
  // A tile at which sums start anew, if it is 1.
  std::vector<std::uint8_t> starts;
};

struct Sums {
  unsigned ticket = 0;
  std::vector<std::uint64_t> states;
  std::vector<std::uint64_t> before;
};

// A tile has one value. Where it waits for nobody its sum is known from the start on.
__global__ void sum_tiles(const Tiles* tiles, Sums* sums) {
  auto* const shared = reinterpret_cast<unsigned*>(simt::shared_memory());
  const std::uint32_t tile = ticket_of_block(&sums->ticket, shared);
  if (threadIdx.x >= 32) return;
  const bool starts = tiles->starts[tile] != 0;
  const std::uint64_t value = tiles->values[tile];
  std::uint64_t* const state = &sums->states[tile];
  if (threadIdx.x == 0) {
    if (starts) {
      publish_sum_from_start(state, value);
    } else {
      publish_sum_of_tile(state, value);
    }
  }
  const std::uint64_t before = starts ? 0 : sum_before_tile(sums->states.data(), tile);
  if (threadIdx.x % 32 == 31) sums->before[tile] = before;
  if (threadIdx.x == 0) publish_sum_from_start(state, before + value);
}

void expect_sums(const Tiles& tiles, unsigned threads) {
  const auto count = static_cast<unsigned>(tiles.values.size());
  std::vector<std::uint64_t> expected(count);
  for (unsigned tile = 1; tile < count; ++tile) {
    if (tiles.starts[tile] == 0) expected[tile] = expected[tile - 1] + tiles.values[tile - 1];
  }
  simt::Launch launch = {.grid = {.x = count}, .block = {.x = threads}, .shared_bytes = sizeof(unsigned)};
  for (launch.order_seed = 0; launch.order_seed < order_seeds; ++launch.order_seed) {
    SCOPED_TRACE(std::to_string(count) + " tiles of " + std::to_string(threads) + " threads, order seed " +
                 std::to_string(launch.order_seed));
    Sums sums = {.states = std::vector<std::uint64_t>(count), .before = std::vector<std::uint64_t>(count)};
    ASSERT_EQ(simt::error_of(launch, [&] { sum_tiles(&tiles, &sums); }), "");
    ASSERT_EQ(sums.before, expected);
    for (unsigned tile = 0; tile < count; ++tile) {
      ASSERT_EQ(published_sum(sums.states[tile]), expected[tile] + tiles.values[tile]);
    }
  }
}

Tiles tiles_of(unsigned count) {
  Tiles tiles = {.values = std::vector<std::uint64_t>(count), .starts = std::vector<std::uint8_t>(count)};
  for (unsigned tile = 0; tile < count; ++tile) tiles.values[tile] = tile * 2654435761U >> 7;
  return tiles;
}

TEST(LookBack, SumsAllTilesBeforeInEveryOrder) {
  for (const unsigned threads : {32U, 96U}) {
    for (const unsigned count : {1U, 2U, 31U, 32U, 33U, 34U, 65U, 129U, 300U}) {
      expect_sums(tiles_of(count), threads);
      if (HasFatalFailure()) return;
    }
  }
}

// 2^62 - 1 is the largest sum.
TEST(LookBack, SumsUseAllOfTheirBits) {
  Tiles tiles = tiles_of(40);
  tiles.values.assign(40, 0);
  tiles.values[0] = (std::uint64_t{1} << look_back_sum_bits) - 3;
  tiles.values[20] = 1;
  tiles.values[38] = 1;
  expect_sums(tiles, 64);
}

TEST(LookBack, SumsStartAnewWhereATileSaysSo) {
  for (const unsigned distance : {1U, 2U, 3U, 32U, 33U, 40U}) {
    Tiles tiles = tiles_of(90);
    for (unsigned tile = 0; tile < 90; tile += distance) tiles.starts[tile] = 1;
    expect_sums(tiles, 32);
    if (HasFatalFailure()) return;
  }
}

// One warp, as the last of so many tiles; all others have published.
__global__ void look_back_from_last(Sums* sums) {
  const auto last = static_cast<std::uint32_t>(sums->before.size() - 1);
  const std::uint64_t before = sum_before_tile(sums->states.data(), last);
  if (threadIdx.x == 31) sums->before[last] = before;
}

// Of tiles whose sum is known from the start on, the nearest counts, however many reads away.
TEST(LookBack, ReadsAsManyStatesAsItTakes) {
  constexpr unsigned count = 500;
  for (const unsigned distance :
       {1U, 2U, 32U, 33U, 64U, 96U, 127U, 128U, 129U, 130U, 255U, 256U, 257U, 384U, 385U, 499U}) {
    SCOPED_TRACE(distance);
    const unsigned known = count - 1 - distance;
    Sums sums = {.states = std::vector<std::uint64_t>(count), .before = std::vector<std::uint64_t>(count)};
    std::uint64_t expected = 1'000'000;
    for (unsigned tile = 0; tile < count; ++tile)
      sums.states[tile] = look_back_detail::sum_of_tile | (tile + 1);
    sums.states[known] = look_back_detail::sum_from_start | expected;
    if (known > 0) sums.states[known - 1] = look_back_detail::sum_from_start | 7;
    for (unsigned tile = known + 1; tile < count - 1; ++tile) expected += tile + 1;
    const simt::Launch launch = {.grid = {.x = 1}, .block = {.x = 32}};
    ASSERT_EQ(simt::error_of(launch, [&] { look_back_from_last(&sums); }), "");
    EXPECT_EQ(sums.before.back(), expected);
  }
}

// Nobody publishes anything for the first tile: the others wait for it, and say so.
__global__ void wait_for_silent_tile(Sums* sums) {
  auto* const shared = reinterpret_cast<unsigned*>(simt::shared_memory());
  const std::uint32_t tile = ticket_of_block(&sums->ticket, shared);
  if (tile == 0) return;
  sums->before[tile] = sum_before_tile(sums->states.data(), tile);
}

TEST(LookBack, WaitsForATileThatHasPublishedNothing) {
  simt::Launch launch = {.grid = {.x = 3}, .block = {.x = 32}, .shared_bytes = sizeof(unsigned)};
  for (launch.order_seed = 0; launch.order_seed < order_seeds; ++launch.order_seed) {
    Sums sums = {.states = std::vector<std::uint64_t>(3), .before = std::vector<std::uint64_t>(3)};
    const std::string error = simt::error_of(launch, [&] { wait_for_silent_tile(&sums); });
    simt::expect_part(error, "hang: ");
    simt::expect_part(error, "look_back.cuh:");
  }
}

}  // namespace
}  // namespace gsst::device
