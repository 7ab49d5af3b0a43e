#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/zero_length/elements.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/zero_length/tests/frames.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// Decoders whose threads share a block: elements, runs and problems at each border between two of them, of
// the compressed bytes and of the output.
namespace gsst::zero_length {
namespace {

using format::zero_length::Status;
using test::Bytes;

// Compressed bytes of a thread's vector, of a warp's vectors that are side by side, of 1, 2 and 4 of these,
// and of the tiles of 64 and 128 threads with 1, 2 and 4 vectors.
constexpr std::array<std::size_t, 6> compressed_borders = {16, 512, 1024, 2048, 4096, 8192};

class ZeroLengthBordersTest : public stage::StageTest {
protected:
  // The default, then each kernel: of step 1 one for each number of threads and vectors.
  std::vector<stage::ParameterValues> all_kernels() const {
    std::vector<stage::ParameterValues> kernels = all_steps();
    const auto values_of = [this](std::string_view name) {
      for (const stage::Parameter& parameter : stage().description.parameters) {
        if (parameter.name == name) return parameter.values;
      }
      return std::vector<std::int64_t>{};
    };
    for (const std::int64_t threads : values_of("threads")) {
      // 0 is one of the others.
      if (threads == 0) continue;
      for (const std::int64_t vectors : values_of("vectors")) {
        kernels.push_back({{"step", 1}, {"threads", threads}, {"vectors", vectors}});
      }
    }
    return kernels;
  }

  // The default, then each step of the stage's ladder.
  std::vector<stage::ParameterValues> all_steps() const {
    std::vector<stage::ParameterValues> steps = {{}};
    for (const stage::Parameter& parameter : stage().description.parameters) {
      if (parameter.name != "step") continue;
      for (const std::int64_t value : parameter.values) steps.push_back({{"step", value}});
    }
    return steps;
  }

  // Decodes these elements to `uncompressed_bytes` bytes and compares what becomes of them with the oracle.
  void expect_as_the_oracle(const Bytes& elements, std::uint32_t uncompressed_bytes,
                            const stage::ParameterValues& kernel, std::size_t shift) const {
    const auto expected = reference::zero_length::decode_elements(elements, uncompressed_bytes);
    Status status = expected.status;
    if (status == Status::decoded && expected.bytes.size() < uncompressed_bytes) {
      status = Status::output_too_short;
    }
    const stage::DecodeResult result =
        decode_guarded(test::frame_of_elements(elements, uncompressed_bytes), kernel, shift);
    ASSERT_EQ(result.statuses, std::vector{static_cast<std::uint32_t>(status)});
    if (status != Status::decoded) return;
    ASSERT_TRUE(std::ranges::equal(result.output(), expected.bytes));
  }

  // As above, with as many bytes of output as the elements have.
  void expect_decoded(const Bytes& elements, const stage::ParameterValues& kernel, std::size_t shift) const {
    const auto decoded = reference::zero_length::decode_elements(elements, std::uint64_t{1} << 30);
    ASSERT_EQ(decoded.status, Status::decoded);
    expect_as_the_oracle(elements, static_cast<std::uint32_t>(decoded.bytes.size()), kernel, shift);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthBordersTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::zero_length::frame_format)),
                         stage::case_name);

Bytes literals(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i % 254 + 1);
  return bytes;
}

