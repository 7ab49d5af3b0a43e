#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/codag/tests/decode/chunks.hpp"
#include "stages/suite/stage_test.hpp"

// Format `orc_rle_v2`: many short runs, of which a decoder may take several at once.
namespace gsst::codag {
namespace {

using format::codag::Type;

constexpr std::uint64_t seed_of_short_runs = 7;

class ShortRunsTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, ShortRunsTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::codag::orc_rle_v2_format)),
                         stage::case_name);

// Few values that rise, fall, change their sign or differ by the same number, each time followed by equal
// ones, which end the run.
Numbers short_runs(std::size_t count, unsigned bits, std::mt19937_64& random) {
  Numbers numbers;
  std::uint64_t value = random() >> 1;
  for (std::size_t run = 0; run < count; ++run) {
    const std::size_t values = 3 + random() % (run % 16 == 15 ? 40 : 9);
    for (std::size_t i = 0; i < values; ++i) {
      const std::uint64_t difference = 1 + (random() >> (64 - bits));
      switch (run % 4) {
        case 0:
          value += difference;
          break;
        case 1:
          value -= difference;
          break;
        case 2:
          value = random() >> (64 - bits);
          break;
        default:
          value += 3;
          break;
      }
      numbers.push_back(value);
    }
    numbers.insert(numbers.end(), 2 + run % 10, value);
  }
  return numbers;
}

TEST_P(ShortRunsTest, DecodesRunsOfEveryKind) {
  std::mt19937_64 random(seed_of_short_runs);
  std::size_t shift = 0;
  for (const Type type : {Type::i64, Type::u32}) {
    for (const unsigned bits : {3U, 13U, 30U, 45U}) {
      SCOPED_TRACE(std::string(format::codag::shape_of(type).name) + ", " + std::to_string(bits) +
                   " bits, seed " + std::to_string(seed_of_short_runs));
      const Chunk block = chunk_of(short_runs(100, bits, random), type);
      const Chunk frame = reference::encode_file(reference::codec_of(stage().description.format), block,
                                                 {.block_bytes = block.size(),
                                                  .options = {{"type", static_cast<std::uint64_t>(type)}},
                                                  .threads = 1});
      expect_decodes(frame, block, {}, shift++);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gsst::codag
