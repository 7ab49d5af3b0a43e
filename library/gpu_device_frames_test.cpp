#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu.hpp"
#include "library/gpu_test_memory.hpp"
#include "stages/suite/test_sample.hpp"

// Frames that are in device memory only, through gsst/gpu.hpp. What needs a GPU is skipped where there is
// none.
namespace gsst::gpu {
namespace {

using namespace test;

FrameBounds bounds_within(const Bytes& frame) {
  const FrameInfo info = value_of(inspect(frame));
  return {.format = static_cast<Format>(info.format),
          .splits = info.splits,
          .frame_bytes = frame.size(),
          .output_bytes = info.uncompressed_bytes,
          .block_bytes = info.block_bytes,
          .block_count = info.block_count};
}

// What a decompression works in.
struct DeviceFrameArrays {
  explicit DeviceFrameArrays(const DeviceFramePlan& plan)
      : frame(plan.sizes().frame_bytes),
        frame_bytes(1),
        output(plan.sizes().output_bytes),
        scratch(plan.sizes().scratch_bytes),
        status(plan.sizes().status_count),
        result(1) {}

  void write_frame(const Bytes& bytes) {
    frame.write(bytes);
    frame_bytes.write(std::array{std::uint64_t{bytes.size()}});
  }
  void poison() {
    output.fill(0);
    scratch.fill(0xb7);
    status.fill(0xb7);
    result.fill(0xb7);
  }
  DeviceFrameMemory memory() {
    return {.frame = frame.all(),
            .frame_bytes = frame_bytes.data(),
            .output = output.all(),
            .scratch = scratch.all(),
            .status = status.all(),
            .result = result.data()};
  }
  bool is_intact() const {
    return frame.is_intact() && frame_bytes.is_intact() && output.is_intact() && scratch.is_intact() &&
           status.is_intact() && result.is_intact();
  }

