#include "common/pipeline/memory_limit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace gsst::pipeline {
namespace {

constexpr std::uint64_t kibibyte = std::uint64_t{1} << 10;
constexpr std::uint64_t mebibyte = kibibyte << 10;
constexpr std::uint64_t gibibyte = mebibyte << 10;

format::FrameHeader header_of(std::uint64_t block_size) {
  return {.format = format::BlockFormat::splits, .block_size = block_size, .split_count = 128};
}

format::BlockRecord record_of(std::uint64_t uncompressed_bytes, std::uint64_t payload_bytes) {
  return {.layout = format::BlockLayout::narrow,
          .payload_bytes = static_cast<std::uint32_t>(payload_bytes),
          .uncompressed_bytes = static_cast<std::uint32_t>(uncompressed_bytes),
          .checksum = 0};
}

// A frame of many blocks, of unknown length, which halves its input.
StreamMemory plan_for(std::uint64_t allowed, std::uint64_t block_size,
                      std::optional<std::uint64_t> frame_bytes = std::nullopt) {
  return plan_stream_memory(allowed, header_of(block_size), record_of(block_size, block_size / 2),
                            frame_bytes);
}

// So much is page-locked: pageable memory is not.
std::uint64_t pinned_bytes(const StreamMemory& memory) {
  return memory.is_pinned() ? memory.bytes() : 0;
}

constexpr std::array<std::uint64_t, 8> block_sizes = {
    1, kibibyte, 64 * kibibyte, mebibyte, 4 * mebibyte, 20 * mebibyte, 64 * mebibyte, gibibyte};

TEST(StreamMemory, IsWithinWhatIsAllowedAndItsPinnedPartIsBounded) {
  for (const std::uint64_t block_size : block_sizes) {
    for (std::uint64_t allowed = 64 * mebibyte; allowed <= 64 * gibibyte; allowed *= 2) {
      for (const std::uint64_t frame_bytes : {std::uint64_t{0}, kibibyte, 100 * mebibyte, 100 * gibibyte}) {
        SCOPED_TRACE(std::to_string(block_size) + " bytes a block, " + std::to_string(allowed) +
                     " allowed, a frame of " + std::to_string(frame_bytes));
        StreamMemory memory{};
        try {
          memory = plan_for(allowed, block_size,
                            frame_bytes == 0 ? std::nullopt : std::optional<std::uint64_t>(frame_bytes));
        } catch (const MemoryLimitError&) {
          EXPECT_LT(allowed, 3 * block_size);
          continue;
        }
        EXPECT_LE(memory.bytes(), allowed);
        EXPECT_LE(pinned_bytes(memory), most_pinned_bytes);
        EXPECT_GE(memory.slots, 1U);
        EXPECT_LE(memory.slots, slot_count);
        EXPECT_TRUE(memory.batch.holds(record_of(block_size, block_size / 2)));
        EXPECT_EQ(memory.batch.output_bytes, memory.batch.blocks * block_size);
      }
    }
  }
}

// Small blocks fill what may be pinned; more memory than that changes nothing.
TEST(StreamMemory, DoesNotGrowWithWhatIsAllowedBeyondWhatMayBePinned) {
  for (const std::uint64_t block_size : {kibibyte, mebibyte, 4 * mebibyte, 20 * mebibyte}) {
    SCOPED_TRACE(block_size);
    const StreamMemory least = plan_for(most_pinned_bytes, block_size);
    EXPECT_TRUE(least.is_pinned());
    EXPECT_EQ(least.slots, slot_count);
    // But for a block, and for the pieces of checksums that short blocks do not have.
    EXPECT_GT(least.bytes() + least.bytes() / least.batch.blocks + least.bytes() / 100, most_pinned_bytes);
    for (std::uint64_t allowed = 2 * most_pinned_bytes; allowed <= 64 * gibibyte; allowed *= 2) {
      EXPECT_EQ(plan_for(allowed, block_size).bytes(), least.bytes()) << allowed;
    }
  }
}

TEST(StreamMemory, HoldsABlockThatIsTooLargeToBePinned) {
  for (const std::uint64_t allowed : {std::uint64_t{3} * gibibyte, 64 * gibibyte}) {
    const StreamMemory memory = plan_for(allowed, gibibyte);
    EXPECT_EQ(memory.batch.blocks, 1U);
    EXPECT_FALSE(memory.is_pinned());
    EXPECT_EQ(memory.slots, allowed == 3 * gibibyte ? 1U : slot_count);
  }
}

TEST(StreamMemory, HoldsRawBlocks) {
  for (const std::uint64_t allowed : {std::uint64_t{10} * mebibyte, 64 * mebibyte, gibibyte}) {
    const StreamMemory memory = plan_for(allowed, mebibyte);
    EXPECT_GE(memory.batch.bytes, memory.batch.blocks * (mebibyte + format::record_header_bytes));
    EXPECT_TRUE(memory.batch.holds(record_of(mebibyte, mebibyte)));
  }
}

// Fewer batches at a time before a block is refused.
TEST(StreamMemory, TakesFewerSlotsWhereMemoryIsShort) {
  const std::uint64_t of_one_slot = plan_for(gibibyte, 30 * mebibyte).bytes() / slot_count;
  for (unsigned slots = 1; slots <= slot_count; ++slots) {
    const StreamMemory memory = plan_for(slots * of_one_slot, 30 * mebibyte);
    EXPECT_EQ(memory.slots, slots);
    EXPECT_EQ(memory.batch.blocks, 1U);
  }
}

// 1 KiB of text, compressed, in blocks of up to 1 GiB.
TEST(StreamMemory, OfABlockThatIsNotFullIsThatOfItsBytes) {
  const format::FrameHeader header = header_of(gibibyte);
  const format::BlockRecord only = record_of(kibibyte, 700);
  for (const auto& frame_bytes : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(860)}) {
    const StreamMemory memory = plan_stream_memory(8 * kibibyte, header, only, frame_bytes);
    EXPECT_EQ(memory.slots, 1U);
    EXPECT_EQ(memory.batch.output_bytes, kibibyte);
    EXPECT_LT(memory.bytes(), 2 * kibibyte);
    EXPECT_TRUE(memory.batch.holds(only));
  }
}

