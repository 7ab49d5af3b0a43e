#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/zero_length/encode/kernel_encode_runner.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// Every encoder of the series that is made of kernels, on every executor of this machine: what depends on
// how an input is cut into chunks, warps, tiles and blocks, on addresses, and on the order of thread blocks.
namespace gsst::zero_length {
namespace {

using format::zero_length::bare_format;
using format::zero_length::frame_format;
using stage::Executor;
using stage::InputToEncode;
using stage::StageCase;
using test::Bytes;

const KernelEncodePlans* kernel_plans(const StageCase& one) {
  const stage::RegisteredStage* const stage = stage::find_stage(one.stage, stage::Operation::encode);
  return dynamic_cast<const KernelEncodePlans*>(stage->encode.at(one.executor));
}

std::vector<StageCase> kernel_cases() {
  std::vector<StageCase> cases = stage::stage_cases(stage::Operation::encode, frame_format);
  std::erase_if(cases, [](const StageCase& one) { return kernel_plans(one) == nullptr; });
  return cases;
}

// Bytes of a thread, a warp, and tiles of all numbers of threads.
constexpr std::size_t borders[] = {32, 64, 1024, 2048, 4096, 8192, 16384};

class KernelEncodeTest : public testing::TestWithParam<StageCase> {
protected:
  const KernelEncodePlans& plans() const { return *kernel_plans(GetParam()); }
  bool is_on_cpu() const { return GetParam().executor == Executor::simt; }

  // Calls `run` with each of its parameters' values, one at a time, for each format.
  void for_each_way(const std::function<void(const InputToEncode&)>& run) const {
    for (const format::BlockFormat format : plans().formats()) {
      run({.format = format, .input_bytes = 0, .block_bytes = 0});
      const auto& stage = stage::find_stage(GetParam().stage, stage::Operation::encode)->description;
      for (const stage::Parameter& parameter : stage.parameters) {
        for (const std::int64_t value : parameter.values) {
          if (value == parameter.default_value) continue;
          run({.format = format,
               .input_bytes = 0,
               .block_bytes = 0,
               .parameters = {{parameter.name, value}}});
        }
      }
    }
  }

  Bytes codec_file(format::BlockFormat format, const Bytes& input, std::uint64_t block_bytes) const {
    return reference::encode_file(
        reference::codec_of(format), input,
        {.block_bytes = block_bytes, .checksum_kind = format::ChecksumKind::xxh64_tree, .threads = 1});
  }