void append(Bytes& to, const Bytes& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

TEST_P(ZeroLengthBordersTest, ElementsAtEveryCompressedBorder) {
  const std::array<Bytes, 6> elements = {{{0xff, 0},
                                          {0xff, 1},
                                          {0xff, 4},
                                          {0xff, 252},
                                          {0xff, 0, 0xff, 0, 0xff, 0},
                                          {0xff, 3, 0xff, 0, 0xff, 252}}};
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const stage::ParameterValues& kernel : all_kernels()) {
    for (const std::size_t border : compressed_borders) {
      for (std::size_t before = 0; before < 4; ++before) {
        // All in one block: the border falls into each.
        for (const Bytes& element : elements) {
          if (!sample.has(number++)) continue;
          Bytes payload = literals(border - before);
          append(payload, element);
          append(payload, literals(30));
          SCOPED_TRACE(testing::Message() << "border " << border << " - " << before);
          // The payload is 64 bytes after the frame's start.
          expect_decoded(payload, kernel, 0);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(ZeroLengthBordersTest, ElementsAtEveryPlaceOfVectorsAtEveryAddress) {
  for (std::size_t shift = 0; shift < 16; ++shift) {
    for (std::size_t before = 0; before < 34; ++before) {
      Bytes payload = literals(before);
      append(payload, {0xff, 5, 0xff, 0});
      append(payload, literals(before % 7));
      SCOPED_TRACE(testing::Message() << "shift " << shift << ", " << before << " literals");
      expect_decoded(payload, {}, shift);
      if (HasFatalFailure()) return;
    }
  }
}

// One tile whose output has `more` bytes more than twice the tile: where a window of that size is full.
TEST_P(ZeroLengthBordersTest, OutputThatFillsTwiceATile) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const stage::ParameterValues& kernel : all_kernels()) {
    for (const std::size_t tile :
         {std::size_t{1024}, std::size_t{2048}, std::size_t{4096}, std::size_t{8192}}) {
      for (std::size_t total = 2 * tile - 18; total <= 2 * tile + 18; ++total) {
        if (!sample.has(number++)) continue;
        // Runs of 200 zeros, which are 198 more than their bytes, and one that makes up the rest.
        const std::size_t wanted = total - tile;
        Bytes payload;
        for (std::size_t i = 0; i < wanted / 198; ++i) append(payload, {0xff, 200});
        const auto rest = static_cast<std::uint8_t>(wanted % 198 + 2);
        append(payload, literals(tile - 2 - payload.size()));
        append(payload, {0xff, rest});
        append(payload, literals(total % 3 * 40));
        SCOPED_TRACE(testing::Message() << "tile " << tile << ", output " << total);
        expect_decoded(payload, kernel, total % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(ZeroLengthBordersTest, TilesOfLongRunsAlone) {
  for (const stage::ParameterValues& kernel : all_kernels()) {
    for (const std::size_t bytes : {std::size_t{1000}, std::size_t{9000}}) {
      Bytes payload;
      while (payload.size() < bytes) append(payload, {0xff, 252});
      append(payload, literals(5));
      expect_decoded(payload, kernel, 7);
      // A literal after each run, and a run after each byte FF.
      payload.clear();
      while (payload.size() < bytes) append(payload, {9, 0xff, 251, 0xff, 0, 0xff, 128});
      expect_decoded(payload, kernel, 3);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ZeroLengthBordersTest, ZerosFromTheStartOfABlockUpToABorder) {
  for (const stage::ParameterValues& kernel : all_kernels()) {
    for (const std::size_t border : {16U, 512U, 2048U, 8192U, 16384U, 65536U}) {
      for (std::size_t zeros = border - 2; zeros <= border + 2; ++zeros) {
        Bytes input(zeros, 0);
        append(input, literals(40));
        SCOPED_TRACE(testing::Message() << zeros << " zeros");
        expect_decodes(compress(input, input.size(), 1), input, kernel, zeros % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Floats, a zero among 16 of them, and some bytes FF.
Bytes floats_with_zeros(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes floats(bytes);
  for (std::uint8_t& byte : floats) byte = static_cast<std::uint8_t>(random());
  for (std::size_t i = 0; i + 4 <= bytes; i += 4) {
    if (random() % 16 == 0) std::fill_n(&floats[i], 4, std::uint8_t{0});
  }
  return floats;
}

TEST_P(ZeroLengthBordersTest, BlocksOfUsualSizes) {
  const std::uint64_t first = test::first_seed();
  for (const stage::ParameterValues& step : all_steps()) {
    for (const std::size_t block_bytes :
         {std::size_t{8} << 10, std::size_t{32} << 10, std::size_t{1} << 20}) {
      const Bytes input = floats_with_zeros(2 * block_bytes + 1001, first + block_bytes);
      expect_decodes(compress(input, block_bytes, 1), input, step, block_bytes % 13);
      if (HasFatalFailure()) return;
    }
  }
}

// Where thread blocks wait for each other: blocks of many tiles and of one, raw ones between them, in several
// orders.
TEST_P(ZeroLengthBordersTest, EveryOrderOfThreadBlocks) {
  Bytes input = floats_with_zeros(330'000, 5);
  // A block that does not get smaller, and one of zeros.
  for (std::size_t i = 100'000; i < 150'000; ++i) input[i] = static_cast<std::uint8_t>(i % 255 + 1);
  std::fill_n(&input[200'000], 50'000, std::uint8_t{0});
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const std::size_t block_bytes : {std::size_t{50'000}, std::size_t{320'000}, std::size_t{4700}}) {
    const Bytes frame = compress(input, block_bytes, 1);
    for (const stage::ParameterValues& step : all_steps()) {
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        if (!sample.has(number++)) continue;
        SCOPED_TRACE(testing::Message() << "order seed " << seed << ", blocks of " << block_bytes);
        const simt::OrderSeed order(seed);
        expect_decodes(frame, input, step, seed);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Tiles after a problem decode nothing, and the first problem is reported, in whichever order they run.
TEST_P(ZeroLengthBordersTest, ProblemsInSeveralTilesInEveryOrder) {
  const Bytes whole = literals(100'000);
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const stage::ParameterValues& step : all_steps()) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      if (!sample.has(number++)) continue;
      SCOPED_TRACE(testing::Message() << "order seed " << seed);
      const simt::OrderSeed order(seed);
      Bytes elements = whole;
      for (const std::size_t place : {std::size_t{30'000}, std::size_t{30'100}, std::size_t{70'000}}) {
        elements[place] = 0xff;
        elements[place + 1] = 0xfd;
      }
      expect_as_the_oracle(elements, 100'000, step, seed);
      expect_as_the_oracle(elements, 60'000, step, seed);
      expect_as_the_oracle(whole, 100'001, step, seed);
      expect_as_the_oracle(whole, 50'000, step, seed);
      expect_as_the_oracle(whole, 99'999, step, seed);
      elements = whole;
      elements.back() = 0xff;
      expect_as_the_oracle(elements, 99'999, step, seed);
      expect_as_the_oracle(elements, 99'998, step, seed);
      if (HasFatalFailure()) return;
    }
  }
}

// The first rule that is broken counts, whichever thread meets which.
TEST_P(ZeroLengthBordersTest, TheFirstProblemIsReportedAtEveryBorder) {
  const std::array<Bytes, 4> wrong = {
      {{0xff, 0xfd}, {0xff, 0xff}, {0xff, 252, 0xff, 0xfe}, {0xff, 0xff, 0xff, 0xff}}};
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const stage::ParameterValues& kernel : all_kernels()) {
    for (const std::size_t border : compressed_borders) {
      for (std::size_t before = 0; before < 4; ++before) {
        for (const Bytes& elements : wrong) {
          if (!sample.has(number++)) continue;
          Bytes payload = literals(border - before);
          append(payload, elements);
          append(payload, literals(4));
          SCOPED_TRACE(testing::Message() << "border " << border << " - " << before);
          const auto uncompressed_bytes = static_cast<std::uint32_t>(payload.size());
          // With room for what comes before, and with a byte too few for it; with a marker at the end.
          expect_as_the_oracle(payload, uncompressed_bytes + 300, kernel, 1);
          expect_as_the_oracle(payload, static_cast<std::uint32_t>(border - before), kernel, 2);
          expect_as_the_oracle(payload, static_cast<std::uint32_t>(border - before - 1), kernel, 3);
          payload.push_back(0xff);
          expect_as_the_oracle(payload, uncompressed_bytes + 300, kernel, 4);
          if (HasFatalFailure()) return;
        }
        Bytes payload = literals(border - before);
        payload.push_back(0xff);
        for (std::uint32_t more = 0; more < 3; ++more) {
          expect_as_the_oracle(payload, static_cast<std::uint32_t>(border - before - 1) + more, kernel, 5);
        }
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length
