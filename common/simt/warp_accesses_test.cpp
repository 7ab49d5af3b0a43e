#include "common/simt/warp_accesses.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gsst::simt {
namespace {

// Codes are only compared: places in an array.
constexpr std::array<char, 8> made_up_program{};

const void* code(std::size_t place) {
  return &made_up_program[place];
}

AccessCounts sum(const CountsByCode& counts) {
  AccessCounts all;
  for (const auto& [key, of_code] : counts) all += of_code;
  return all;
}

// Counts of one access of `lanes` lanes, `stride` bytes apart.
AccessCounts strided(AccessClass access_class, unsigned lanes, std::size_t stride, std::size_t bytes,
                     std::uintptr_t first = 0x10000) {
  WarpAccesses warp;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    warp.add(lane, access_class, first + lane * stride, bytes, code(0));
  }
  CountsByCode counts;
  warp.count(counts);
  return sum(counts);
}

TEST(WarpAccesses, SectorsFollowFromTheStride) {
  EXPECT_EQ(strided(AccessClass::global_load, 32, 1, 1).sectors, 1u);
  EXPECT_EQ(strided(AccessClass::global_load, 32, 4, 4).sectors, 4u);
  EXPECT_EQ(strided(AccessClass::global_load, 32, 8, 4).sectors, 8u);
  EXPECT_EQ(strided(AccessClass::global_load, 32, 16, 4).sectors, 16u);
  EXPECT_EQ(strided(AccessClass::global_load, 32, 128, 4).sectors, 32u);
  EXPECT_EQ(strided(AccessClass::global_store, 32, 16, 16).sectors, 16u);
  EXPECT_EQ(strided(AccessClass::global_load, 32, 4, 4, 0x10010).sectors, 5u);
  EXPECT_EQ(strided(AccessClass::global_load, 32, 0, 4).sectors, 1u);
}

TEST(WarpAccesses, ARequestHasTheLanesAndTheirBytes) {
  const AccessCounts counts = strided(AccessClass::global_load, 7, 4, 4);
  EXPECT_EQ(counts.requests, 1u);
  EXPECT_EQ(counts.lanes, 7u);
  EXPECT_EQ(counts.bytes, 28u);
  EXPECT_EQ(counts.passes, 0u);
}

TEST(WarpAccesses, PassesFollowFromTheBanks) {
  const auto passes = [](std::size_t stride, std::size_t bytes) {
    const AccessCounts counts = strided(AccessClass::shared_load, 32, stride, bytes);
    return std::pair(counts.passes, counts.passes_without_conflicts);
  };
  using Passes = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(passes(4, 4), Passes(1, 1));
  EXPECT_EQ(passes(8, 4), Passes(2, 1));
  EXPECT_EQ(passes(16, 4), Passes(4, 1));
  EXPECT_EQ(passes(128, 4), Passes(32, 1));
  EXPECT_EQ(passes(132, 4), Passes(1, 1));
  // One word for all, and four lanes a word.
  EXPECT_EQ(passes(0, 4), Passes(1, 1));
  EXPECT_EQ(passes(1, 1), Passes(1, 1));
  EXPECT_EQ(passes(8, 8), Passes(2, 2));
  EXPECT_EQ(passes(16, 8), Passes(4, 2));
  EXPECT_EQ(passes(16, 16), Passes(4, 4));
  EXPECT_EQ(passes(32, 16), Passes(8, 4));
}

TEST(WarpAccesses, AtomicAccessesToOneWordTakeAPassEach) {
  EXPECT_EQ(strided(AccessClass::shared_atomic, 32, 0, 4).passes, 32u);
  EXPECT_EQ(strided(AccessClass::shared_atomic, 32, 4, 4).passes, 1u);
  EXPECT_EQ(strided(AccessClass::shared_atomic, 5, 128, 4).passes, 5u);
}

TEST(WarpAccesses, WideAndMisalignedAccessesAreSeveral) {
  EXPECT_EQ(strided(AccessClass::global_load, 1, 0, 64).requests, 4u);
  EXPECT_EQ(strided(AccessClass::global_load, 1, 0, 16, 0x10008).requests, 2u);
  // 1, 2, 4, 8 and 1 bytes.
  EXPECT_EQ(strided(AccessClass::global_load, 1, 0, 16, 0x10001).requests, 5u);
  EXPECT_EQ(strided(AccessClass::global_load, 1, 0, 16, 0x10001).bytes, 16u);
}