  DeviceArray<std::byte> frame;
  DeviceArray<std::uint64_t> frame_bytes;
  DeviceArray<std::byte> output;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint32_t> status;
  DeviceArray<FrameResult> result;
};

using GpuDeviceFrames = GpuLibrary;

TEST_F(GpuDeviceFrames, EveryFormatIsCheckedAndDecompressedByAGraph) {
  const Bytes input = text(300000, 21);
  for (const Format format : all_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_cpu(input, format);
    FrameBounds bounds = bounds_within(frame);
    bounds.frame_bytes += 1000;
    bounds.output_bytes += 1000;
    bounds.block_count += 100;
    const DeviceFramePlan plan = value_of(DeviceFramePlan::create(bounds));
    DeviceFrameArrays arrays(plan);
    const Stream stream;
    const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
    // Another frame each time: nothing of a frame is in the graph.
    for (const std::uint64_t seed : {21u, 22u}) {
      const Bytes other = text(seed == 21 ? 300000 : 170000, seed);
      arrays.poison();
      arrays.write_frame(compress_on_cpu(other, format));
      graph.run(stream);
      const FrameResult result = value_of(check_frame_result(arrays.result.read().front()));
      EXPECT_EQ(result.output_bytes, other.size());
      EXPECT_EQ(result.block_count, (other.size() + 49999) / 50000);
      EXPECT_EQ(value_of(check_status(arrays.status.read())), bounds.block_count);
      Bytes output = arrays.output.read();
      output.resize(result.output_bytes);
      EXPECT_TRUE(output == other);
      EXPECT_TRUE(arrays.is_intact());
    }
  }
}

// A test for each format: under racecheck one takes minutes.
void expect_decoding_without_the_host(Format format) {
  constexpr std::size_t block_bytes = 100000;
  const std::size_t block_count = gsst::test::test_sample().size(30, 6);
  const std::size_t input_bytes = block_count * block_bytes;
  const CompressPlan compress =
      value_of(CompressPlan::create(input_bytes, {.block_bytes = block_bytes, .format = format}));
  CompressArrays compressing(compress.sizes());
  const DeviceFramePlan decompress =
      value_of(DeviceFramePlan::create({.format = format,
                                        .splits = format == Format::splits ? 391U : 0U,
                                        .frame_bytes = compress.sizes().output_bytes,
                                        .output_bytes = input_bytes,
                                        .block_bytes = block_bytes,
                                        .block_count = block_count}));
  DeviceFrameArrays decompressing(decompress);
  DeviceFrameMemory memory = decompressing.memory();
  memory.frame = compressing.output.all();
  memory.frame_bytes = compressing.frame_bytes.data();
  const Stream stream;
  const Graph graph(stream, [&] {
    value_of(compress.execute(compressing.memory(), stream.get()));
    value_of(decompress.execute(memory, stream.get()));
  });
  // Another input each time: its table is trained in the graph, and nothing of it stays there.
  for (const std::uint64_t seed : {23u, 26u, 23u}) {
    SCOPED_TRACE(seed);
    const Bytes input = to_bytes(reference::test::make_mixed(input_bytes, seed));
    compressing.input.write(input);
    compressing.output.fill(0xb7);
    compressing.scratch.fill(0xb7);
    compressing.frame_bytes.fill(0xb7);
    decompressing.poison();
    graph.run(stream);
    EXPECT_TRUE(value_of(gsst::decompress(compressing.frame())) == input);
    EXPECT_EQ(value_of(check_frame_result(decompressing.result.read().front())).output_bytes, input_bytes);
    EXPECT_EQ(value_of(check_status(decompressing.status.read())), block_count);
    EXPECT_TRUE(decompressing.output.read() == input);
    EXPECT_TRUE(compressing.is_intact() && decompressing.is_intact());
  }
}

TEST_F(GpuDeviceFrames, SplitsGoFromTheEncoderToTheDecoderWithoutTheHost) {
  expect_decoding_without_the_host(Format::splits);
}
TEST_F(GpuDeviceFrames, TilesGoFromTheEncoderToTheDecoderWithoutTheHost) {
  expect_decoding_without_the_host(Format::tiles);
}

// The host's plan and the kernels say the same of frames in which a byte has changed.
void expect_changed_frames_refused_where_the_host_refuses(Format format) {
  const Bytes input = text(150000, 24);
  const Bytes frame = compress_on_cpu(input, format);
  const DeviceFramePlan plan = value_of(DeviceFramePlan::create(bounds_within(frame)));
  DeviceFrameArrays arrays(plan);
  const Stream stream;
  unsigned refused = 0;
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t index = 0;
  for (std::size_t place = 0; place < frame.size(); place += place < 200 ? 1 : 499) {
    if (!sample.has(index++)) continue;
    SCOPED_TRACE("byte " + std::to_string(place));
    Bytes changed = frame;
    changed[place] ^= std::byte{0x41};
    arrays.poison();
    arrays.write_frame(changed);
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    const bool is_host_plan = static_cast<bool>(DecompressPlan::create(changed));
    const auto result = check_frame_result(arrays.result.read().front());
    bool is_device_plan = static_cast<bool>(result);
    for (const std::uint32_t word : arrays.status.read()) {
      if (GSST_GPU_BLOCK_STATUS(word) == GSST_GPU_BLOCK_REFUSED) is_device_plan = false;
    }
    EXPECT_EQ(is_device_plan, is_host_plan);
    if (!is_device_plan) ++refused;
    // What is not refused was decompressed, or a block says why not.
    if (check_status(arrays.status.read())) {
      EXPECT_TRUE(result && arrays.output.read() == input);
    }
    EXPECT_TRUE(arrays.is_intact());
  }
  EXPECT_GT(refused, 80u / sample.step / (sample.is_whole() ? 1 : 2));
}

TEST_F(GpuDeviceFrames, ChangedBlocksAreRefusedWhereTheHostRefuses) {
  expect_changed_frames_refused_where_the_host_refuses(Format::blocks);
}
TEST_F(GpuDeviceFrames, ChangedSplitsAreRefusedWhereTheHostRefuses) {
  expect_changed_frames_refused_where_the_host_refuses(Format::splits);
}
TEST_F(GpuDeviceFrames, ChangedCoalescedFramesAreRefusedWhereTheHostRefuses) {
  expect_changed_frames_refused_where_the_host_refuses(Format::coalesced);
}
TEST_F(GpuDeviceFrames, ChangedTilesAreRefusedWhereTheHostRefuses) {
  expect_changed_frames_refused_where_the_host_refuses(Format::tiles);
}

TEST_F(GpuDeviceFrames, AFrameOutsideItsBoundsSaysSo) {
  const Bytes frame = compress_on_cpu(text(100000, 25), Format::splits);
  FrameBounds bounds = bounds_within(frame);
  --bounds.output_bytes;
  const DeviceFramePlan plan = value_of(DeviceFramePlan::create(bounds));
  DeviceFrameArrays arrays(plan);
  arrays.write_frame(frame);
  arrays.poison();
  const Stream stream;
  value_of(plan.execute(arrays.memory(), stream.get()));
  stream.wait();
  const auto result = check_frame_result(arrays.result.read().front());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().error, Error::output_too_small) << result.failure().message;
  EXPECT_EQ(arrays.output.read(), Bytes(bounds.output_bytes));
  EXPECT_EQ(check_status(arrays.status.read()).failure().error, Error::damaged);
}

// From here on no GPU is needed: the arguments are looked at first.

TEST(GpuDeviceFramesApi, WrongBoundsAreRefused) {
  const FrameBounds right = bounds_within(compress_on_cpu(text(1000, 1), Format::splits));
  EXPECT_TRUE(DeviceFramePlan::create(right));
  const auto error_with = [&](auto change) {
    FrameBounds bounds = right;
    change(bounds);
    return DeviceFramePlan::create(bounds).failure().error;
  };
  using Bounds = FrameBounds;
  for (const Format format : {Format::automatic, Format::fsst, Format::tiles}) {
    EXPECT_EQ(error_with([&](Bounds& bounds) { bounds.format = format; }), Error::invalid_argument);
  }
  EXPECT_EQ(error_with([](Bounds& bounds) { bounds.splits = 0; }), Error::invalid_argument);
  EXPECT_EQ(error_with([](Bounds& bounds) { bounds.block_bytes = 0; }), Error::invalid_argument);
  EXPECT_EQ(error_with([](Bounds& bounds) { bounds.block_count = 1U << 27; }), Error::invalid_argument);
  EXPECT_EQ(error_with([](Bounds& bounds) { bounds.frame_bytes = 0; }), Error::invalid_argument);

  gsst_message message;
  gsst_gpu_device_frame_plan* plan = nullptr;
  gsst_gpu_frame_bounds bounds{};
  EXPECT_EQ(gsst_gpu_device_frame_plan_create(nullptr, &plan, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_device_frame_plan_create(&bounds, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_device_frame_plan_create(&bounds, &plan, &message), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(message.text).find("struct_bytes"), std::string::npos) << message.text;
  EXPECT_EQ(gsst_gpu_device_frame_plan_sizes(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_device_frame_execute(nullptr, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_check_frame_result(nullptr, &message), GSST_ERROR_NULL_POINTER);
  gsst_gpu_device_frame_plan_destroy(nullptr);
}

TEST(GpuDeviceFramesApi, WrongMemoryIsRefused) {
  const Bytes frame = compress_on_cpu(text(100000, 1), Format::tiles);
  const DeviceFramePlan plan = value_of(DeviceFramePlan::create(bounds_within(frame)));
  const std::uint64_t frame_bytes = frame.size();
  Bytes output(plan.sizes().output_bytes);
  std::vector<std::uint64_t> scratch(plan.sizes().scratch_bytes / sizeof(std::uint64_t) + 1);
  std::vector<std::uint32_t> status(plan.sizes().status_count);
  FrameResult result{};
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    DeviceFrameMemory memory{.frame = frame,
                             .frame_bytes = &frame_bytes,
                             .output = output,
                             .scratch = std::as_writable_bytes(std::span(scratch)),
                             .status = status,
                             .result = &result};
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = DeviceFrameMemory;
  refuse([](Memory& memory) { memory.frame = memory.frame.subspan(1); }, Error::invalid_argument, "frame");
  refuse([](Memory& memory) { memory.frame_bytes = nullptr; }, Error::null_pointer, "frame_bytes");
  refuse([](Memory& memory) { memory.output = memory.output.subspan(1); }, Error::output_too_small, "output");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.subspan(16); }, Error::scratch_too_small,
         "scratch");
  refuse(
      [](Memory& memory) {
        memory.scratch = {memory.scratch.data() + 4, memory.scratch.size()};
      },
      Error::misaligned, "scratch");
  refuse([](Memory& memory) { memory.status = memory.status.subspan(1); }, Error::output_too_small, "status");
  refuse([](Memory& memory) { memory.result = nullptr; }, Error::null_pointer, "result");
  refuse([&](Memory& memory) { memory.frame_bytes = scratch.data(); }, Error::overlap, "frame_bytes");
}

TEST(GpuDeviceFramesApi, ARefusalIsTurnedIntoAnError) {
  FrameResult result{};
  result.output_bytes = 7;
  EXPECT_EQ(value_of(check_frame_result(result)).output_bytes, 7u);
  result.problem = 77;
  result.problem_block = 3;
  const Failure unknown = check_frame_result(result).failure();
  EXPECT_EQ(unknown.error, Error::damaged);
  EXPECT_EQ(unknown.message.find("block 2: "), 0u) << unknown.message;
  const auto failure_of = [](std::uint32_t word) {
    return check_status(std::vector<std::uint32_t>{0, word}).failure();
  };
  EXPECT_EQ(failure_of(GSST_GPU_BLOCK_OF_REFUSED_FRAME).message, "block 1: the frame was refused");
  const Failure block = failure_of(0x2a00 | GSST_GPU_BLOCK_REFUSED);
  EXPECT_EQ(block.error, Error::damaged);
  EXPECT_EQ(block.message, "block 1: uncompressed size: is not what the format allows");
}

}  // namespace
}  // namespace gsst::gpu