  void expect_codec_file(InputToEncode shape, const Bytes& input, std::uint64_t block_bytes,
                         std::size_t shift = 0) {
    shape.input_bytes = input.size();
    shape.block_bytes = block_bytes;
    const EncodeResult& result = runner_.run(
        input, shape,
        {.guard_bytes = 64, .poison = 0xb7, .input_shift = shift % 17, .output_shift = shift * 5 % 19});
    ASSERT_TRUE(result.file == codec_file(shape.format, input, block_bytes))
        << input.size() << " bytes in blocks of " << block_bytes << ", shift " << shift;
    ASSERT_TRUE(result.guards_are_intact);
    ASSERT_EQ(std::ranges::count(result.statuses, 0U), std::ssize(result.statuses));
  }

private:
  KernelEncodeRunner runner_{plans()};
};

INSTANTIATE_TEST_SUITE_P(AllStages, KernelEncodeTest, testing::ValuesIn(kernel_cases()), stage::case_name);

// Zeros that start and end a few bytes from each border, and the lengths at which runs are cut.
TEST_P(KernelEncodeTest, EncodesRunsAcrossEveryBorder) {
  constexpr std::size_t lengths[] = {1,   2,   3,   4,   5,   250, 251, 252, 253,
                                     254, 255, 256, 503, 504, 505, 506, 507};
  for (const std::size_t border : borders) {
    if (is_on_cpu() && border > 4096) continue;
    for (std::size_t before = 0; before <= 4; ++before) {
      Bytes input;
      for (const std::size_t length : lengths) {
        // Each run is before the next multiple of the border by `before` bytes, with FF around it.
        const std::size_t next = (input.size() + 300 + border) / border * border;
        input.resize(next - before, static_cast<std::uint8_t>(0x41 + length % 7));
        input.back() = 0xff;
        input.resize(input.size() + length, 0);
        input.push_back(0xff);
      }
      for (const format::BlockFormat format : plans().formats()) {
        expect_codec_file({.format = format, .input_bytes = 0, .block_bytes = 0}, input, 1 << 20, before);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Nothing may look in front of a block for the start of a run, nor after the end.
TEST_P(KernelEncodeTest, EncodesZerosFromTheStartOfABlockToEveryBorder) {
  for (const std::size_t border : borders) {
    if (is_on_cpu() && border > 4096) continue;
    for (const int distance : {-2, -1, 0, 1, 2}) {
      const std::size_t zeros = border + static_cast<std::size_t>(distance);
      // Blocks that end with zeros before ones that start with them.
      Bytes block(zeros, 0);
      block.push_back(0x41);
      block.resize(block.size() + zeros, 0);
      Bytes input;
      for (int i = 0; i < 3; ++i) input.insert(input.end(), block.begin(), block.end());
      for (const format::BlockFormat format : plans().formats()) {
        const InputToEncode shape = {.format = format, .input_bytes = 0, .block_bytes = 0};
        expect_codec_file(shape, input, block.size());
        expect_codec_file(shape, Bytes(zeros, 0), 1 << 20);
        expect_codec_file(shape, Bytes(zeros, 0xff), zeros / 2 + 1);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(KernelEncodeTest, EncodesEverySizeAroundEveryBorder) {
  const Bytes mix = test::random_mix(17'000, 11);
  for_each_way([&](const InputToEncode& shape) {
    for (const std::size_t border : borders) {
      if (is_on_cpu() && border > 4096) continue;
      for (std::size_t size = border - 3; size <= border + 3; ++size) {
        expect_codec_file(shape, {mix.begin(), mix.begin() + static_cast<std::ptrdiff_t>(size)}, 1 << 20,
                          size);
        if (HasFatalFailure()) return;
      }
    }
    for (std::size_t size = 0; size <= 40; ++size) {
      expect_codec_file(shape, {mix.begin(), mix.begin() + static_cast<std::ptrdiff_t>(size)}, 1 << 20, size);
      if (HasFatalFailure()) return;
    }
  });
}

TEST_P(KernelEncodeTest, EncodesBlocksOfEverySize) {
  const Bytes mix = test::random_mix(is_on_cpu() ? 9000 : 30'000, 12);
  for_each_way([&](const InputToEncode& shape) {
    for (const std::uint64_t block_bytes : {1U, 2U, 17U, 31U, 32U, 33U, 1000U, 2047U, 2048U, 2049U, 4096U}) {
      // Each block takes a thread block.
      const std::ptrdiff_t few = std::min<std::ptrdiff_t>(std::ssize(mix), is_on_cpu() ? 150 : 3000);
      const Bytes input(mix.begin(), mix.begin() + (block_bytes < 1000 ? few : std::ssize(mix)));
      expect_codec_file(shape, input, block_bytes, block_bytes);
      if (HasFatalFailure()) return;
    }
  });
}

TEST_P(KernelEncodeTest, EncodesAtEveryAddress) {
  const Bytes mix = test::random_mix(5000, 13);
  for (const format::BlockFormat format : plans().formats()) {
    for (std::size_t shift = 0; shift < 17 * 19; shift += is_on_cpu() ? 7 : 1) {
      expect_codec_file({.format = format, .input_bytes = 0, .block_bytes = 0}, mix, 3001, shift);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(KernelEncodeTest, EncodesWhatHasManyTiles) {
  const std::size_t bytes = gsst::test::test_sample().size(is_on_cpu() ? 110'000 : 40'000'000, 110'000);
  const std::pair<const char*, Bytes> inputs[] = {{"zeros", Bytes(bytes, 0)},
                                                  {"markers", Bytes(bytes, 0xff)},
                                                  {"random", reference::test::make_random(bytes, 5)},
                                                  {"text", reference::test::make_text(bytes, 3)},
                                                  {"mix", test::random_mix(bytes, 14)}};
  for_each_way([&](const InputToEncode& shape) {
    for (const auto& [name, input] : inputs) {
      SCOPED_TRACE(name);
      expect_codec_file(shape, input, 1 << 20, 1);
      expect_codec_file(shape, input, 50'000, 0);
      if (HasFatalFailure()) return;
    }
  });
}

// A GPU chooses the order of thread blocks itself.
TEST_P(KernelEncodeTest, EncodesInEveryOrderOfThreadBlocks) {
  if (!is_on_cpu()) return;
  Bytes input = test::random_mix(14'000, 15);
  // Tiles of zeros alone, which pass on what they are told.
  input.insert(input.begin() + 5000, 9000, 0);
  for_each_way([&](const InputToEncode& shape) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE("order seed " + std::to_string(seed));
      const simt::OrderSeed order(seed);
      expect_codec_file(shape, input, seed % 2 == 0 ? 1 << 20 : 9000, seed);
      if (HasFatalFailure()) return;
    }
  });
}

// What a memory of so many bytes holds is several pieces.
TEST_P(KernelEncodeTest, EncodesFilesInPieces) {
  const Bytes input = test::random_mix(25'000, 16);
  constexpr std::uint64_t block_bytes = 2000;
  for (const format::BlockFormat format : plans().formats()) {
    for (const std::uint64_t blocks : {1U, 2U, 5U, 13U}) {
      const std::uint64_t memory = KernelEncodeRunner::memory_bytes(
          plans(), {.format = format, .input_bytes = blocks * block_bytes, .block_bytes = block_bytes});
      Bytes file;
      std::vector<std::uint64_t> seen;
      const format::EncodeTotals totals =
          plans().encode({.format = format, .settings = {.block_bytes = block_bytes}, .memory_bytes = memory},
                         format::reader_of(input), format::writer_to(file),
                         [&](const format::StreamTotals& now) { seen.push_back(now.input_bytes); });
      EXPECT_TRUE(file == codec_file(format, input, block_bytes)) << blocks << " blocks a piece";
      EXPECT_EQ(totals.blocks, 13U);
      EXPECT_EQ(totals.output_bytes, file.size());
      ASSERT_FALSE(seen.empty());
      EXPECT_EQ(seen.front(), std::min<std::uint64_t>(blocks * block_bytes, input.size()));
      EXPECT_EQ(seen.back(), input.size());
    }
  }
}

TEST_P(KernelEncodeTest, RefusesTheChecksumOfOneChain) {
  stage::FileToEncode file = {.format = frame_format,
                              .settings = {.checksum_kind = format::ChecksumKind::xxh64}};
  EXPECT_THROW(plans().check(file), std::invalid_argument);
  file.settings.checksum_kind = format::ChecksumKind::xxh64_tree;
  EXPECT_NO_THROW(plans().check(file));
}

TEST_P(KernelEncodeTest, RefusesMoreTilesThanItCounts) {
  const InputToEncode shape = {
      .format = bare_format, .input_bytes = std::uint64_t{1} << 31, .block_bytes = 1};
  EXPECT_THROW(plans().plan_of(shape), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::zero_length