// Lane 0 goes through a loop of two accesses three times, lane 1 once; then both do the third access.
TEST(WarpAccesses, LanesWaitBehindALoopForThoseInIt) {
  WarpAccesses warp;
  for (unsigned lane = 0; lane < 2; ++lane) {
    for (unsigned turn = 0; turn < (lane == 0 ? 3u : 1u); ++turn) {
      warp.add(lane, AccessClass::global_load, 0, 4, code(1));
      warp.add(lane, AccessClass::global_load, 0, 4, code(2));
    }
    warp.add(lane, AccessClass::global_load, 0, 4, code(3));
  }
  CountsByCode counts;
  warp.count(counts);
  const auto of = [&](std::size_t place) { return counts[{code(place), AccessClass::global_load}]; };
  EXPECT_EQ(of(1).requests, 3u);
  EXPECT_EQ(of(1).lanes, 4u);
  EXPECT_EQ(of(2).requests, 3u);
  EXPECT_EQ(of(3).requests, 1u);
  EXPECT_EQ(of(3).lanes, 2u);
}

TEST(WarpAccesses, TheFirstRequestsAreLoggedInTheirOrder) {
  WarpAccesses warp;
  RequestLog log{.most = 3, .requests = {}};
  warp.log_to(&log);
  for (const unsigned lane : {4u, 9u}) {
    warp.add(lane, AccessClass::global_load, 4 * lane, 4, code(1));
    warp.add(lane, AccessClass::shared_store, lane, 1, code(lane == 4 ? 2 : 3));
    warp.add(lane, AccessClass::global_load, 8 * lane, 8, code(4));
  }
  CountsByCode counts;
  warp.count(counts);
  ASSERT_EQ(log.requests.size(), 3u);
  const WarpRequest& first = log.requests[0];
  EXPECT_EQ(first.code, code(1));
  EXPECT_EQ(first.access_class, AccessClass::global_load);
  EXPECT_EQ(first.bytes, 4u);
  EXPECT_EQ(first.lanes, 1u << 4 | 1u << 9);
  EXPECT_EQ(first.addresses[4], 16u);
  EXPECT_EQ(first.addresses[9], 36u);
  // They go different ways, one after the other.
  EXPECT_EQ(log.requests[1].lanes ^ log.requests[2].lanes, first.lanes);
  EXPECT_EQ(sum(counts).requests, 4u);
  warp.log_to(nullptr);
  warp.add(0, AccessClass::global_load, 0, 4, code(1));
  log.most = 9;
  warp.count(counts);
  EXPECT_EQ(log.requests.size(), 3u);
}

// A loop in whose turns one lane each does something more, in code that is behind the loop: all lanes are
// together again in the next turn.
TEST(WarpAccesses, LanesDoNotGetAheadByATurnOfALoop) {
  constexpr std::size_t head = 1;
  constexpr std::size_t end_of_turn = 2;
  constexpr std::size_t behind = 3;
  WarpAccesses warp;
  for (unsigned lane = 0; lane < 4; ++lane) {
    for (unsigned turn = 0; turn < 4; ++turn) {
      warp.enter(lane, code(head));
      warp.add(lane, AccessClass::shared_load, 4 * lane, 4, code(head + 4));
      if (turn == lane) warp.add(lane, AccessClass::global_store, 4 * lane, 4, code(behind));
      warp.enter(lane, code(end_of_turn));
    }
  }
  CountsByCode counts;
  warp.count(counts);
  EXPECT_EQ((counts[{code(head + 4), AccessClass::shared_load}].requests), 4u);
  EXPECT_EQ((counts[{code(behind), AccessClass::global_store}].requests), 4u);
  EXPECT_EQ(sum(counts).lanes, 20u);
}

