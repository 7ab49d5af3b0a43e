#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/ranges.hpp"
#include "fuzz/block_oracle.hpp"
#include "fuzz/frame_mutator.hpp"
#include "fuzz/kernels/frame_changes.hpp"
#include "fuzz/kernels/fuzz_run.hpp"
#include "fuzz/payload_mutator.hpp"
#include "library/repaired_checksums.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// The fuzzer's own parts: that its inputs are worth their time, and that it finds planted mistakes.
namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using stage::DecodeRequest;
using stage::Executor;
using Bytes = std::vector<std::uint8_t>;

TEST(FuzzBatch, OfEveryFormatHasBlocksThatReachTheKernelAndAreDecoded) {
  for (const BlockFormat format : decoded_formats(Executor::simt)) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    std::size_t reached = 0;
    std::size_t decoded = 0;
    for (std::uint64_t number = 0; number < 8; ++number) {
      Random random(1, number);
      const Batch batch = make_batch(format, 40, random);
      EXPECT_EQ(batch.inputs, batch.refused_by_plan + batch.expected.outputs.size());
      reached += batch.expected.outputs.size();
      for (const auto& output : batch.expected.outputs) decoded += output.has_value() ? 1 : 0;
    }
    EXPECT_GT(reached, 8u);
    EXPECT_GT(decoded, 8u);
  }
}

// What knows no format does for one whose series brings nothing.
class NoMutator final : public PayloadMutator {};

TEST(FuzzBatch, SeedsOfAFormatWithoutAMutatorAreThoseOfItsCodec) {
  const NoMutator none;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (!codec->is_framed()) continue;
    SCOPED_TRACE(std::string(codec->name()));
    unsigned accepted = 0;
    for (std::uint64_t number = 0; number < 20; ++number) {
      Random random(9, number);
      const Seeds seeds = none.make_seeds(*codec, 5, random);
      EXPECT_EQ(seeds.header.format, codec->traits().format);
      ASSERT_EQ(seeds.blocks.size(), 5u);
      const Block changed = none.change(seeds, random);
      BlockOracle oracle(seeds.header);
      try {
        oracle.check(changed.bytes,
                     {.layout = changed.layout,
                      .payload_bytes = static_cast<std::uint32_t>(changed.bytes.size()),
                      .uncompressed_bytes = static_cast<std::uint32_t>(seeds.header.block_size),
                      .checksum = 0},
                     0);
        ++accepted;
      } catch (const format::FormatError&) {
        continue;
      }
    }
    EXPECT_GT(accepted, 2u);
  }
}

TEST(FuzzOracle, OfEveryFormatGivesBackWhatTheCodecCompressed) {
  const Bytes input = reference::test::make_mixed(20'000, 1);
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (!codec->is_framed()) continue;
    SCOPED_TRACE(std::string(codec->name()));
    const Bytes frame = reference::encode_file(*codec, input, {.block_bytes = 3000, .threads = 1});
    EXPECT_EQ(decode_by_blocks(frame), input);
    // The checksum of the first block, in its record and in the index.
    Bytes changed = frame;
    changed[format::frame_header_bytes + format::record_header_bytes - 1] ^= 1;
    changed[format::parse_frame(frame).index_offset() + format::index_entry_bytes - 1] ^= 1;
    library::repair_checksums(changed);
    format::expect_format_error(0, "checksum", [&] { decode_by_blocks(changed); });
  }
}

TEST(FuzzBatch, TheSeedAndTheNumberDecideAll) {
  const auto frame = [](std::uint64_t seed, std::uint64_t number) {
    Random random(seed, number);
    return make_batch(BlockFormat::splits, 20, random).frame;
  };
  EXPECT_EQ(frame(1, 2), frame(1, 2));
  EXPECT_NE(frame(1, 2), frame(1, 3));
  EXPECT_NE(frame(1, 2), frame(2, 2));
}

