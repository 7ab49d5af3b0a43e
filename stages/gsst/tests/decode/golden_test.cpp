#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/stage/frame_shape.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/gsst/tests/decode/gsst_stage_test.hpp"
#include "stages/suite/output_difference.hpp"

// Every frame of data/golden/ through every stage of its format. The oracle's own test says that it gives
// each file its listed result.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::filesystem::path> frames(const char* list) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path("data/golden") / list)) {
    if (entry.path().extension() == ".gsst") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The shape of a frame that the host accepts.
std::optional<FrameOnDevice> shape_of(const Bytes& frame) {
  try {
    return frame_shape(frame);
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

// Early steps for tiles refuse most shapes: tiles_test.cpp runs them.
std::vector<ParameterValues> steps_for_every_frame(const Description& stage) {
  return stage.format == format::BlockFormat::tiles ? std::vector<ParameterValues>{{}} : steps_of(stage);
}

TEST_P(GsstStageTest, DecodesEveryValidGoldenFrame) {
  unsigned decoded = 0;
  for (const std::filesystem::path& path : frames("valid")) {
    SCOPED_TRACE(path.filename().string());
    const Bytes frame = reference::test::read_file(path);
    const std::optional<FrameOnDevice> shape = shape_of(frame);
    ASSERT_TRUE(shape);
    if (shape->format != stage().description.format) continue;
    for (const ParameterValues& step : steps_for_every_frame(stage().description)) {
      expect_decodes(frame, reference::decompress_frame(frame), step, decoded % 17);
      if (HasFatalFailure()) return;
    }
    ++decoded;
  }
  EXPECT_GT(decoded, 10u);
}

TEST_P(GsstStageTest, FindsEveryInvalidGoldenFrameAndStaysInsideItsBuffers) {
  unsigned reached_the_kernel = 0;
  for (const std::filesystem::path& path : frames("invalid")) {
    SCOPED_TRACE(path.filename().string());
    const Bytes frame = reference::test::read_file(path);
    const std::optional<FrameOnDevice> shape = shape_of(frame);
    if (!shape || shape->format != stage().description.format) continue;
    for (const ParameterValues& step : steps_for_every_frame(stage().description)) {
      const DecodeResult result = decode_guarded(frame, step, reached_the_kernel % 17);
      if (HasFatalFailure()) return;
      EXPECT_TRUE(has_statuses(shape->format, oracle_statuses(frame), result.statuses))
          << (step.empty() ? 0 : step.begin()->second);
    }
    ++reached_the_kernel;
  }
  EXPECT_GT(reached_the_kernel, 3u);
}

}  // namespace
}  // namespace gsst::stage
