#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu_frames.hpp"
#include "library/gpu_test_memory.hpp"
#include "stages/suite/test_sample.hpp"

// gsst/gpu_frames.hpp and, through it, gsst/gpu_frames.h. Which frames are refused, and for what, is tested
// in stages/gsst/frames/frames_test.cpp. What needs a GPU is skipped where there is none.
namespace gsst::gpu {
namespace {

using namespace test;

// Frames one after the other, as a caller may have them in device memory.
struct ManyFrames {
  Bytes input;
  std::vector<FramePlace> places;
  std::vector<Bytes> outputs;
  std::uint64_t output_bytes = 0;

  void add(const Bytes& frame, const Bytes& output) {
    constexpr std::size_t unit = GSST_GPU_FRAMES_TILES_ALIGNMENT;
    input.resize((input.size() + unit - 1) / unit * unit);
    places.push_back({.input_offset = input.size(),
                      .output_offset = output_bytes,
                      .frame_bytes = frame.size(),
                      .output_capacity = output.size()});
    input.insert(input.end(), frame.begin(), frame.end());
    outputs.push_back(output);
    output_bytes += output.size();
  }
};

// Texts of different sizes; `seed` chooses them.
ManyFrames frames_of_text(Format format, std::size_t count, std::uint64_t seed) {
  ManyFrames made;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes input = text(1000 + (seed + i) % 50 * 1300, seed + i);
    made.add(value_of(compress(
                 input,
                 {.format = format, .block_bytes = 1 << 16, .splits = 20, .checksum = Checksum::xxh64_tree})),
             input);
  }
  return made;
}

FramesBounds bounds_for(const ManyFrames& frames, Format format) {
  FramesBounds bounds{.format = format,
                      .splits = format == Format::splits || format == Format::coalesced ? 20U : 0U,
                      .frame_count = frames.places.size(),
                      .input_bytes = frames.input.size(),
                      .total_output_bytes = frames.output_bytes};
  for (const FramePlace& place : frames.places) {
    bounds.frame_bytes = std::max(bounds.frame_bytes, place.frame_bytes);
    bounds.output_bytes = std::max(bounds.output_bytes, place.output_capacity);
  }
  return bounds;
}

// What an execution works in.
struct FramesArrays {
  explicit FramesArrays(const FramesSizes& sizes)
      : input(sizes.input_bytes),
        frames(sizes.frame_count),
        output(sizes.output_bytes),
        scratch(sizes.scratch_bytes),
        status(sizes.status_count),
        results(sizes.frame_count) {}

  void write(const ManyFrames& many) {
    input.write(many.input);
    std::vector<FramePlace> places = many.places;
    places.resize(frames.all().size());
    frames.write(places);
    output.fill(0);
    scratch.fill(0xb7);
    status.fill(0xb7);
    results.fill(0xb7);
  }
  FramesMemory memory() {
    return {.input = input.all(),
            .frames = frames.all(),
            .output = output.all(),
            .scratch = scratch.all(),
            .status = status.all(),
            .results = results.all()};
  }
  bool is_intact() const {
    return input.is_intact() && frames.is_intact() && output.is_intact() && scratch.is_intact() &&
           status.is_intact() && results.is_intact();
  }

