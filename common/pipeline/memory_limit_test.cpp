#include "common/pipeline/memory_limit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gsst::pipeline {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr format::FrameHeader frame_header{
    .format = format::BlockFormat::splits, .block_size = mebibyte, .split_count = 128};

TEST(MemoryLimit, BatchesTakeNoMoreThanIsAllowedAndOneMoreBlockWould) {
  for (const std::uint64_t allowed : {10 * mebibyte, 64 * mebibyte, 1000 * mebibyte}) {
    const BatchLimits limits = limits_within(allowed, frame_header, std::nullopt);
    EXPECT_LE(memory_bytes(limits), allowed);
    EXPECT_GE(limits.bytes, limits.blocks * mebibyte) << "raw blocks fit";
    EXPECT_EQ(limits.output_bytes, limits.blocks * mebibyte);
    const std::uint64_t per_block = memory_bytes(limits) / limits.blocks;
    EXPECT_GT(memory_bytes(limits) + per_block, allowed);
  }
}

TEST(MemoryLimit, SmallFramesTakeLess) {
  const BatchLimits limits = limits_within(1000 * mebibyte, frame_header, 3 * mebibyte / 2);
  EXPECT_EQ(limits.blocks, 12) << "a byte decodes to eight at most";
  EXPECT_EQ(limits.bytes, 3 * mebibyte / 2);
  EXPECT_EQ(limits_within(1000 * mebibyte, frame_header, 100).blocks, 1);
}

TEST(MemoryLimit, SaysWhatOneBlockNeeds) {
  try {
    limits_within(mebibyte, frame_header, std::nullopt);
    FAIL() << "accepted";
  } catch (const MemoryLimitError& error) {
    const std::string message = error.what();
    const std::string needed = message.substr(message.find("need ") + 5);
    const std::uint64_t bytes = std::stoull(needed);
    EXPECT_EQ(limits_within(bytes, frame_header, std::nullopt).blocks, 1) << message;
    EXPECT_THROW(limits_within(bytes - 1, frame_header, std::nullopt), MemoryLimitError);
  }
}

}  // namespace
}  // namespace gsst::pipeline
