#include "common/frame/checksum_plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::frame {
namespace {

using stage::Executor;
using stage::Given;

constexpr std::size_t checked_block_bytes = 40'000;
constexpr auto wrong_word = static_cast<std::uint32_t>(stage::BlockStatus::wrong_checksum);

// A frame of three blocks, what was decoded of it, and the words for its blocks.
struct Decoded {
  explicit Decoded(format::ChecksumKind checksum_kind)
      : kind(checksum_kind),
        output(reference::test::make_text(3 * checked_block_bytes, 1)),
        frame(reference::compress(output, {.format = format::BlockFormat::splits,
                                           .block_bytes = checked_block_bytes,
                                           .checksum_kind = checksum_kind,
                                           .threads = 1})) {}

  ChecksumSubject subject() const {
    return {.frame = stage::frame_shape(frame), .kind = kind, .longest_block_bytes = checked_block_bytes};
  }

  format::ChecksumKind kind;
  std::vector<std::uint8_t> output;
  std::vector<std::uint8_t> frame;
  std::array<std::uint32_t, 3> status = {};
};

// Enqueues the plan, whose parts after the fourth are `more`.
stage::Outcome compare(Decoded& decoded, const stage::Plan& plan, const std::vector<Given>& more = {}) {
  std::vector<std::uint64_t> scratch(bytes_of(plan, stage::Role::scratch) / sizeof(std::uint64_t));
  std::vector<Given> given = {stage::to_read(decoded.frame.data(), decoded.frame.size()),
                              stage::to_read(decoded.output.data(), decoded.output.size()),
                              {.data = scratch.data(), .bytes = scratch.size() * sizeof(std::uint64_t)},
                              {.data = decoded.status.data(), .bytes = sizeof decoded.status}};
  given.insert(given.end(), more.begin(), more.end());
  enqueue_all(plan, given, nullptr);
  return plan.check(std::as_bytes(std::span(decoded.status)), {}, 10);
}

TEST(ChecksumPlan, FindsTheFirstBlockThatIsNotAsStored) {
  for (const format::ChecksumKind kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
    Decoded decoded(kind);
    const auto plan = make_checksum_plan(Executor::simt, decoded.subject());
    const stage::Outcome right = compare(decoded, *plan);
    EXPECT_TRUE(right.is_complete && !right.problem);
    EXPECT_EQ(right.count, decoded.output.size());

    decoded.output[2 * checked_block_bytes] ^= 1;
    decoded.status = {7, 0, 0};
    const stage::Outcome refused = compare(decoded, *plan);
    EXPECT_EQ(decoded.status, (std::array<std::uint32_t, 3>{7, 0, wrong_word})) << "what decoders say stays";
    decoded.status = {};
    const stage::Outcome wrong = compare(decoded, *plan);
    ASSERT_TRUE(wrong.problem);
    EXPECT_EQ(wrong.problem->item, 12U);
    EXPECT_EQ(wrong.problem->field, "checksum");
    EXPECT_FALSE(wrong.is_complete);
  }
}

TEST(ChecksumPlan, ReadsAnIndexAndAKindThatAreApart) {
  Decoded decoded(format::ChecksumKind::xxh64);
  ChecksumSubject subject = decoded.subject();
  const std::uint64_t index_offset = subject.frame.index_offset;
  const std::vector<std::uint8_t> index(
      decoded.frame.begin() + static_cast<std::ptrdiff_t>(index_offset),
      decoded.frame.begin() + static_cast<std::ptrdiff_t>(index_offset + 3 * format::index_entry_bytes));
  subject.frame.index_offset = 0;
  subject.index_is_apart = true;
  subject.kind = format::ChecksumKind::xxh64_tree;
  subject.kind_is_stored = true;
  const auto plan = make_checksum_plan(Executor::simt, subject);
  ASSERT_EQ(plan->parts().size(), 6U);
  const std::vector<Given> apart = {stage::to_read(index.data(), index.size()),
                                    stage::to_read(&decoded.kind, sizeof decoded.kind)};
  EXPECT_TRUE(compare(decoded, *plan, apart).is_complete);
  decoded.output[checked_block_bytes] ^= 1;
  compare(decoded, *plan, apart);
  EXPECT_EQ(decoded.status, (std::array<std::uint32_t, 3>{0, wrong_word, 0}));
}

TEST(ChecksumPlan, ThreadsUseItAtTheSameTime) {
  const Decoded right(format::ChecksumKind::xxh64_tree);
  const auto plan = make_checksum_plan(Executor::simt, right.subject());
  std::vector<Decoded> copies(3, right);
  for (std::size_t i = 0; i < copies.size(); ++i) copies[i].output[i * checked_block_bytes] ^= 1;
  std::vector<stage::Outcome> outcomes(copies.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      threads.emplace_back([&, i] { outcomes[i] = compare(copies[i], *plan); });
    }
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    ASSERT_TRUE(outcomes[i].problem);
    EXPECT_EQ(outcomes[i].problem->item, 10 + i);
  }
}

TEST(ChecksumPlan, AProgramWithoutKernelsSaysSo) {
  EXPECT_THROW(make_checksum_plan(Executor::cpu, Decoded(format::ChecksumKind::xxh64).subject()),
               std::logic_error);
}

}  // namespace
}  // namespace gsst::frame
