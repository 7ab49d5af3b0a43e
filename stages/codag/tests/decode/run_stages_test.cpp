#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "reference_cpu/codag/byte_rle_block.hpp"
#include "reference_cpu/codag/orc_rle_v1_block.hpp"
#include "reference_cpu/codag/orc_rle_v2_block.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/codag/tests/decode/chunks.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"

// Stages that decode the formats of run lengths: each type, and each mistake where the oracle names it.
namespace gsst::codag {
namespace {

using format::codag::Type;

constexpr std::uint64_t seed_of_run_stages = 24;

// A frame with these payloads; each block has the same number of bytes.
Chunk frame_of_payloads(format::BlockFormat format, const std::vector<Chunk>& payloads,
                        std::size_t block_bytes) {
  // The bytes of a block are the number of its payload: the encoder's threads do not say it.
  Chunk input(payloads.size() * block_bytes);
  for (std::size_t number = 0; number < payloads.size(); ++number) {
    for (std::size_t byte = 0; byte < std::min<std::size_t>(2, block_bytes); ++byte) {
      input[number * block_bytes + byte] = static_cast<std::uint8_t>(number >> 8 * byte);
    }
  }
  Chunk frame;
  reference::tile_integer::write_frame_file(
      format, format::reader_of(input),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        const std::size_t number = block[0] + (block_bytes > 1 ? std::size_t{256} * block[1] : 0);
        return reference::tile_integer::BlockPayload{.layout = format::codag::coded_layout,
                                                     .payload = payloads.at(number)};
      });
  return frame;
}

// Small numbers above `base`, of which every 25th or so is large.
Numbers with_outliers(std::size_t count, std::uint64_t base, std::mt19937_64& random) {
  return numbers_of(count, [&](std::size_t i) {
    return base + random() % 100 + (i % 25 == 7 ? random() >> (20 + random() % 20) : 0);
  });
}

// Numbers that rise, or fall, by differences of up to `bits` bits.
Numbers with_differences(std::size_t count, std::uint64_t first, unsigned bits, bool falls,
                         std::mt19937_64& random) {
  return numbers_of(count, [&](std::size_t) {
    const std::uint64_t difference = 1 + (random() >> (64 - bits));
    return first += falls ? std::uint64_t{0} - difference : difference;
  });
}

// Numbers of which some are runs, some are not.
std::vector<Numbers> patterns_of(std::size_t count, std::mt19937_64& random) {
  const std::uint64_t any = random();
  return {
      Numbers(count, any),
      numbers_of(count, [&](std::size_t) { return random(); }),
      numbers_of(count, [&](std::size_t) { return random() >> random() % 64; }),
      numbers_of(count, [&](std::size_t i) { return any - i / 40 * 1000 + i * (i / 40 % 7); }),
      numbers_of(count, [&](std::size_t i) { return i / 5 * (random() % 3); }),
      with_outliers(count, any >> 8, random),
      with_differences(count, any, 11, false, random),
      with_differences(count, any, 40, true, random),
  };
}

class RunStagesTest : public stage::StageTest {
protected:
  format::BlockFormat format() const { return stage().description.format; }

  Chunk payload_of(const Chunk& block, Type type) const {
    if (format() == format::codag::byte_rle_format) return reference::codag::encode_byte_rle(block);
    if (format() == format::codag::orc_rle_v2_format) {
      return reference::codag::encode_orc_rle_v2(block, type, reference::codag::Packing::tight);
    }
    return reference::codag::encode_orc_rle_v1(block, type);
  }

  // What the oracle makes of a payload, and what it says of it.
  struct Decoded {
    Chunk bytes;
    std::string problem;
  };
  Decoded oracle(const Chunk& payload, const format::BlockExpectation& expected, std::size_t block) const {
    try {
      return {.bytes = reference::codec_of(format()).decode_payload(payload, expected, nullptr, block),
              .problem = {}};
    } catch (const format::FormatError& error) {
      return {.bytes = {}, .problem = error.what()};
    }
  }

