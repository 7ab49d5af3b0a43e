#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/gsst/tests/decode/gsst_stage_test.hpp"
#include "stages/suite/output_difference.hpp"

// Damaged codes: the stages' statuses are those that the oracle finds.
namespace gsst::stage {
namespace {

// Where the codes of a block stand in a frame.
struct CodePlace {
  std::size_t begin;
  std::size_t end;
};

CodePlace place_of_codes(std::span<const std::uint8_t> frame, std::size_t block) {
  const format::FrameView view = format::parse_frame(frame);
  const format::IndexEntry& entry = view.index.entries.at(block);
  if (view.header.format != format::BlockFormat::tiles) {
    // The last 150 bytes of a block are codes.
    const std::size_t end = entry.payload_offset + entry.record.payload_bytes;
    return {.begin = end - 150, .end = end};
  }
  const format::TilesHeader header(frame.data() + entry.payload_offset);
  const auto* const codes = header.tile(0);
  const std::size_t begin = static_cast<std::size_t>(codes - frame.data());
  return {.begin = begin, .end = begin + header.code_count()};
}

// Codes that lie: whatever they say, nothing outside the output is touched, and the block's status tells. The
// steps of a ladder take turns.
TEST_P(GsstStageTest, ReportsDamagedCodesAndStaysInsideItsBuffers) {
  const std::vector<std::uint8_t> input = reference::test::make_text(16000, 3);
  // Large enough that no format stores them raw.
  const std::vector<std::uint8_t> frame = compress(input, 4000, 5);
  const std::vector<ParameterValues> steps = steps_of(stage().description);
  unsigned reported = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<std::uint8_t> damaged = frame;
    const auto noise = reference::test::make_random(16, seed);
    const std::size_t block = seed % 4;
    const CodePlace codes = place_of_codes(frame, block);
    for (std::size_t hit = 0; hit < 4; ++hit) {
      damaged[codes.begin + (noise[hit] * std::size_t{257}) % (codes.end - codes.begin)] = noise[hit + 4];
    }
    const std::vector<std::uint32_t> expected = oracle_statuses(damaged);
    for (const ParameterValues& parameters : {ParameterValues(), steps[seed % steps.size()]}) {
      const DecodeResult result = decode_guarded(damaged, parameters, seed % 16);
      if (HasFatalFailure()) return;
      EXPECT_TRUE(has_statuses(stage().description.format, expected, result.statuses))
          << (parameters.empty() ? 0 : parameters.begin()->second);
    }
    reported += expected[block] == 0 ? 0 : 1;
  }
  EXPECT_GT(reported, 10u);
}

}  // namespace
}  // namespace gsst::stage