TEST(FuzzBatch, TheOracleSaysOfABlockAloneWhatItSaysInTheBatch) {
  for (const BlockFormat format : decoded_formats(Executor::simt)) {
    Random random(3, static_cast<std::uint64_t>(format));
    const Batch batch = make_batch(format, 40, random);
    EXPECT_EQ(ask_oracle(batch.frame).outputs, batch.expected.outputs);
    for (std::size_t block = 0; block < batch.expected.outputs.size(); ++block) {
      const Expectation expected = ask_oracle(frame_of_one_block(batch.frame, block));
      EXPECT_EQ(expected.outputs.back(), batch.expected.outputs[block]);
    }
  }
}

// A decoder that is right, but that `mistake` follows its middle block.
using Mistake = void (*)(const stage::BlockOnDevice& block, std::uint32_t& status);

void decode_with(const DecodeRequest& request, Mistake mistake) {
  for (std::uint32_t number = 0; number < request.frame.block_count; ++number) {
    const stage::BlockOnDevice block = request.frame.block(number, request.output);
    const format::BlockView view = format::parse_block({block.payload, block.payload_bytes},
                                                       {.format = request.frame.format,
                                                        .layout = block.layout,
                                                        .uncompressed_bytes = block.uncompressed_bytes,
                                                        .split_count = request.frame.split_count},
                                                       number);
    request.status[number] = 0;
    try {
      reference::decode_block(view, {block.output, block.uncompressed_bytes}, number);
    } catch (const format::FormatError&) {
      request.status[number] = static_cast<std::uint32_t>(stage::BlockStatus::output_too_long);
    }
    if (number == request.frame.block_count / 2) mistake(block, request.status[number]);
  }
}

template <Mistake Planted>
stage::RegisteredStage stage_with() {
  stage::RegisteredStage stage;
  stage.description.id = "test/planted";
  stage.description.format = BlockFormat::coalesced;
  stage.decode[Executor::simt] = stage::decode_plans(
      stage.description, [](const DecodeRequest& request) { decode_with(request, Planted); });
  return stage;
}

void nothing(const stage::BlockOnDevice& /*block*/, std::uint32_t& /*status*/) {}
void writes_one_byte_too_far(const stage::BlockOnDevice& block, std::uint32_t& /*status*/) {
  ++block.output[block.uncompressed_bytes];
}
void writes_one_byte_before(const stage::BlockOnDevice& block, std::uint32_t& /*status*/) {
  --*(block.output - 1);
}
void accepts_what_it_refuses(const stage::BlockOnDevice& /*block*/, std::uint32_t& status) {
  status = status == 0 ? 2 : 0;
}
void gives_another_byte(const stage::BlockOnDevice& block, std::uint32_t& status) {
  status = 0;
  block.output[block.uncompressed_bytes - 1] ^= 1;
}
void leaves_the_status(const stage::BlockOnDevice& /*block*/, std::uint32_t& status) {
  status = 0xcdcdcdcd;
}
void writes_another_status(const stage::BlockOnDevice& /*block*/, std::uint32_t& status) {
  // Behind the last block's: the block is the middle one of 40 at most.
  (&status)[40] = 0;
}

struct Check {
  std::vector<Finding> findings;
  StageCounts counts;
};

Check check(const stage::RegisteredStage& stage, std::uint64_t number) {
  Random random(5, number);
  const Batch batch = make_batch(stage.description.format, 40, random);
  Check result;
  result.findings = check_batch(batch, stage, Executor::simt, random, result.counts);
  return result;
}

TEST(FuzzComparison, FindsNothingInADecoderThatIsRight) {
  for (std::uint64_t number = 0; number < 8; ++number) {
    const Check result = check(stage_with<nothing>(), number);
    EXPECT_TRUE(result.findings.empty());
    const Outcomes& outcomes = result.counts.outcomes;
    EXPECT_EQ(outcomes.decoded_alike + outcomes.refused_alike + result.counts.refused_by_plan, 40u);
  }
}

