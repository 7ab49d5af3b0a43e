#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/zero_length/shared/host_to_host.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// Bare files from host memory to host memory, on every executor of kernels of this machine.
namespace gsst::zero_length {
namespace {

using format::zero_length::bare_format;
using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;
using stage::Executor;
using test::Bytes;

constexpr std::uint8_t poison_of_guards = 0xb7;
constexpr std::size_t bytes_of_guard = 64;

const reference::Codec& codec() {
  return reference::codec_of(bare_format);
}

Bytes codec_file(const Bytes& input, std::uint64_t block_bytes) {
  return reference::encode_file(codec(), input, {.block_bytes = block_bytes, .threads = 1});
}

// What `work` throws; empty where it throws nothing.
template <typename Error, typename Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Host memory that is poisoned, with guards at both ends.
class GuardedMemory {
public:
  explicit GuardedMemory(std::size_t bytes, std::size_t shift)
      : begin_(bytes_of_guard + shift),
        size_(bytes),
        memory_(begin_ + bytes + bytes_of_guard, poison_of_guards) {}

  std::span<std::uint8_t> bytes() { return std::span(memory_).subspan(begin_, size_); }
  // Whether everything but the first `written` bytes is as it was.
  bool is_intact_after(std::size_t written) const {
    const auto is_poison = [](std::uint8_t byte) { return byte == poison_of_guards; };
    const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return std::all_of(memory_.begin(), begin, is_poison) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(written), memory_.end(), is_poison);
  }

private:
  std::size_t begin_;
  std::size_t size_;
  Bytes memory_;
};

std::vector<Executor> kernel_executors() {
  std::vector<Executor> executors = {Executor::simt};
  if (stage::is_available(Executor::gpu)) executors.push_back(Executor::gpu);
  return executors;
}

class HostToHostTest : public testing::TestWithParam<Executor> {
protected:
  const HostToHost& functions() const { return stage::KernelsOn<HostToHost>::get(GetParam()); }
  const stage::EncodePlans& plans() const {
    return *stage::find_stage(functions().stage, stage::Operation::encode)->encode.at(GetParam());
  }

  void expect_codec_file(HostEncoder& encoder, const Bytes& input, std::uint64_t block_bytes,
                         std::size_t shift = 0) const {
    const Bytes expected = codec_file(input, block_bytes);
    // No more than is needed, and some more.
    for (const std::size_t more : {0, 100}) {
      GuardedMemory output(expected.size() + more, shift);
      ASSERT_EQ(encoder.encode(input, output.bytes()), expected.size());
      ASSERT_TRUE(std::ranges::equal(output.bytes().first(expected.size()), expected));
      ASSERT_TRUE(output.is_intact_after(expected.size()));
    }
  }

  void expect_decodes(HostDecoder& decoder, const Bytes& file, const Bytes& input,
                      std::size_t shift = 0) const {
    for (const std::size_t more : {0, 100}) {
      GuardedMemory output(input.size() + more, shift);
      ASSERT_EQ(decoder.decode(file, output.bytes()), input.size());
      ASSERT_TRUE(std::ranges::equal(output.bytes().first(input.size()), input));
      ASSERT_TRUE(output.is_intact_after(input.size()));
    }
  }

  void expect_both_ways(const BatchShape& shape, const Bytes& input, std::size_t shift = 0) const {
    SCOPED_TRACE(std::to_string(input.size()) + " bytes, blocks of " + std::to_string(shape.block_bytes) +
                 ", batches of " + std::to_string(shape.batch_blocks) + ", " + std::to_string(shape.slots) +
                 " slots");
    expect_codec_file(*functions().make_encoder(shape), input, shape.block_bytes, shift);
    if (HasFatalFailure()) return;
    expect_decodes(*functions().make_decoder(shape), codec_file(input, shape.block_bytes), input, shift);
  }