  DeviceArray<std::byte> input;
  DeviceArray<FramePlace> frames;
  DeviceArray<std::byte> output;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint32_t> status;
  DeviceArray<FrameResult> results;
};

void expect_outputs(const FramesArrays& arrays, const ManyFrames& frames) {
  const Bytes output = arrays.output.read();
  const std::vector<FrameResult> results = arrays.results.read();
  for (std::size_t i = 0; i < frames.places.size(); ++i) {
    EXPECT_EQ(results[i].output_bytes, frames.outputs[i].size()) << i;
    EXPECT_TRUE(std::equal(frames.outputs[i].begin(), frames.outputs[i].end(),
                           output.begin() + static_cast<std::ptrdiff_t>(frames.places[i].output_offset)))
        << i;
  }
}

using GpuFrames = GpuLibrary;

// A test for each format: under racecheck one takes minutes.
void expect_many_frames_by_a_graph(Format format) {
  const std::size_t count = gsst::test::test_sample().size(1000, 20);
  const ManyFrames first = frames_of_text(format, count, 31);
  const ManyFrames second = frames_of_text(format, count / 2, 77);
  FramesBounds bounds = bounds_for(first, format);
  const FramesBounds of_second = bounds_for(second, format);
  bounds.frame_bytes = std::max(bounds.frame_bytes, of_second.frame_bytes);
  bounds.output_bytes = std::max(bounds.output_bytes, of_second.output_bytes);
  const FramesPlan plan = value_of(FramesPlan::create(bounds));
  FramesArrays arrays(plan.sizes());
  const Stream stream;
  const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
  // Other frames each time, and fewer: nothing of them is in the graph.
  for (const ManyFrames* const frames : {&first, &second, &first}) {
    arrays.write(*frames);
    graph.run(stream);
    EXPECT_EQ(value_of(check_frames(arrays.results.read(), arrays.status.read())), count);
    expect_outputs(arrays, *frames);
    EXPECT_TRUE(arrays.is_intact());
  }
}

TEST_F(GpuFrames, ManyFramesOfBlocksAreDecompressedByAGraph) {
  expect_many_frames_by_a_graph(Format::blocks);
}
TEST_F(GpuFrames, ManyFramesOfSplitsAreDecompressedByAGraph) {
  expect_many_frames_by_a_graph(Format::splits);
}
TEST_F(GpuFrames, ManyCoalescedFramesAreDecompressedByAGraph) {
  expect_many_frames_by_a_graph(Format::coalesced);
}
TEST_F(GpuFrames, ManyFramesOfTilesAreDecompressedByAGraph) {
  expect_many_frames_by_a_graph(Format::tiles);
}

TEST_F(GpuFrames, ChangedFramesLeaveTheOthersAlone) {
  ManyFrames frames = frames_of_text(Format::tiles, 60, 3);
  const FramesPlan plan = value_of(FramesPlan::create(bounds_for(frames, Format::tiles)));
  FramesArrays arrays(plan.sizes());
  // Every other one, in its header, its block, its index or its trailer.
  for (std::size_t i = 1; i < frames.places.size(); i += 2) {
    const FramePlace& place = frames.places[i];
    const std::uint64_t byte = place.frame_bytes * (i % 9) / 9;
    frames.input[place.input_offset + byte] ^= std::byte{0x41};
  }
  arrays.write(frames);
  const Stream stream;
  value_of(plan.execute(arrays.memory(), stream.get()));
  stream.wait();
  const std::vector<FrameResult> results = arrays.results.read();
  const std::vector<std::uint32_t> status = arrays.status.read();
  const Bytes output = arrays.output.read();
  std::size_t seen = 0;
  for (std::size_t i = 0; i < frames.places.size(); ++i) {
    const bool is_whole = static_cast<bool>(check_frames({&results[i], 1}, {&status[i], 1}));
    if (i % 2 == 0) {
      EXPECT_TRUE(is_whole) << i;
    }
    if (!is_whole) {
      ++seen;
      continue;
    }
    EXPECT_TRUE(std::equal(frames.outputs[i].begin(), frames.outputs[i].end(),
                           output.begin() + static_cast<std::ptrdiff_t>(frames.places[i].output_offset)))
        << i;
  }
  EXPECT_GT(seen, 20u);
  EXPECT_TRUE(arrays.is_intact());
}

// From here on no GPU is needed: the arguments are looked at first.

TEST(GpuFramesApi, WrongBoundsAreRefused) {
  const FramesBounds right{.format = Format::tiles,
                           .frame_count = 10,
                           .frame_bytes = 1000,
                           .output_bytes = 2000,
                           .input_bytes = 10000,
                           .total_output_bytes = 20000};
  EXPECT_TRUE(FramesPlan::create(right));
  const auto expect_named = [&](auto change, const std::string& word) {
    FramesBounds bounds = right;
    change(bounds);
    const auto plan = FramesPlan::create(bounds);
    ASSERT_FALSE(plan) << word;
    EXPECT_EQ(plan.failure().error, Error::invalid_argument) << word;
    EXPECT_NE(plan.failure().message.find(word), std::string::npos) << plan.failure().message;
  };
  using Bounds = FramesBounds;
  expect_named([](Bounds& bounds) { bounds.format = Format::automatic; }, "the format must be named");
  expect_named([](Bounds& bounds) { bounds.format = Format::fsst; }, "on the CPU only");
  expect_named([](Bounds& bounds) { bounds.splits = 2; }, "splits is 2");
  expect_named([](Bounds& bounds) { bounds.format = Format::splits; }, "splits is 0");
  expect_named([](Bounds& bounds) { bounds.checksum = static_cast<Checksum>(3); }, "checksum is 3");
  expect_named([](Bounds& bounds) { bounds.code_bits = 9; }, "code_bits is 9");
  expect_named([](Bounds& bounds) { bounds.codes_per_lane = 8; }, "codes_per_lane 8");
  expect_named(
      [](Bounds& bounds) {
        bounds.format = Format::blocks;
        bounds.code_bits = 8;
      },
      "are of tiles");
  expect_named([](Bounds& bounds) { bounds.frame_count = (1U << 26) + 1; }, "frame_count");
  expect_named([](Bounds& bounds) { bounds.frame_bytes = 0; }, "frame_bytes is 0");
  expect_named([](Bounds& bounds) { bounds.blocks_per_frame = 0; }, "blocks_per_frame is 0");
  expect_named([](Bounds& bounds) { bounds.input_bytes = 0; }, "input_bytes is 0");
  expect_named([](Bounds& bounds) { bounds.total_output_bytes = ~std::uint64_t{0}; }, "total_output_bytes");

  gsst_message message;
  gsst_gpu_frames_plan* plan = nullptr;
  gsst_gpu_frames_bounds bounds{};
  EXPECT_EQ(gsst_gpu_frames_plan_create(nullptr, &plan, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_frames_plan_create(&bounds, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_frames_plan_create(&bounds, &plan, &message), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(message.text).find("struct_bytes"), std::string::npos) << message.text;
  bounds.struct_bytes = sizeof(bounds);
  bounds.reserved = 1;
  EXPECT_EQ(gsst_gpu_frames_plan_create(&bounds, &plan, &message), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(message.text).find("reserved"), std::string::npos) << message.text;
  EXPECT_EQ(gsst_gpu_frames_plan_sizes(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_frames_execute(nullptr, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  gsst_gpu_frames_plan_destroy(nullptr);
}

TEST(GpuFramesApi, SizesAreThoseOfTheBounds) {
  const FramesPlan plan = value_of(FramesPlan::create({.format = Format::tiles,
                                                       .frame_count = 10,
                                                       .frame_bytes = 1000,
                                                       .output_bytes = 2000,
                                                       .blocks_per_frame = 3,
                                                       .input_bytes = 10000,
                                                       .total_output_bytes = 20000}));
  const FramesSizes sizes = plan.sizes();
  EXPECT_EQ(sizes.input_bytes, 10000u);
  EXPECT_EQ(sizes.output_bytes, 20000u);
  EXPECT_EQ(sizes.frame_count, 10u);
  EXPECT_EQ(sizes.status_count, 30u);
  EXPECT_EQ(sizes.device_bytes, 30000u + sizes.scratch_bytes +
                                    10 * (sizeof(FramePlace) + sizeof(FrameResult)) +
                                    30 * sizeof(std::uint32_t));
}

TEST(GpuFramesApi, TheFirstFrameThatWasNotDecompressedIsNamed) {
  std::vector<FrameResult> results(3);
  std::vector<std::uint32_t> status(6);
  EXPECT_EQ(value_of(check_frames(results, status)), 3u);
  EXPECT_EQ(value_of(check_frames({}, {})), 0u);
  const auto expect_failure = [&](Error error, const std::string& message) {
    const auto checked = check_frames(results, status);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.failure().error, error);
    EXPECT_EQ(checked.failure().message, message);
  };
  status[5] = GSST_GPU_BLOCK_WRONG_CHECKSUM;
  EXPECT_EQ(check_frames(results, status).failure().error, Error::wrong_checksum);
  EXPECT_EQ(check_frames(results, status).failure().message.find("frame 2: block 1"), 0u);
  status[4] = GSST_GPU_BLOCK_TOO_LONG;
  EXPECT_EQ(check_frames(results, status).failure().error, Error::damaged);
  EXPECT_EQ(check_frames(results, status).failure().message.find("frame 2: block 0"), 0u);
  status[3] = 0x2a00 | GSST_GPU_BLOCK_REFUSED;
  expect_failure(Error::damaged, "frame 1: block 1: uncompressed size: is not what the format allows");
  results[1].problem = 193;
  expect_failure(Error::output_too_small, "frame 1: its output extends past the output");
  results[0].problem = 27;
  results[0].problem_block = 2;
  EXPECT_EQ(check_frames(results, status).failure().message.find("frame 0: block 1: "), 0u);
  status.pop_back();
  EXPECT_EQ(check_frames(results, status).failure().error, Error::invalid_argument);

  gsst_message message;
  EXPECT_EQ(gsst_gpu_check_frames(nullptr, 1, status.data(), 1, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_check_frames(results.data(), 1, nullptr, 1, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_check_frames(nullptr, 0, nullptr, 1, &message), GSST_OK);
}

}  // namespace
}  // namespace gsst::gpu