// How many of some batches show the stage's mistake.
unsigned batches_with_findings(const stage::RegisteredStage& stage) {
  unsigned found = 0;
  for (std::uint64_t number = 0; number < 16; ++number) {
    if (!check(stage, number).findings.empty()) ++found;
  }
  return found;
}

TEST(FuzzComparison, FindsADecoderThatAcceptsOrRefusesOrGivesAnotherByte) {
  EXPECT_EQ(batches_with_findings(stage_with<accepts_what_it_refuses>()), 16u);
  EXPECT_EQ(batches_with_findings(stage_with<gives_another_byte>()), 16u);
  EXPECT_EQ(batches_with_findings(stage_with<leaves_the_status>()), 16u);
}

TEST(FuzzComparison, FindsADecoderThatWritesWhereItMustNot) {
  EXPECT_EQ(batches_with_findings(stage_with<writes_another_status>()), 16u);
  // Where the next block begins at once, its own output hides the byte.
  EXPECT_GE(batches_with_findings(stage_with<writes_one_byte_too_far>()), 8u);
  EXPECT_GE(batches_with_findings(stage_with<writes_one_byte_before>()), 8u);
}

TEST(FuzzComparison, NamesTheBlock) {
  const Check result = check(stage_with<leaves_the_status>(), 0);
  ASSERT_EQ(result.findings.size(), 1u);
  const std::uint64_t reached = 40 - result.counts.refused_by_plan;
  EXPECT_EQ(result.findings.front().block, reached / 2);
}

// What a decoder of ranges was given.
struct GivenRanges {
  std::span<const stage::ByteRange> ranges;
  std::uint8_t* output;
  std::uint64_t output_bytes;
  std::uint32_t* status;
};

// Makes one of the ranges wrong, or what is around all of them.
using RangeMistake = void (*)(const GivenRanges& given, std::uint64_t number);

// Another plan, and the mistake after it.
class WrongRanges final : public stage::Plan {
public:
  WrongRanges(std::unique_ptr<stage::Plan> right, RangeMistake mistake)
      : right_(std::move(right)), mistake_(mistake) {}

  std::span<const stage::Part> parts() const override { return right_->parts(); }
  std::span<const stage::Phase> phases() const override { return right_->phases(); }
  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    right_->enqueue(given, stream, phase);
    const GivenRanges ranges{
        .ranges = {static_cast<const stage::ByteRange*>(given[1].data),
                   static_cast<std::size_t>(parts()[1].bytes / sizeof(stage::ByteRange))},
        .output = static_cast<std::uint8_t*>(given[2].data),
        .output_bytes = parts()[2].bytes,
        .status = static_cast<std::uint32_t*>(given[4].data)};
    std::uint64_t number = ranges.ranges.size() / 2;
    while (number + 1 < ranges.ranges.size() &&
           (ranges.status[number] != 0 || ranges.ranges[number].bytes == 0)) {
      ++number;
    }
    mistake_(ranges, number);
  }
  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                       std::uint64_t first) const override {
    return right_->check(status, result, first);
  }

private:
  std::unique_ptr<stage::Plan> right_;
  RangeMistake mistake_;
};

// Ranges of some batches, of which `mistake` changes one.
unsigned batches_with_wrong_ranges(std::uint64_t batches, RangeMistake mistake, RangeCounts& counts) {
  stage::RegisteredStage wrong =
      *stage::default_stage(BlockFormat::tiles, stage::Operation::ranges, Executor::simt);
  stage::RangesPlans& plans = wrong.ranges.at(Executor::simt);
  plans.make = [right = plans.make, mistake](const stage::RangesSubject& subject) {
    return std::make_unique<WrongRanges>(right(subject), mistake);
  };
  unsigned found = 0;
  for (std::uint64_t number = 0; number < batches; ++number) {
    Random random(6, number);
    const Batch batch = make_batch(number % 2 == 0 ? BlockFormat::tiles : BlockFormat::splits, 30, random);
    if (!check_ranges(batch, wrong, Executor::simt, random, counts).empty()) ++found;
  }
  return found;
}