TEST(StreamMemory, FollowsTheSizeOfTheFrame) {
  for (const std::uint64_t block_size : {kibibyte, 4 * kibibyte, 64 * kibibyte}) {
    for (std::uint64_t frame_bytes = 2 * block_size; frame_bytes < mebibyte; frame_bytes *= 3) {
      const StreamMemory memory = plan_for(2 * gibibyte, block_size, frame_bytes);
      // A byte decodes to eight at most; the frame stands on the host and on the device.
      EXPECT_LE(memory.batch.output_bytes, 8 * frame_bytes + block_size);
      EXPECT_LE(memory.batch.bytes, frame_bytes);
      EXPECT_EQ(memory.slots, 1U);
    }
  }
  const StreamMemory memory = plan_for(2 * gibibyte, mebibyte, 3 * mebibyte / 2);
  EXPECT_EQ(memory.batch.blocks, 12U) << "a byte decodes to eight at most";
  EXPECT_EQ(memory.batch.bytes, 3 * mebibyte / 2);
}

// Format splits allows payloads of twice the block.
TEST(StreamMemory, HoldsABlockThatItsEncoderMadeLarger) {
  const format::BlockRecord larger = record_of(mebibyte, 2 * mebibyte);
  const StreamMemory memory = plan_stream_memory(gibibyte, header_of(mebibyte), larger, std::nullopt);
  EXPECT_TRUE(memory.batch.holds(larger));
  EXPECT_FALSE(plan_for(10 * mebibyte, mebibyte).batch.holds(larger));
}

TEST(StreamMemory, SaysWhatOneBlockNeeds) {
  try {
    plan_for(mebibyte, mebibyte);
    FAIL() << "accepted";
  } catch (const MemoryLimitError& error) {
    const std::string message = error.what();
    const std::uint64_t bytes = std::stoull(message.substr(message.find("need ") + 5));
    EXPECT_EQ(plan_for(bytes, mebibyte).batch.blocks, 1U) << message;
    EXPECT_EQ(plan_for(bytes, mebibyte).bytes(), bytes);
    EXPECT_THROW(plan_for(bytes - 1, mebibyte), MemoryLimitError);
  }
}

}  // namespace
}  // namespace gsst::pipeline