TEST(WarpAccesses, ACopyIsOneAccessHoweverLong) {
  WarpAccesses warp;
  warp.add_copy(3, AccessClass::global_copy, 16, 1024, code(0));
  warp.add_copy(3, AccessClass::shared_copy, 0, 1024, code(0));
  CountsByCode counts;
  warp.count(counts);
  const AccessCounts global = counts[{code(0), AccessClass::global_copy}];
  EXPECT_EQ(global.requests, 1u);
  EXPECT_EQ(global.lanes, 1u);
  EXPECT_EQ(global.bytes, 1024u);
  EXPECT_EQ(global.sectors, 33u);
  const AccessCounts shared = counts[{code(0), AccessClass::shared_copy}];
  EXPECT_EQ(shared.passes, 8u);
  EXPECT_EQ(shared.passes_without_conflicts, 8u);
}

TEST(WarpAccesses, AnAtomicAccessMayHaveBranchesInIt) {
  WarpAccesses warp;
  warp.add(0, AccessClass::global_load, 64, 4, code(0));
  warp.enter(0, code(1));
  EXPECT_TRUE(warp.make_atomic(0, 64, AccessClass::global_atomic));
  warp.converge(1);
  EXPECT_FALSE(warp.make_atomic(0, 64, AccessClass::global_atomic));
}

TEST(WarpAccesses, BranchesAreOneAfterTheOther) {
  WarpAccesses warp;
  for (unsigned lane = 0; lane < 32; ++lane) {
    warp.add(lane, AccessClass::global_store, 4 * lane, 4, code(lane % 2));
    warp.add(lane, AccessClass::global_store, 4 * lane, 4, code(2));
  }
  CountsByCode counts;
  warp.count(counts);
  EXPECT_EQ(sum(counts).requests, 3u);
  EXPECT_EQ(sum(counts).lanes, 64u);
}

// Without coming together lane 1 would join the first access of lane 0.
TEST(WarpAccesses, LanesComeTogether) {
  for (const bool come_together : {false, true}) {
    WarpAccesses warp;
    warp.add(0, AccessClass::global_load, 0, 4, code(1));
    if (come_together) warp.converge(3);
    warp.add(1, AccessClass::global_load, 0, 4, code(1));
    for (unsigned lane = 0; lane < 2; ++lane) warp.add(lane, AccessClass::global_load, 0, 4, code(2));
    CountsByCode counts;
    warp.count(counts);
    EXPECT_EQ(sum(counts).requests, come_together ? 3u : 2u);
    EXPECT_EQ(sum(counts).lanes, 4u);
  }
}

TEST(WarpAccesses, GroupsOfLanesComeTogetherEachForItself) {
  WarpAccesses warp;
  for (unsigned lane = 0; lane < 4; ++lane) warp.add(lane, AccessClass::global_load, 0, 4, code(lane / 2));
  warp.converge(0b0011);
  warp.converge(0b1100);
  for (unsigned lane = 0; lane < 4; ++lane) warp.add(lane, AccessClass::global_load, 0, 4, code(2));
  warp.converge(0b1111);
  for (unsigned lane = 0; lane < 4; ++lane) warp.add(lane, AccessClass::global_load, 0, 4, code(0));
  CountsByCode counts;
  warp.count(counts);
  EXPECT_EQ(sum(counts).requests, 4u);
  EXPECT_EQ(sum(counts).lanes, 12u);
  EXPECT_EQ(warp.size(), 0u);
}

TEST(WarpAccesses, OnlyALoadOfTheSameAddressBecomesAtomic) {
  WarpAccesses warp;
  EXPECT_FALSE(warp.make_atomic(0, 64, AccessClass::global_atomic));
  warp.add(0, AccessClass::global_load, 64, 4, code(0));
  EXPECT_FALSE(warp.make_atomic(0, 68, AccessClass::global_atomic));
  EXPECT_FALSE(warp.make_atomic(1, 64, AccessClass::global_atomic));
  EXPECT_TRUE(warp.make_atomic(0, 64, AccessClass::global_atomic));
  EXPECT_FALSE(warp.make_atomic(0, 64, AccessClass::global_atomic));
  CountsByCode counts;
  warp.count(counts);
  EXPECT_EQ((counts[{code(0), AccessClass::global_atomic}].requests), 1u);
  EXPECT_EQ(sum(counts).requests, 1u);
}

}  // namespace
}  // namespace gsst::simt