TEST(FuzzRanges, FindNothingInTheStageAndReachAllThatCanHappen) {
  RangeCounts counts;
  EXPECT_EQ(batches_with_wrong_ranges(
                8, [](const GivenRanges&, std::uint64_t) {}, counts),
            0u);
  EXPECT_EQ(counts.ranges, counts.refused_as_outside + counts.decoded_alike + counts.refused_alike);
  EXPECT_GT(counts.refused_as_outside, 8u);
  EXPECT_GT(counts.decoded_alike, 50u);
  EXPECT_GT(counts.refused_alike, 20u);
  EXPECT_EQ(counts.frames, 8u * 3);
  EXPECT_GT(counts.frames_refused_by_plan, 8u);
}

TEST(FuzzRanges, FindADecoderThatIsWrong) {
  RangeCounts counts;
  const auto found = [&](RangeMistake mistake) { return batches_with_wrong_ranges(4, mistake, counts); };
  EXPECT_GE(found([](const GivenRanges& given, std::uint64_t number) {
              given.output[given.ranges[number].output_offset] ^= 1;
            }),
            3u)
      << "another byte";
  // Of a batch that decodes no range behind the middle one, that one is refused already.
  EXPECT_GE(found([](const GivenRanges& given, std::uint64_t number) { given.status[number] = 2; }), 3u)
      << "refuses what it decodes";
  EXPECT_EQ(found([](const GivenRanges& given, std::uint64_t) { ++given.output[given.output_bytes]; }), 4u)
      << "writes behind the output";
  EXPECT_EQ(found([](const GivenRanges& given, std::uint64_t) { given.status[given.ranges.size()] = 0; }), 4u)
      << "writes another status";
}

// The library's decompression in device memory of some batches and their changed copies, which `mistake`
// follows.
using FrameMistake = void (*)(const frame::FrameBounds& bounds, const library::DeviceFrameMemory& memory);

unsigned batches_with_wrong_frames(FrameMistake mistake, DeviceFrameCounts& counts) {
  const DeviceFrameDecoder right = device_frame_decoder(Executor::simt);
  const DeviceFrameDecoder planted = [&](const library::DeviceFramePlan& plan,
                                         const library::DeviceFrameMemory& memory) {
    right(plan, memory);
    mistake(plan.bounds(), memory);
  };
  std::vector<BlockFormat> formats;
  for (const BlockFormat format : decoded_formats(Executor::simt)) {
    if (library::checks_frames_of(format)) formats.push_back(format);
  }
  unsigned found = 0;
  for (std::uint64_t number = 0; number < 8; ++number) {
    Random random(7, number);
    const Batch batch = make_batch(formats.at(number % formats.size()), 20, random);
    if (!check_device_frames(batch, Executor::simt, planted, random, counts).empty()) ++found;
  }
  return found;
}

TEST(FuzzDeviceFrames, FindNothingInTheLibraryAndReachAllThatCanHappen) {
  DeviceFrameCounts counts;
  EXPECT_EQ(
      batches_with_wrong_frames([](const frame::FrameBounds&, const library::DeviceFrameMemory&) {}, counts),
      0u);
  EXPECT_GT(counts.frames, 20u);
  EXPECT_GT(counts.frames_refused_alike, 8u);
  EXPECT_LT(counts.frames_refused_alike, counts.frames - 8);
  EXPECT_GT(counts.decoded_alike, 40u);
  EXPECT_GT(counts.wrong_checksums, 0u);
  EXPECT_GT(counts.refused_alike, 40u);
}

