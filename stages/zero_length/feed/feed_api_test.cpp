#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsst/zero_length_feed.hpp"

namespace gsst {
namespace {

template <typename Struct>
Struct sized_to(std::uint32_t bytes = sizeof(Struct)) {
  Struct made{};
  made.struct_bytes = bytes;
  return made;
}

class ZeroLengthFeedApi : public testing::Test {
protected:
  ~ZeroLengthFeedApi() override { gsst_zero_length_feed_destroy(feed_); }

  void create(std::uint64_t block_bytes, std::uint32_t slots) {
    auto options = sized_to<gsst_zero_length_feed_options>();
    options.block_bytes = block_bytes;
    options.slots = slots;
    ASSERT_EQ(gsst_zero_length_feed_create(&options, &feed_, &message_), GSST_OK) << message_.text;
  }

  gsst_error create_with(const gsst_zero_length_feed_options& options) {
    feed_ = reinterpret_cast<gsst_zero_length_feed*>(&message_);
    return gsst_zero_length_feed_create(&options, &feed_, &message_);
  }

  gsst_zero_length_feed* feed_ = nullptr;
  gsst_message message_{};
};

TEST_F(ZeroLengthFeedApi, BlocksComeOutInOrder) {
  create(4, 2);
  const unsigned char input[] = {0, 0, 0, 0, 7, 8, 9, 255, 1, 2};
  std::size_t taken = 99;
  ASSERT_EQ(gsst_zero_length_feed_push(feed_, input, sizeof input, &taken, &message_), GSST_OK);
  // Two slots of 4 bytes.
  EXPECT_EQ(taken, 8U);
  auto block = sized_to<gsst_zero_length_feed_block>();
  ASSERT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_OK);
  EXPECT_EQ(block.struct_bytes, sizeof block);
  EXPECT_EQ(block.stored_bytes, 18U);
  EXPECT_EQ(std::memcmp(block.bytes, "\x12\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\x04", 18), 0);
  ASSERT_EQ(gsst_zero_length_feed_release(feed_, &message_), GSST_OK);
  ASSERT_EQ(gsst_zero_length_feed_push(feed_, input + 8, 2, &taken, &message_), GSST_OK);
  EXPECT_EQ(taken, 2U);
  ASSERT_EQ(gsst_zero_length_feed_finish(feed_, &message_), GSST_OK);
  ASSERT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_OK);
  EXPECT_EQ(block.index, 1U);
  EXPECT_EQ(block.stored_bytes, 21U);
  ASSERT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_OK);
  EXPECT_EQ(block.index, 2U);
  EXPECT_EQ(block.uncompressed_bytes, 2U);
  EXPECT_EQ(block.is_guard, 0U);
  ASSERT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_OK);
  EXPECT_EQ(block.index, 3U);
  EXPECT_EQ(block.is_guard, 1U);
  EXPECT_EQ(block.stored_bytes, 8U);
  ASSERT_EQ(gsst_zero_length_feed_wait_for_block(feed_, nullptr), GSST_OK);
  ASSERT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_OK);
  EXPECT_EQ(block.bytes, nullptr);
  EXPECT_EQ(block.is_guard, 0U);
}

TEST_F(ZeroLengthFeedApi, NullOptionsTakeTheDefaults) {
  ASSERT_EQ(gsst_zero_length_feed_create(nullptr, &feed_, nullptr), GSST_OK);
  auto info = sized_to<gsst_zero_length_feed_info>();
  ASSERT_EQ(gsst_zero_length_feed_inspect(feed_, &info, nullptr), GSST_OK);
  EXPECT_EQ(info.block_bytes, 1U << 20);
  EXPECT_EQ(info.slots, 4U);
  EXPECT_EQ(info.threads, 0U);
  EXPECT_GE(info.vector_bytes, 8U);
  EXPECT_EQ(info.memory_bytes, (9U << 20) + 4 * 16);
}

TEST_F(ZeroLengthFeedApi, SlotsFollowTheThreads) {
  auto options = sized_to<gsst_zero_length_feed_options>();
  options.threads = 2;
  options.block_bytes = 100;
  ASSERT_EQ(create_with(options), GSST_OK);
  auto info = sized_to<gsst_zero_length_feed_info>();
  ASSERT_EQ(gsst_zero_length_feed_inspect(feed_, &info, nullptr), GSST_OK);
  EXPECT_EQ(info.slots, 8U);
  EXPECT_EQ(info.memory_bytes, 8 * 316U);
}