  // The decoder refuses a file, and says what the codec says.
  void expect_refuses(const BatchShape& shape, const Bytes& file) const {
    const std::string expected =
        message_of<format::FormatError>([&] { reference::decode_file(codec(), file, 1); });
    ASSERT_FALSE(expected.empty());
    const std::unique_ptr<HostDecoder> decoder = functions().make_decoder(shape);
    GuardedMemory output(100'000, 0);
    EXPECT_EQ(message_of<format::FormatError>([&] { decoder->decode(file, output.bytes()); }), expected);
    EXPECT_TRUE(output.is_intact_after(output.bytes().size()));
    // What failed leaves nothing behind.
    const Bytes input = test::random_mix(700, 3);
    expect_decodes(*decoder, codec_file(input, shape.block_bytes), input);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, HostToHostTest, testing::ValuesIn(kernel_executors()),
                         [](const testing::TestParamInfo<Executor>& parameter) {
                           return "zero_length_06_pipeline_" +
                                  std::string(stage::executor_name(parameter.param));
                         });

// Batches of one block and of several, one slot and several, fewer batches than slots and many more, and a
// last batch and a last block that are short.
TEST_P(HostToHostTest, EveryShapeGivesTheCodecsBytes) {
  const Bytes mix = test::random_mix(4200, 21);
  for (const std::uint64_t batch_blocks : {1U, 2U, 5U}) {
    for (const unsigned slots : {1U, 2U, 3U}) {
      for (const std::size_t size : {1U, 499U, 500U, 501U, 1000U, 2500U, 2501U, 4200U}) {
        const Bytes input(mix.begin(), mix.begin() + static_cast<std::ptrdiff_t>(size));
        expect_both_ways({.block_bytes = 500, .batch_blocks = batch_blocks, .slots = slots}, input,
                         size % 17);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(HostToHostTest, EveryKindOfInputGoesBothWays) {
  const std::size_t bytes = 20'000;
  const BatchShape shape = {.block_bytes = 3000, .batch_blocks = 2, .slots = 3};
  for (const Bytes& input : {Bytes(), Bytes(bytes, 0), Bytes(bytes, 0xff), test::random_mix(bytes, 5),
                             test::random_floats(bytes, 6, 1), reference::test::make_random(bytes, 7)}) {
    expect_both_ways(shape, input);
    if (HasFatalFailure()) return;
  }
}

TEST_P(HostToHostTest, AnEncoderAndADecoderTakeOneInputAfterTheOther) {
  const BatchShape shape = {.block_bytes = 700, .batch_blocks = 2, .slots = 2};
  const std::unique_ptr<HostEncoder> encoder = functions().make_encoder(shape);
  const std::unique_ptr<HostDecoder> decoder = functions().make_decoder(shape);
  for (const std::size_t size : {9000U, 100U, 0U, 5000U}) {
    const Bytes input = test::random_mix(size, size);
    expect_codec_file(*encoder, input, shape.block_bytes);
    expect_decodes(*decoder, codec_file(input, shape.block_bytes), input);
    // Of smaller blocks too.
    expect_decodes(*decoder, codec_file(input, 333), input);
    if (HasFatalFailure()) return;
  }
}

TEST_P(HostToHostTest, RandomShapesGoBothWays) {
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const BatchShape shape = {.block_bytes = 1 + seed * 7919 % 1500,
                              .batch_blocks = 1 + seed % 7,
                              .slots = static_cast<unsigned>(1 + seed % 4)};
    // Each block takes a thread block.
    const std::size_t most = std::min<std::size_t>(20 * shape.block_bytes, 9000);
    expect_both_ways(shape, test::random_mix(seed * 104'729 % most, seed), seed % 13);
    if (HasFatalFailure()) return;
  }
}

TEST_P(HostToHostTest, BlocksMayBeInAnyOrder) {
  const Bytes input = test::random_mix(3100, 31);
  const Bytes file = codec_file(input, 500);
  std::vector<Bytes> blocks;
  for (std::size_t at = 0; at < file.size() - bare_size_bytes;) {
    const std::uint64_t size = format::load_little_endian<8>(file.data() + at);
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(at);
    blocks.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    at += size;
  }
  ASSERT_EQ(blocks.size(), 7U);
  const std::unique_ptr<HostDecoder> decoder =
      functions().make_decoder({.block_bytes = 500, .batch_blocks = 3, .slots = 2});
  const std::size_t orders[][7] = {
      {6, 5, 4, 3, 2, 1, 0}, {0, 1, 3, 2, 4, 5, 6}, {3, 4, 5, 0, 1, 2, 6}, {6, 0, 1, 2, 3, 4, 5}};
  for (const auto& order : orders) {
    Bytes shuffled;
    for (const std::size_t block : order) {
      shuffled.insert(shuffled.end(), blocks[block].begin(), blocks[block].end());
    }
    shuffled.insert(shuffled.end(), bare_size_bytes, 0);
    expect_decodes(*decoder, shuffled, input);
    if (HasFatalFailure()) return;
  }
}

// A last block without elements, which encoders do not write.
TEST_P(HostToHostTest, DecodesALastBlockWithoutElements) {
  const BatchShape shape = {.block_bytes = 100, .batch_blocks = 1, .slots = 2};
  const std::unique_ptr<HostDecoder> decoder = functions().make_decoder(shape);
  const auto with_empty_block = [](Bytes file, std::uint64_t index) {
    file.resize(file.size() - bare_size_bytes + bare_header_bytes + bare_size_bytes, 0);
    std::uint8_t* const header = file.data() + file.size() - bare_header_bytes - bare_size_bytes;
    format::store_little_endian<8>(header, bare_header_bytes);
    format::store_little_endian<8>(header + bare_size_bytes, index);
    return file;
  };
  const Bytes input = test::random_mix(300, 4);
  expect_decodes(*decoder, with_empty_block(codec_file(input, 100), 3), input);
  expect_decodes(*decoder, with_empty_block(codec_file({}, 100), 0), {});
  // Not after a short one, and not before another.
  expect_refuses(shape, with_empty_block(codec_file(test::random_mix(250, 4), 100), 3));
  expect_refuses(shape, with_empty_block(with_empty_block(codec_file(input, 100), 3), 4));
}

TEST_P(HostToHostTest, RefusesWhatTheCodecRefusesInTheSameWords) {
  const BatchShape shape = {.block_bytes = 100, .batch_blocks = 2, .slots = 2};
  // Seven blocks without markers, so that a byte is an element.
  const Bytes input(650, 0x41);
  const Bytes file = codec_file(input, shape.block_bytes);
  const std::size_t stored = 100 + bare_header_bytes;
  for (const std::size_t block : {0U, 1U, 3U, 6U}) {
    SCOPED_TRACE(block);
    const std::size_t begin = block * stored;
    const std::size_t size = std::min(stored, file.size() - bare_size_bytes - begin);
    const auto changed = [&](std::size_t at, std::initializer_list<std::uint8_t> bytes) {
      Bytes bad = file;
      std::ranges::copy(bytes, bad.begin() + static_cast<std::ptrdiff_t>(begin + at));
      return bad;
    };
    expect_refuses(shape, changed(bare_header_bytes + 7, {0xff, 0xfd}));
    expect_refuses(shape, changed(size - 1, {0xff}));
    expect_refuses(shape, changed(0, {15}));
    expect_refuses(shape, changed(7, {1}));
    expect_refuses(shape, changed(8, {77}));
    // Too few bytes, of block 0 the size of all.
    if (block != 6) expect_refuses(shape, changed(bare_header_bytes + 7, {0xff, 0x01}));
    // Too many.
    if (block != 0) expect_refuses(shape, changed(bare_header_bytes + 7, {0xff, 0xfc}));
    if (HasFatalFailure()) return;
  }
  // A last block that is one byte too long.
  Bytes longer = codec_file(Bytes(700, 0x41), shape.block_bytes);
  const std::size_t elements_of_last = longer.size() - bare_size_bytes - shape.block_bytes;
  longer[elements_of_last] = 0xff;
  longer[elements_of_last + 1] = 3;
  expect_refuses(shape, longer);
}

TEST_P(HostToHostTest, RefusesAFileThatIsCutOffAnywhere) {
  const BatchShape shape = {.block_bytes = 100, .batch_blocks = 2, .slots = 2};
  const std::unique_ptr<HostDecoder> decoder = functions().make_decoder(shape);
  const Bytes file = codec_file(test::random_mix(300, 3), shape.block_bytes);
  Bytes output(300);
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string expected =
        message_of<format::FormatError>([&] { reference::decode_file(codec(), cut, 1); });
    ASSERT_EQ(message_of<format::FormatError>([&] { decoder->decode(cut, output); }), expected) << size;
  }
}

TEST_P(HostToHostTest, WritesNothingBehindTheOutput) {
  const BatchShape shape = {.block_bytes = 100, .batch_blocks = 2, .slots = 2};
  const Bytes input(1000, 0xff);
  const Bytes file = codec_file(input, shape.block_bytes);
  const std::unique_ptr<HostEncoder> encoder = functions().make_encoder(shape);
  const std::unique_ptr<HostDecoder> decoder = functions().make_decoder(shape);
  for (const std::size_t missing : {1U, 7U, 8U, 9U, 500U}) {
    GuardedMemory small(file.size() - missing, 3);
    EXPECT_THROW(encoder->encode(input, small.bytes()), std::length_error);
    EXPECT_TRUE(small.is_intact_after(small.bytes().size()));
    GuardedMemory short_output(input.size() - missing, 3);
    EXPECT_THROW(decoder->decode(file, short_output.bytes()), std::length_error);
    // Before anything is decoded.
    EXPECT_TRUE(short_output.is_intact_after(0));
  }
  const std::unique_ptr<HostDecoder> of_smaller_blocks =
      functions().make_decoder({.block_bytes = 99, .batch_blocks = 2, .slots = 2});
  GuardedMemory output(input.size(), 3);
  EXPECT_THROW(of_smaller_blocks->decode(file, output.bytes()), std::invalid_argument);
  EXPECT_TRUE(output.is_intact_after(0));
  expect_both_ways(shape, input);
}

// What the codec writes of all the blocks, in batches of any number of them.
TEST_P(HostToHostTest, BatchesThatArriveOneByOneGiveTheCodecsBlocks) {
  const std::uint64_t block_bytes = 300;
  const Bytes input = test::random_mix(40 * block_bytes - 17, 12);
  const Bytes expected = codec_file(input, block_bytes);
  for (const unsigned slots : {1U, 2U, 3U}) {
    SCOPED_TRACE(slots);
    const std::unique_ptr<BatchEncoder> encoder =
        functions().make_batch_encoder({.block_bytes = block_bytes, .batch_blocks = 5, .slots = slots});
    Bytes blocks;
    std::uint64_t started = 0;
    std::uint64_t finished = 0;
    std::vector<std::uint64_t> first_blocks;
    std::uint64_t next_block = 0;
    const auto finish_oldest = [&] {
      const std::span<const std::uint8_t> encoded = encoder->finish(first_blocks[finished++]);
      blocks.insert(blocks.end(), encoded.begin(), encoded.end());
    };
    for (std::size_t begin = 0; begin < input.size();) {
      if (started == finished + slots) finish_oldest();
      // Full batches and shorter ones after each other in each slot.
      const std::uint64_t count = 1 + (started * 3 + started / slots) % 5;
      const std::size_t size = std::min<std::size_t>(count * block_bytes, input.size() - begin);
      encoder->start(std::span(input).subspan(begin, size));
      first_blocks.push_back(next_block);
      next_block += count;
      begin += size;
      ++started;
    }
    while (finished < started) finish_oldest();
    blocks.resize(blocks.size() + bare_size_bytes, 0);
    EXPECT_TRUE(blocks == expected);
  }
}

TEST_P(HostToHostTest, ABatchHasBytesAndNoMoreThanTheShapeSays) {
  const BatchShape shape = {.block_bytes = 100, .batch_blocks = 3, .slots = 2};
  const std::unique_ptr<BatchEncoder> encoder = functions().make_batch_encoder(shape);
  EXPECT_THROW(encoder->start({}), std::invalid_argument);
  const Bytes input = test::random_mix(301, 2);
  EXPECT_THROW(encoder->start(input), std::invalid_argument);
  // What was refused takes no slot.
  encoder->start(std::span(input).first(300));
  const std::span<const std::uint8_t> encoded = encoder->finish(0);
  Bytes blocks(encoded.begin(), encoded.end());
  blocks.resize(blocks.size() + bare_size_bytes, 0);
  EXPECT_TRUE(blocks == codec_file(Bytes(input.begin(), input.end() - 1), shape.block_bytes));
  EXPECT_EQ(encoder->memory_bytes(), functions().make_encoder(shape)->memory_bytes());
}

// As much for each slot, and of a slot about what its batch takes: the input and the worst output.
TEST_P(HostToHostTest, MemoryIsThatOfTheSlots) {
  const BatchShape one = {.block_bytes = 1 << 16, .batch_blocks = 4, .slots = 1};
  BatchShape three = one;
  three.slots = 3;
  const std::uint64_t encoding = functions().make_encoder(one)->memory_bytes();
  const std::uint64_t decoding = functions().make_decoder(one)->memory_bytes();
  EXPECT_EQ(functions().make_encoder(three)->memory_bytes(), 3 * encoding);
  EXPECT_EQ(functions().make_decoder(three)->memory_bytes(), 3 * decoding);
  for (const std::uint64_t bytes : {encoding, decoding}) {
    EXPECT_GE(bytes, 3 * one.batch_bytes());
    EXPECT_LE(bytes, 3 * one.batch_bytes() + one.batch_bytes() / 50);
  }
}

TEST_P(HostToHostTest, ParametersSayTheShape) {
  const BatchShape usual = functions().shape(1 << 20, {});
  EXPECT_EQ(usual.block_bytes, 1U << 20);
  EXPECT_EQ(usual.batch_blocks, 16U);
  EXPECT_EQ(usual.slots, 3U);
  const BatchShape other = functions().shape(3 << 20, {{"slots", 2}, {"batch_mib", 8}});
  EXPECT_EQ(other.batch_blocks, 2U);
  EXPECT_EQ(other.slots, 2U);
  EXPECT_EQ(functions().shape(std::uint64_t{1} << 30, {}).batch_blocks, 1U);
  EXPECT_THROW(functions().shape(1 << 20, {{"slots", 7}}), std::invalid_argument);
  EXPECT_THROW(functions().shape(1 << 20, {{"passes", 2}}), std::invalid_argument);
}

// Files that are read and written in one pass, in the memory that there is: all slots with a batch of several
// blocks, of one, and a single slot.
TEST_P(HostToHostTest, EncodesFilesInTheMemoryThatItIsGiven) {
  constexpr std::uint64_t block_bytes = 2000;
  const Bytes input = test::random_mix(199'000, 16);
  const Bytes expected = codec_file(input, block_bytes);
  const auto memory_of = [&](std::uint64_t blocks, unsigned slots) {
    return functions()
        .make_encoder({.block_bytes = block_bytes, .batch_blocks = blocks, .slots = slots})
        ->memory_bytes();
  };
  const auto encode = [&](std::uint64_t memory_bytes) {
    Bytes file;
    std::vector<std::uint64_t> seen;
    const format::EncodeTotals totals = plans().encode(
        {.format = bare_format, .settings = {.block_bytes = block_bytes}, .memory_bytes = memory_bytes},
        format::reader_of(input), format::writer_to(file),
        [&](const format::StreamTotals& now) { seen.push_back(now.input_bytes); });
    EXPECT_TRUE(file == expected) << memory_bytes;
    EXPECT_EQ(totals.blocks, 100U);
    EXPECT_EQ(totals.input_bytes, input.size());
    EXPECT_EQ(totals.output_bytes, file.size());
    EXPECT_TRUE(!seen.empty() && seen.back() == input.size());
    return seen.size();
  };
  // The memory of a single slot with all of it.
  EXPECT_EQ(encode(std::uint64_t{2} << 30), 1U);
  // 16 MiB are 8388 blocks, halved until they fit.
  EXPECT_EQ(encode(memory_of(4, 3)), 25U);
  EXPECT_EQ(encode(memory_of(1, 3)), 100U);
  EXPECT_EQ(encode(memory_of(1, 2)), 100U);
  EXPECT_EQ(encode(memory_of(1, 1)), 100U);
  EXPECT_THROW(encode(memory_of(1, 1) - 1), pipeline::MemoryLimitError);
}

TEST_P(HostToHostTest, AtOnceItIsThePlanOfTheKernels) {
  const stage::InputToEncode bare = {.format = bare_format, .input_bytes = 2500, .block_bytes = 1000};
  const auto plan = plans().plan_of(bare);
  EXPECT_EQ(bytes_of(*plan, stage::Role::output), 2 * 2500U + 3 * 16 + 8);
  stage::InputToEncode other = bare;
  other.parameters = {{"slots", 4}, {"batch_mib", 1}};
  EXPECT_EQ(bytes_of(*plans().plan_of(other), stage::Role::state), bytes_of(*plan, stage::Role::state));
  other.parameters = {{"passes", 2}};
  EXPECT_THROW(plans().plan_of(other), std::invalid_argument);
  other = bare;
  other.format = format::zero_length::frame_format;
  EXPECT_THROW(plans().plan_of(other), std::invalid_argument);
  EXPECT_THROW(plans().describe(other), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::zero_length