// The host's reader refuses them for what the other format's rules ask.
TEST(FuzzDeviceFrames, FramesThatNameAFormatOfAnotherSeriesAreRefusedAlike) {
  Random random(8, 0);
  DeviceFrameCounts counts;
  std::uint64_t tried = 0;
  for (const format::Format& format : format::registered_formats()) {
    if (format.rules == nullptr || library::checks_frames_of(format.id)) continue;
    for (const BlockFormat really : {BlockFormat::splits, BlockFormat::tiles}) {
      Bytes frame = make_batch(really, 20, random).frame;
      frame[10] = static_cast<std::uint8_t>(format.id);
      library::repair_checksums(frame);
      for (const Finding& finding : check_device_frame(
               frame, nullptr, Executor::simt, device_frame_decoder(Executor::simt), random, counts)) {
        ADD_FAILURE() << format.name << ": " << finding.what;
      }
      ++tried;
    }
  }
  EXPECT_GT(tried, 0u);
  EXPECT_EQ(counts.frames_refused_alike, tried);
}

TEST(FuzzDeviceFrames, FindADecoderThatIsWrong) {
  DeviceFrameCounts counts;
  using Bounds = frame::FrameBounds;
  using Memory = library::DeviceFrameMemory;
  const auto found = [&](FrameMistake mistake) { return batches_with_wrong_frames(mistake, counts); };
  EXPECT_EQ(found([](const Bounds&, const Memory& memory) { ++memory.result->output_bytes; }), 8u)
      << "another size";
  EXPECT_EQ(
      found([](const Bounds&, const Memory& memory) { memory.result->problem = frame::FrameProblem::flags; }),
      8u)
      << "refuses what it takes";
  EXPECT_EQ(found([](const Bounds& bounds, const Memory& memory) { ++memory.output[bounds.output_bytes]; }),
            8u)
      << "writes behind the output";
  EXPECT_EQ(found([](const Bounds& bounds, const Memory& memory) { memory.status[bounds.block_count] = 0; }),
            8u)
      << "writes another status";
  EXPECT_EQ(found([](const Bounds&, const Memory& memory) { memory.status[0] = memory.status[0] == 0; }), 8u)
      << "refuses what it decodes and decodes what it refuses";
  EXPECT_GE(found([](const Bounds&, const Memory& memory) {
              if (memory.result->problem != frame::FrameProblem::none) ++memory.output[0];
            }),
            5u)
      << "output of a refused frame";
}

TEST(FuzzFrames, AreRepairedToWhatTheyWere) {
  const Bytes input = reference::test::make_mixed(20'000, 2);
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (!codec->is_framed()) continue;
    SCOPED_TRACE(std::string(codec->name()));
    const Bytes frame = reference::encode_file(*codec, input, {.block_bytes = 3000, .threads = 1});
    Bytes damaged = frame;
    // Checksums of the header and of the first block, and the frame's last bytes.
    for (const std::size_t byte :
         {format::frame_header_bytes - 1, format::frame_header_bytes + format::record_header_bytes - 1,
          frame.size() - 1}) {
      damaged[byte] ^= 1;
    }
    EXPECT_THROW(decode_by_blocks(damaged), format::FormatError);
    EXPECT_EQ(with_repaired_outputs(damaged), frame);
  }
}

// Of 200 changed frames of `codec` with one block, how many are accepted and give other bytes.
unsigned count_accepted_changes(const reference::Codec& codec) {
  const Bytes input = reference::test::make_text(6000, 3);
  const Bytes frame = reference::encode_file(codec, input, {.block_bytes = 6000, .threads = 1});
  unsigned accepted = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(10, seed);
    // Another byte, or one more where there is room.
    const MutateBytes mutate = [&](std::uint8_t* bytes, std::size_t size, std::size_t max_size) {
      if (size == 0) return size;
      const std::size_t place = random.below(size);
      if (size == max_size || random.one_in(2)) {
        bytes[place] = random.byte();
        return size;
      }
      std::copy_backward(bytes + place, bytes + size, bytes + size + 1);
      return size + 1;
    };
    try {
      const Bytes changed = with_repaired_outputs(mutate_frame(frame, seed, mutate));
      const bool is_changed = decode_by_blocks(changed) != input;
      if (is_changed && format::parse_frame(changed).index.entries.size() == 1) ++accepted;
    } catch (const format::FormatError&) {
      continue;
    }
  }
  return accepted;
}

