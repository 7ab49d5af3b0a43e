#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

#include "stages/zero_length/feed/feed.hpp"

namespace {

// Of all threads of the program.
std::atomic<std::uint64_t> allocations = 0;

void* allocate(std::size_t bytes) {
  ++allocations;
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): what operator new stands on.
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// The array forms and those that do not throw call these.
void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}

namespace gsst::zero_length {
namespace {

TEST(ZeroLengthFeedAllocations, NoneAfterTheFeedIsMade) {
  const std::vector<std::uint8_t> input(10'000, 255);
  for (const std::uint32_t threads : {0, 1, 4}) {
    const std::uint64_t before_feed = allocations;
    Feed feed({.block_bytes = 999, .slots = 3, .threads = threads});
    const std::uint64_t before = allocations;
    // The test counts at all.
    EXPECT_GT(before, before_feed);
    std::uint64_t stored_bytes = 0;
    const auto take_one = [&] {
      feed.wait_for_block();
      const auto block = feed.next_block();
      stored_bytes += block->bytes.size();
      feed.release();
      return block->uncompressed_bytes != 0;
    };
    for (int round = 0; round < 20; ++round) {
      for (std::span<const std::uint8_t> rest = input; !rest.empty();) {
        const std::size_t taken = feed.push(rest);
        rest = rest.subspan(taken);
        if (taken == 0) take_one();
      }
    }
    feed.finish();
    while (take_one()) {
    }
    EXPECT_EQ(allocations, before) << threads;
    EXPECT_EQ(stored_bytes, 400'000U + 201 * 16 + 8);
    EXPECT_EQ(feed.state().filled_blocks, 201U);
  }
}

}  // namespace
}  // namespace gsst::zero_length