  // Decodes payloads of blocks of `block_bytes` bytes that the rules accept, and expects what the oracle
  // makes of each.
  void expect_as_the_oracle(const std::vector<Chunk>& payloads, std::size_t block_bytes,
                            const stage::ParameterValues& parameters, std::size_t shift) const {
    const format::BlockExpectation expected = {.format = format(),
                                               .layout = format::codag::coded_layout,
                                               .uncompressed_bytes = static_cast<std::uint32_t>(block_bytes),
                                               .split_count = 1};
    const format::PayloadRules& rules = format::rules_of(format());
    std::vector<Chunk> accepted;
    for (const Chunk& payload : payloads) {
      try {
        rules.start_pass()->check(payload, expected, 0);
        accepted.push_back(payload);
      } catch (const format::FormatError&) {
        // The stage does not meet it.
      }
    }
    const stage::DecodeResult result =
        decode_guarded(frame_of_payloads(format(), accepted, block_bytes), parameters, shift);
    for (std::size_t block = 0; block < accepted.size(); ++block) {
      const Decoded right = oracle(accepted[block], expected, block);
      const std::uint32_t status = result.statuses[block];
      SCOPED_TRACE("block " + std::to_string(block) + ", oracle: " + right.problem);
      ASSERT_EQ(status == 0, right.problem.empty());
      if (status == 0) {
        ASSERT_TRUE(
            std::ranges::equal(result.output().subspan(block * block_bytes, block_bytes), right.bytes));
      } else {
        const format::StatusText text = rules.describe(status);
        ASSERT_EQ(right.problem, format::FormatError(block, text.field, text.problem).what());
      }
    }
  }
};

std::vector<stage::StageCase> run_stages() {
  std::vector<stage::StageCase> cases;
  for (const format::BlockFormat format :
       {format::codag::byte_rle_format, format::codag::orc_rle_v1_format, format::codag::orc_rle_v2_format}) {
    for (const stage::StageCase& one : stage::stage_cases(stage::Operation::decode, format)) {
      cases.push_back(one);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, RunStagesTest, testing::ValuesIn(run_stages()), stage::case_name);

// Lengths at the borders of runs, lists and cache lines, at addresses of every kind.
TEST_P(RunStagesTest, DecodesEveryTypeAndLength) {
  std::mt19937_64 random(seed_of_run_stages);
  std::size_t shift = 0;
  for (const Type type : all_value_types) {
    for (const std::size_t count : {1U, 2U, 3U, 31U, 130U, 131U, 300U}) {
      SCOPED_TRACE(std::string(format::codag::shape_of(type).name) + ", " + std::to_string(count) +
                   " values, seed " + std::to_string(seed_of_run_stages) + ", shift " +
                   std::to_string(shift));
      const std::size_t rest = shift % format::codag::shape_of(type).value_bytes;
      std::vector<Chunk> payloads;
      std::size_t block_bytes = 0;
      for (const Numbers& numbers : patterns_of(count, random)) {
        Chunk block = chunk_of(numbers, type);
        block.insert(block.end(), rest, 0xa5);
        block_bytes = block.size();
        payloads.push_back(payload_of(block, type));
      }
      expect_as_the_oracle(payloads, block_bytes, {}, shift++ % 17);
      if (HasFatalFailure()) return;
    }
  }
}

// Every cut and changes of every byte: statuses say what the oracle says.
TEST_P(RunStagesTest, NamesEachMistakeAsTheOracleDoes) {
  std::mt19937_64 random(seed_of_run_stages);
  Numbers numbers = numbers_of(40, [&](std::size_t i) { return i < 20 ? 9 : random() >> random() % 60; });
  for (const Numbers& more : {with_outliers(40, 1000, random), with_differences(20, 7, 5, true, random)}) {
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  const bool is_of_bytes = format() == format::codag::byte_rle_format;
  for (const Type type : is_of_bytes ? std::vector{Type::i8} : std::vector{Type::i16, Type::i64}) {
    Chunk block = chunk_of(numbers, type);
    block.push_back(0xa5);
    const Chunk payload = payload_of(block, type);
    std::vector<Chunk> changed;
    for (std::size_t size = 0; size < payload.size(); ++size) {
      changed.emplace_back(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size));
    }
    for (std::size_t byte = 1; byte < payload.size(); ++byte) {
      for (const unsigned bits : {0x01U, 0x80U, 0xffU}) {
        Chunk one = payload;
        one[byte] = static_cast<std::uint8_t>(one[byte] ^ bits);
        changed.push_back(one);
      }
    }
    // A varint of 64 bits, one of more, and one that has no end, in a run of each format, and as a
    // difference.
    const auto values = static_cast<unsigned>(numbers.size());
    for (const std::vector<unsigned>& run :
         {std::vector<unsigned>{values - 3, 0xff}, {0xc0, values - 1}, {0xc0, values - 1, 0x02}}) {
      for (const unsigned last : {0x01U, 0x02U, 0x81U}) {
        Chunk one = stream_of(type, run);
        one.insert(one.end(), 9, 0x80);
        one.insert(one.end(), {static_cast<std::uint8_t>(last), 0x02, 0xa5});
        changed.push_back(one);
      }
    }
    std::vector<Chunk> taken;
    for (std::size_t number = 0; number < changed.size(); ++number) {
      if (test::test_sample().has(number)) taken.push_back(changed[number]);
    }
    // In every sample: a byte too many; of version 2, a short repeat without its value, and a run of two
    // values whose second patch is at the place of the first.
    taken.push_back(payload);
    taken.back().push_back(0xa5);
    for (const std::vector<unsigned>& run :
         {std::vector<unsigned>{0x00}, {0x8e, 0x01, 0x00, 0x02, 0x05, 0x01, 0x02, 0x50}}) {
      taken.push_back(stream_of(type, run));
      taken.back().push_back(0xa5);
    }
    expect_as_the_oracle(taken, block.size(), {}, 3);
    if (HasFatalFailure()) return;
  }
}

// After many short runs, one that has some values more than the chunk: none of it is written, and it is the
// one that is named.
TEST_P(RunStagesTest, LeavesOutARunOfTooManyValues) {
  std::mt19937_64 random(seed_of_run_stages);
  std::size_t shift = 0;
  for (const Type type : {Type::i8, Type::i64}) {
    for (const std::size_t count : {5U, 100U, 2000U}) {
      SCOPED_TRACE(std::string(format::codag::shape_of(type).name) + ", " + std::to_string(count) +
                   " values, seed " + std::to_string(seed_of_run_stages));
      Numbers numbers;
      while (numbers.size() < count) numbers.insert(numbers.end(), 3 + random() % 5, random() >> 40);
      numbers.resize(count);
      std::vector<Chunk> payloads;
      for (const std::size_t too_many : {0U, 1U, 2U, 3U}) {
        Numbers more = numbers;
        more.insert(more.end(), too_many, more.back());
        payloads.push_back(payload_of(chunk_of(more, type), type));
      }
      expect_as_the_oracle(payloads, chunk_of(numbers, type).size(), {}, shift++);
      if (HasFatalFailure()) return;
    }
  }
}

// A stream of many cache lines, whose first and last bytes lie anywhere in theirs, with each parameter.
TEST_P(RunStagesTest, DecodesLongStreams) {
  std::mt19937_64 random(seed_of_run_stages);
  Numbers numbers = numbers_of(700, [&](std::size_t) { return random() >> random() % 64; });
  for (const std::uint64_t delta : {0U, 1U, 200U}) {
    for (std::size_t i = 0; i < 260; ++i) numbers.push_back(i * delta);
  }
  for (const Numbers& more :
       {with_outliers(700, 1000, random), with_differences(300, 7, 13, false, random)}) {
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  std::vector<stage::ParameterValues> choices;
  for (const stage::Parameter& parameter : stage().description.parameters) {
    for (const std::int64_t value : parameter.values) choices.push_back({{parameter.name, value}});
  }
  // Each type with the defaults, and each value of a parameter with one of them.
  choices.insert(choices.begin(), 4, {});
  constexpr std::array types = {Type::i8, Type::i16, Type::u32, Type::u64};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Chunk block = chunk_of(numbers, types[i % types.size()]);
    const std::vector<Chunk> payloads(2, payload_of(block, types[i % types.size()]));
    expect_as_the_oracle(payloads, block.size(), choices[i], 31 * i);
    if (HasFatalFailure()) return;
  }
}

// Short runs between lists of many lengths, thousands of bytes of them: where runs begin is guessed from the
// middle of what precedes them, right and wrong.
TEST_P(RunStagesTest, DecodesManyRunsBetweenListsOfEveryLength) {
  std::mt19937_64 random(seed_of_run_stages);
  std::size_t shift = 0;
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (const Type type : {Type::i8, Type::i32, Type::u64}) {
    for (const std::size_t longest : {3U, 24U, 140U}) {
      if (!sample.has(number++)) continue;
      SCOPED_TRACE(std::string(format::codag::shape_of(type).name) + ", lists of up to " +
                   std::to_string(longest) + ", seed " + std::to_string(seed_of_run_stages));
      std::vector<Chunk> payloads;
      Numbers numbers;
      while (numbers.size() < 6000) {
        const std::size_t list = random() % (longest + 1);
        for (std::size_t i = 0; i < list; ++i) numbers.push_back(random() >> random() % 64);
        const std::uint64_t first = random() >> random() % 64;
        const std::size_t run = 3 + random() % (random() % 8 == 0 ? 140 : 6);
        for (std::size_t i = 0; i < run; ++i) numbers.push_back(first + i * (shift % 2));
      }
      numbers.resize(6000);
      const Chunk block = chunk_of(numbers, type);
      const Chunk payload = payload_of(block, type);
      payloads.push_back(payload);
      // One that is cut, and two with a byte that is another.
      payloads.emplace_back(payload.begin(), payload.end() - 1);
      payloads.push_back(payload);
      payloads.back()[payload.size() * 2 / 3] ^= 0x81;
      payloads.push_back(payload);
      payloads.back()[payload.size() / 3] ^= 0x11;
      expect_as_the_oracle(payloads, block.size(), {}, shift++);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gsst::codag