TEST(FuzzFrames, SomeChangedPayloadsAreStillBlocks) {
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (!codec->is_framed()) continue;
    SCOPED_TRACE(std::string(codec->name()));
    EXPECT_GT(count_accepted_changes(*codec), 5u);
  }
}

TEST(FuzzFrames, SomeChangedFramesAreStillFrames) {
  unsigned accepted = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    Random random(8, number);
    const Batch batch = make_batch(BlockFormat::splits, 4, random);
    if (batch.expected.outputs.empty()) continue;
    const Bytes changed = change_frame(batch.frame, random);
    try {
      stage::frame_shape(changed);
      if (changed != batch.frame) ++accepted;
    } catch (const format::FormatError&) {
      continue;
    }
  }
  EXPECT_GT(accepted, 4u);
  EXPECT_LT(accepted, 30u);
}

template <typename Condition>
std::size_t count_formats(const RunOptions& options, const Condition& is_one) {
  return static_cast<std::size_t>(std::ranges::count_if(options.formats, is_one));
}

void expect_every_stage_agrees(Executor executor) {
  RunOptions options;
  options.executor = executor;
  std::map<BlockFormat, std::uint64_t> decoders;
  for (const stage::RegisteredStage& stage : stage::registered_stages(stage::Operation::decode)) {
    if (!is_registered_for(stage, executor)) continue;
    options.stages.push_back(&stage);
    ++decoders[stage.description.format];
  }
  for (const stage::RegisteredStage& stage : stage::registered_stages(stage::Operation::ranges)) {
    if (is_registered_for(stage, executor)) options.range_stages.push_back(&stage);
  }
  if (options.stages.empty()) return;
  for (const BlockFormat format : decoded_formats(executor)) options.formats.push_back(format);
  options.batch_inputs = 40;
  // A format's stages take turns: each comes so often or more.
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t turns = 1;
#else
  constexpr std::uint64_t turns = 3;
#endif
  const auto most = std::ranges::max_element(decoders, {}, [](const auto& of) { return of.second; });
  options.inputs = options.batch_inputs * options.formats.size() * most->second * turns;
  options.threads = 2;
  const RunResult result = run_batches(options);
  EXPECT_EQ(result.counts.size(), options.stages.size()) << "stages that have decoded a batch";
  std::uint64_t inputs = 0;
  for (const auto& [stage, counts] : result.counts) inputs += counts.inputs;
  EXPECT_EQ(inputs, *options.inputs);
  EXPECT_EQ(result.ranges.size(), options.range_stages.size()) << "stages that have decoded ranges";
  for (const stage::RegisteredStage* const stage : options.range_stages) {
    EXPECT_EQ(result.ranges.at(stage->description.id).size(),
              count_formats(options,
                            [&](BlockFormat format) { return stage->ranges.at(executor).decodes(format); }))
        << stage->description.id;
  }
  EXPECT_EQ(result.device_frames.size(),
            executor == Executor::cpu ? 0 : count_formats(options, library::checks_frames_of))
      << "formats of frames in device memory";
  for (const Failure& failure : result.failures) {
    ADD_FAILURE() << failure.stage << ", batch " << failure.batch << " of seed " << options.seed << ": "
                  << failure.findings.front().what;
  }
}

TEST(FuzzRun, EveryStageAgreesWithTheOracle) {
  expect_every_stage_agrees(Executor::cpu);
  expect_every_stage_agrees(Executor::simt);
}

}  // namespace
}  // namespace gsst::fuzz
