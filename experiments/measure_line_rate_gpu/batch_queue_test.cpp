#include "experiments/measure_line_rate_gpu/batch_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <thread>

namespace gsst::experiments {
namespace {

TEST(MeasureLineRateBatchQueue, BatchesComeInOrderAndNoMoreThanThereAreSlots) {
  constexpr std::uint64_t batches = 2000;
  BatchQueue queue(2);
  std::jthread starting([&] {
    const ClosingQueue closing(queue);
    for (std::uint64_t i = 0; i < batches && queue.wait_for_slot(); ++i) queue.put({.first = i, .count = i});
  });
  std::uint64_t next = 0;
  while (const std::optional<BatchQueue::Batch> batch = queue.take()) {
    EXPECT_EQ(batch->first, next);
    EXPECT_EQ(batch->count, next);
    ++next;
    queue.free_slot();
  }
  EXPECT_EQ(next, batches);
}

TEST(MeasureLineRateBatchQueue, ASlotIsFreeOnlyOnceItIsGivenBack) {
  BatchQueue queue(1);
  EXPECT_TRUE(queue.wait_for_slot());
  queue.put({.first = 5, .count = 1});
  std::jthread second([&] {
    EXPECT_TRUE(queue.wait_for_slot());
    queue.put({.first = 6, .count = 1});
  });
  EXPECT_EQ(queue.take()->first, 5U);
  queue.free_slot();
  EXPECT_EQ(queue.take()->first, 6U);
}

TEST(MeasureLineRateBatchQueue, AClosedQueueGivesWhatItHasAndLetsNobodyWait) {
  BatchQueue queue(3);
  EXPECT_TRUE(queue.wait_for_slot());
  queue.put({.first = 0, .count = 4});
  queue.close();
  EXPECT_FALSE(queue.wait_for_slot());
  EXPECT_EQ(queue.take()->count, 4U);
  EXPECT_FALSE(queue.take());
  BatchQueue full(1);
  EXPECT_TRUE(full.wait_for_slot());
  std::jthread starting([&] { EXPECT_FALSE(full.wait_for_slot()); });
  full.close();
}

}  // namespace
}  // namespace gsst::experiments
