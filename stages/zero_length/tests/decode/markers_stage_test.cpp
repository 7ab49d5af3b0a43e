#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/format/zero_length/markers.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/zero_length/marked_elements.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/zero_length/tests/frames.hpp"
#include "stages/zero_length/tests/inputs.hpp"
#include "stages/zero_length/tests/marked_inputs.hpp"

// Every decoder of format zle_markers, besides what the common suite asks of it.
namespace gsst::zero_length {
namespace {

using format::zero_length::Markers;
using format::zero_length::markers_format;
using format::zero_length::Status;
using test::Bytes;

class ZeroLengthMarkersStageTest : public stage::StageTest {
protected:
  // Where the choice of the markers is the test's, not the block's.
  void expect_decodes_with_markers(const Bytes& input, const Markers& markers, std::size_t shift) const {
    Bytes payload(format::zero_length::max_encoded_bytes(markers_format, input.size()));
    payload.resize(reference::zero_length::encode_marked(input, payload, markers));
    const stage::DecodeResult result = decode_guarded(
        test::frame_of_elements(payload, static_cast<std::uint32_t>(input.size()), markers_format), {},
        shift);
    ASSERT_EQ(result.statuses, std::vector<std::uint32_t>{0});
    ASSERT_TRUE(Bytes(result.output().begin(), result.output().end()) == input);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthMarkersStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode, markers_format)),
                         stage::case_name);

TEST(ZeroLengthMarkersStages, AreThere) {
  EXPECT_FALSE(stage::stage_cases(stage::Operation::decode, markers_format).empty());
}

TEST_P(ZeroLengthMarkersStageTest, DecodesEveryRunWithEveryMarker) {
  for (unsigned marker = 1; marker < 256; ++marker) {
    Bytes input;
    for (std::size_t run = 0; run <= test::longest_run_tested; run += run < 12 || run > 240 ? 1 : 17) {
      input.insert(input.end(), run, 0);
      input.push_back(run % 2 == 0 ? 0x41 : static_cast<std::uint8_t>(marker));
    }
    for (const Markers& markers : test::codes_with(static_cast<std::uint8_t>(marker))) {
      SCOPED_TRACE("marker " + std::to_string(marker));
      input.back() = markers.four_zeros;
      expect_decodes_with_markers(input, markers, marker % 17);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ZeroLengthMarkersStageTest, DecodesEveryShortString) {
  for (const std::uint8_t marker : test::markers_tested) {
    Bytes input;
    test::for_each_marked_string(6, marker, [&](const Bytes& string) {
      input.insert(input.end(), string.begin(), string.end());
      input.push_back(0x41);
    });
    for (const Markers& markers : test::codes_with(marker)) {
      expect_decodes_with_markers(input, markers, 3);
      if (HasFatalFailure()) return;
    }
    expect_decodes(compress(input, 9, 1), input, {}, 3);
  }
}

TEST_P(ZeroLengthMarkersStageTest, DecodesRandomMixes) {
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Bytes input = test::random_mix(seed * 97 % 9000, seed);
    for (const std::uint64_t block_bytes : {std::uint64_t{100}, std::uint64_t{4096}}) {
      expect_decodes(compress(input, block_bytes, 1), input, {}, seed % 64);
    }
    if (HasFatalFailure()) return;
  }
}

struct WrongPayload {
  Bytes payload;
  std::uint32_t uncompressed_bytes;
  Status status;
};

TEST_P(ZeroLengthMarkersStageTest, SaysWhichRulePayloadsBreak) {
  const std::vector<WrongPayload> wrong = {{{5, 9, 1, 9}, 6, Status::output_too_short},
                                           {{5, 9, 5, 3}, 4, Status::output_too_short},
                                           {{5, 9, 1, 9}, 4, Status::output_too_long},
                                           {{5, 9, 9, 9}, 7, Status::output_too_long},
                                           {{5, 9, 1, 5, 4}, 4, Status::output_too_long},
                                           {{5, 9, 1, 2, 5, 0xfd}, 2, Status::output_too_long},
                                           {{5, 9, 1, 5}, 1, Status::marker_at_end},
                                           {{5, 9, 5, 0, 5}, 2, Status::marker_at_end},
                                           {{5, 0, 5, 5, 1}, 6, Status::unused_length},
                                           {{5, 0, 5, 0xfd, 1}, 2, Status::unused_length},
                                           {{5, 9, 5, 0xfe, 1}, 2, Status::unused_length},
                                           {{5, 9, 5, 0xff, 1}, 2, Status::unused_length},
                                           {{0xfd, 9, 0xfd, 0xfd, 1}, 2, Status::unused_length},
                                           {{0xfe, 9, 0xfe, 0xfe, 1}, 2, Status::unused_length}};
  std::size_t shift = 0;
  for (const WrongPayload& block : wrong) {
    SCOPED_TRACE(shift);
    const stage::DecodeResult result = decode_guarded(
        test::frame_of_elements(block.payload, block.uncompressed_bytes, markers_format), {}, shift++);
    EXPECT_EQ(result.statuses, std::vector{static_cast<std::uint32_t>(block.status)});
  }
}

}  // namespace
}  // namespace gsst::zero_length
