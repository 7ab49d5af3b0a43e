#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/format/zero_length/dictionary.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/zero_length/tests/dictionary_inputs.hpp"
#include "stages/zero_length/tests/frames.hpp"
#include "stages/zero_length/tests/inputs.hpp"
#include "stages/zero_length/tests/parameter_choices.hpp"

// Every decoder of format zle_dictionary, besides what the common suite asks of it.
namespace gsst::zero_length {
namespace {

using format::zero_length::dictionary_format;
using format::zero_length::index_past_values;
using test::Bytes;

class ZeroLengthDictionaryStageTest : public stage::StageTest {
protected:
  void expect_decodes_with_all_instructions(const Bytes& frame, const Bytes& input, std::size_t shift) const {
    for (const stage::ParameterValues& instructions : test::instruction_choices(stage().description)) {
      expect_decodes(frame, input, instructions, shift);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthDictionaryStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode, dictionary_format)),
                         stage::case_name);

TEST(ZeroLengthDictionaryStages, AreThere) {
  EXPECT_FALSE(stage::stage_cases(stage::Operation::decode, dictionary_format).empty());
}

TEST_P(ZeroLengthDictionaryStageTest, DecodesIndexesOfEveryNumberOfBits) {
  const std::uint64_t seed = test::first_seed();
  for (std::uint32_t bits = 0; bits <= 18; ++bits) {
    const std::uint32_t values = bits == 0 ? 1 : (std::uint32_t{1} << (bits - 1)) + 1;
    const std::size_t floats = 3 * std::size_t{values} + 1000 + bits;
    const Bytes input = test::floats_of_values(values, floats, bits % 4, seed);
    SCOPED_TRACE(std::to_string(bits) + " bits, seed " + std::to_string(seed));
    expect_decodes_with_all_instructions(compress(input, input.size(), 1), input, bits);
    if (HasFatalFailure()) return;
  }
}

// Every number of floats around each step of each instruction set, at every place in a step.
TEST_P(ZeroLengthDictionaryStageTest, DecodesEveryNumberOfFloats) {
  for (const std::uint32_t values : {2U, 3U, 5U, 9U, 40U}) {
    for (std::size_t floats = values + 30; floats < values + 330; ++floats) {
      const Bytes input = test::floats_of_values(values, floats, floats % 4, floats);
      SCOPED_TRACE(std::to_string(values) + " values, " + std::to_string(floats) + " floats");
      expect_decodes_with_all_instructions(compress(input, input.size(), 1), input, floats % 67);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ZeroLengthDictionaryStageTest, DecodesBlocksAtTheSameTime) {
  const Bytes input = test::floats_of_values(50, 30'000, 3, 5);
  const Bytes frame = compress(input, 7001, 1);
  for (const stage::ParameterValues& threads : test::thread_choices(stage().description)) {
    expect_decodes(frame, input, threads, 5);
  }
}

// A wrong index at each place of a block: in the steps of vectors and in what is left after them.
TEST_P(ZeroLengthDictionaryStageTest, FindsAnIndexPastTheValuesAtEveryPlace) {
  for (const std::uint32_t count : {3U, 17U}) {
    std::vector<std::uint32_t> values(count);
    for (std::uint32_t i = 0; i < count; ++i) values[i] = 100 * i + 7;
    for (std::size_t wrong = 0; wrong < 300; ++wrong) {
      std::vector<std::uint32_t> indexes(300);
      for (std::size_t i = 0; i < indexes.size(); ++i) indexes[i] = static_cast<std::uint32_t>(i * 7 % count);
      // The first one that has no value.
      indexes[wrong] = count;
      const Bytes frame =
          test::frame_of_elements(test::payload_of_indexes(values, indexes, {1}), 1201, dictionary_format);
      for (const stage::ParameterValues& instructions : test::instruction_choices(stage().description)) {
        const stage::DecodeResult result = decode_guarded(frame, instructions, wrong % 67);
        ASSERT_EQ(result.statuses, std::vector{static_cast<std::uint32_t>(index_past_values)}) << wrong;
      }
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length
