#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "fuzz/kernels/batch.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"

// That the mutators' inputs are worth their time.
namespace gsst::fuzz {
namespace {

TEST(FuzzCodag, StreamsOfDeflateAreBothDecodedAndRefused) {
  std::size_t inputs = 0;
  std::size_t reached = 0;
  std::size_t decoded = 0;
  for (std::uint64_t number = 0; number < 12; ++number) {
    Random random(1, number);
    const Batch batch = make_batch(format::codag::deflate_format, 40, random);
    inputs += batch.inputs;
    reached += batch.expected.outputs.size();
    decoded += static_cast<std::size_t>(
        std::ranges::count_if(batch.expected.outputs, [](const auto& output) { return output.has_value(); }));
  }
  EXPECT_GT(2 * reached, inputs);
  EXPECT_GT(5 * decoded, reached);
  EXPECT_GT(10 * (reached - decoded), reached);
}

TEST(FuzzCodag, StatusesOfDeflateAreProblems) {
  using format::codag::DeflateStatus;
  const PayloadMutator& mutator = mutator_of(format::codag::deflate_format);
  EXPECT_FALSE(mutator.is_problem(0));
  EXPECT_TRUE(mutator.is_problem(deflate_status_word(DeflateStatus::output_too_short, 0)));
  EXPECT_TRUE(mutator.is_problem(deflate_status_word(DeflateStatus::distance_before_block, 1 << 30)));
  EXPECT_FALSE(mutator.is_problem(20));
}

}  // namespace
}  // namespace gsst::fuzz