TEST_F(ZeroLengthFeedApi, OptionsOutOfRangeAreRefused) {
  auto options = sized_to<gsst_zero_length_feed_options>();
  const auto expect_refused = [&](const char* said) {
    EXPECT_EQ(create_with(options), GSST_ERROR_INVALID_ARGUMENT) << said;
    EXPECT_EQ(feed_, nullptr);
    EXPECT_NE(std::string(message_.text).find(said), std::string::npos) << message_.text;
    options = sized_to<gsst_zero_length_feed_options>();
  };
  options.struct_bytes = 8;
  expect_refused("struct_bytes is 8");
  options.struct_bytes = sizeof options + 8;
  expect_refused("struct_bytes");
  options.block_bytes = (1U << 30) + 1;
  expect_refused("block_bytes is 1073741825");
  options.slots = 65537;
  expect_refused("slots is 65537");
  options.threads = GSST_MAX_THREADS + 1;
  expect_refused("threads is 1025");
  options.vector_bytes = 7;
  expect_refused("vector_bytes is 7");
}

TEST_F(ZeroLengthFeedApi, NullPointersAreNamed) {
  EXPECT_EQ(gsst_zero_length_feed_create(nullptr, nullptr, &message_), GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message_.text, "feed is null");
  std::size_t taken = 3;
  auto block = sized_to<gsst_zero_length_feed_block>();
  auto info = sized_to<gsst_zero_length_feed_info>();
  EXPECT_EQ(gsst_zero_length_feed_push(nullptr, "a", 1, &taken, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(taken, 0U);
  EXPECT_EQ(gsst_zero_length_feed_finish(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_next(nullptr, &block, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_release(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_wait_for_room(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_wait_for_block(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_inspect(nullptr, &info, nullptr), GSST_ERROR_NULL_POINTER);
  create(4, 2);
  EXPECT_EQ(gsst_zero_length_feed_push(feed_, nullptr, 1, &taken, &message_), GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message_.text, "bytes is null");
  EXPECT_EQ(gsst_zero_length_feed_push(feed_, nullptr, 0, &taken, &message_), GSST_OK);
  EXPECT_EQ(gsst_zero_length_feed_push(feed_, "a", 1, nullptr, &message_), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_next(feed_, nullptr, &message_), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_zero_length_feed_inspect(feed_, nullptr, &message_), GSST_ERROR_NULL_POINTER);
  gsst_zero_length_feed_destroy(nullptr);
}

TEST_F(ZeroLengthFeedApi, AResultOfAnotherSizeLosesNoBlock) {
  create(1, 2);
  std::size_t taken = 0;
  ASSERT_EQ(gsst_zero_length_feed_push(feed_, "ab", 2, &taken, nullptr), GSST_OK);
  auto block = sized_to<gsst_zero_length_feed_block>(48);
  EXPECT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(message_.text, "block: struct_bytes is 48, expected 40");
  EXPECT_EQ(block.bytes, nullptr);
  auto info = sized_to<gsst_zero_length_feed_info>(4);
  EXPECT_EQ(gsst_zero_length_feed_inspect(feed_, &info, &message_), GSST_ERROR_INVALID_ARGUMENT);
  block.struct_bytes = sizeof block;
  ASSERT_EQ(gsst_zero_length_feed_next(feed_, &block, &message_), GSST_OK);
  EXPECT_EQ(block.index, 0U);
}

TEST_F(ZeroLengthFeedApi, WhatIsOutOfTurnIsRefused) {
  create(4, 2);
  EXPECT_EQ(gsst_zero_length_feed_release(feed_, &message_), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(message_.text, "feed: a block is released, and none is out");
  ASSERT_EQ(gsst_zero_length_feed_finish(feed_, nullptr), GSST_OK);
  EXPECT_EQ(gsst_zero_length_feed_finish(feed_, &message_), GSST_ERROR_INVALID_ARGUMENT);
  std::size_t taken = 1;
  EXPECT_EQ(gsst_zero_length_feed_push(feed_, "a", 1, &taken, &message_), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(taken, 0U);
}

TEST(ZeroLengthFeedInCxx, BytesGoInAndBlocksComeOut) {
  auto made = ZeroLengthFeed::create({.block_bytes = 3, .slots = 4, .threads = 2});
  ASSERT_TRUE(made);
  ZeroLengthFeed feed = std::move(made).value();
  const std::vector<std::byte> input(7, std::byte{0});
  EXPECT_EQ(feed.push(input).value(), 7U);
  feed.wait_for_room();
  EXPECT_EQ(feed.finish().value(), 3U);
  EXPECT_EQ(feed.push(input).failure().error, Error::invalid_argument);
  EXPECT_EQ(feed.finish().failure().message, "feed: it is finished twice");
  std::vector<std::size_t> sizes;
  for (std::uint64_t uncompressed_bytes = 1; uncompressed_bytes != 0;) {
    feed.wait_for_block();
    const std::optional<ZeroLengthFeedBlock> block = feed.next_block();
    ASSERT_TRUE(block);
    uncompressed_bytes = block->uncompressed_bytes;
    sizes.push_back(block->bytes.size());
    feed.release();
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{18, 18, 17, 8}));
  EXPECT_FALSE(feed.next_block());
  EXPECT_EQ(feed.info().released_blocks, 3U);
  EXPECT_EQ(ZeroLengthFeed::create({.slots = 70'000}).failure().error, Error::invalid_argument);
}

}  // namespace
}  // namespace gsst
