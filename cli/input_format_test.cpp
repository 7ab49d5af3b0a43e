#include "cli/input_format.hpp"

#include <gtest/gtest.h>

#include <array>

#include "cli/command_error.hpp"
#include "common/format/error.hpp"
#include "common/frame/frame.hpp"

namespace gsst::cli {
namespace {

using format::BlockFormat;

const auto coalesced_start =
    format::build_frame_header({.format = BlockFormat::coalesced, .block_size = 4096, .split_count = 8});
constexpr std::array<std::uint8_t, 40> other_start{};

TEST(RecogniseFormat, KnowsAFrameByItsMagicWhateverItsName) {
  EXPECT_EQ(recognise_format(coalesced_start, "a", {}), BlockFormat::coalesced);
  EXPECT_EQ(recognise_format(coalesced_start, "a.fsst", {}), BlockFormat::coalesced);
  EXPECT_EQ(recognise_format(coalesced_start, "a", BlockFormat::coalesced), BlockFormat::coalesced);
}

TEST(RecogniseFormat, RefusesAFrameOfAnotherFormatThanWanted) {
  EXPECT_THROW(recognise_format(coalesced_start, "a", BlockFormat::splits), CommandError);
}

TEST(RecogniseFormat, RefusesADamagedFrameHeader) {
  auto damaged = coalesced_start;
  damaged[16] ^= 1;
  EXPECT_THROW(recognise_format(damaged, "a", {}), format::FormatError);
  EXPECT_THROW(recognise_format(std::span(coalesced_start).first(39), "a", {}), format::FormatError);
}

TEST(RecogniseFormat, TakesTheRestForFsstOnlyByNameOrOnDemand) {
  EXPECT_EQ(recognise_format(other_start, "a.fsst", {}), BlockFormat::fsst);
  EXPECT_EQ(recognise_format(other_start, "a", BlockFormat::fsst), BlockFormat::fsst);
  EXPECT_EQ(recognise_format({}, "a.fsst", {}), BlockFormat::fsst);
  EXPECT_THROW(recognise_format(other_start, "a.gsst", {}), CommandError);
  EXPECT_THROW(recognise_format(other_start, "a.fsst", BlockFormat::blocks), CommandError);
  EXPECT_THROW(recognise_format({}, "a", {}), CommandError);
}

}  // namespace
}  // namespace gsst::cli
