#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/zero_length/marked_elements.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/zero_length/tests/inputs.hpp"
#include "stages/zero_length/tests/marked_inputs.hpp"

// The oracle of format zle_markers against an encoder of the test's own, and payloads that break its rules.
namespace gsst::zero_length {
namespace {

using format::expect_format_error;
using format::zero_length::Markers;
using format::zero_length::markers_format;
using format::zero_length::Status;
using reference::zero_length::choose_markers;
using test::Bytes;

Bytes payload_of(const Bytes& block, const Markers& markers) {
  Bytes payload(format::zero_length::max_encoded_bytes(markers_format, block.size()));
  payload.resize(reference::zero_length::encode_marked(block, payload, markers));
  return payload;
}

// Elements alone.
Bytes marked_elements_of(const Bytes& block, const Markers& markers) {
  const Bytes payload = payload_of(block, markers);
  return {payload.begin() + 2, payload.end()};
}

void expect_right_with(const Bytes& block, const Markers& markers) {
  const Bytes payload = payload_of(block, markers);
  ASSERT_EQ(payload, test::marked_by_whole_runs(block, markers));
  for (std::size_t i = 3; i < payload.size(); ++i) {
    ASSERT_FALSE(payload[i] == markers.marker && payload[i - 1] == markers.marker) << "a marker follows one";
  }
  const auto decoded = reference::zero_length::decode_marked(payload, block.size());
  ASSERT_EQ(decoded.status, Status::decoded);
  ASSERT_EQ(decoded.bytes, block);
  ASSERT_EQ(decoded.position + 2, payload.size());
}

TEST(ZeroLengthMarkers, TheRarestValueIsTheSmallestOfSeveralAndNeverZero) {
  Bytes block;
  for (int value = 1; value < 256; ++value) {
    block.insert(block.end(), value == 7 || value == 200 ? 1 : 2, static_cast<std::uint8_t>(value));
  }
  const auto choose = [&](bool is_rarest, bool has_four_zeros) {
    return choose_markers(block, {.is_rarest = is_rarest, .has_four_zeros = has_four_zeros});
  };
  EXPECT_EQ(choose(true, true).marker, 7);
  EXPECT_EQ(choose(true, true).four_zeros, 200);
  EXPECT_EQ(choose(true, false).marker, 7);
  EXPECT_EQ(choose(true, false).four_zeros, 0);
  EXPECT_EQ(choose(false, true).marker, 0xff);
  EXPECT_EQ(choose(false, true).four_zeros, 7);
  block.assign(10, 0);
  EXPECT_EQ(choose(true, true).marker, 1);
  EXPECT_EQ(choose(true, true).four_zeros, 2);
  EXPECT_EQ(choose(false, true).four_zeros, 1);
  block.assign(10, 1);
  EXPECT_EQ(choose(true, true).marker, 2);
  EXPECT_EQ(choose(true, true).four_zeros, 3);
}

TEST(ZeroLengthMarkers, ElementsAreTheListedOnes) {
  const auto zeros = [](std::size_t count) { return Bytes(count, 0); };
  constexpr Markers fixed = {.marker = 0xff, .four_zeros = 0};
  EXPECT_EQ(marked_elements_of({0xff, 1}, fixed), Bytes({0xff, 0, 1}));
  EXPECT_EQ(marked_elements_of(zeros(4), fixed), Bytes({0xff, 4}));
  EXPECT_EQ(marked_elements_of(zeros(253), fixed), Bytes({0xff, 252, 0}));
  constexpr Markers with_code = {.marker = 0xff, .four_zeros = 9};
  EXPECT_EQ(marked_elements_of({9, 0xff}, with_code), Bytes({0xff, 0xfd, 0xff, 0}));
  EXPECT_EQ(marked_elements_of(zeros(3), with_code), Bytes({0xff, 3}));
  EXPECT_EQ(marked_elements_of(zeros(4), with_code), Bytes({9}));
  EXPECT_EQ(marked_elements_of(zeros(8), with_code), Bytes({0xff, 8}));
  EXPECT_EQ(marked_elements_of(zeros(256), with_code), Bytes({0xff, 252, 9}));
  // A run of as many zeros as the marker's value.
  EXPECT_EQ(marked_elements_of(zeros(3), {.marker = 3, .four_zeros = 0}), Bytes({0, 0, 0}));
  EXPECT_EQ(marked_elements_of(zeros(4), {.marker = 4, .four_zeros = 0}), Bytes({4, 3, 0}));
  EXPECT_EQ(marked_elements_of(zeros(4), {.marker = 4, .four_zeros = 7}), Bytes({7}));
  EXPECT_EQ(marked_elements_of(zeros(5), {.marker = 5, .four_zeros = 7}), Bytes({7, 0}));
  EXPECT_EQ(marked_elements_of(zeros(252), {.marker = 252, .four_zeros = 0}), Bytes({252, 251, 0}));
  EXPECT_EQ(marked_elements_of(zeros(254), {.marker = 252, .four_zeros = 0}), Bytes({252, 251, 252, 3}));
  // The code's byte, where the marker has its usual escape.
  EXPECT_EQ(marked_elements_of({9}, {.marker = 0xfd, .four_zeros = 9}), Bytes({0xfd, 0xfe}));
}

TEST(ZeroLengthMarkers, EveryRunWithEveryMarker) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (unsigned marker = 1; marker < 256; ++marker) {
    for (const Markers& markers : test::codes_with(static_cast<std::uint8_t>(marker))) {
      for (std::size_t run = 0; run <= test::longest_run_tested; ++run) {
        if (!sample.has(number++)) continue;
        SCOPED_TRACE(std::to_string(run) + " zeros, marker " + std::to_string(marker));
        expect_right_with(test::run_at(run % 3, run), markers);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ZeroLengthMarkers, EveryShortString) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const std::uint8_t marker : test::markers_tested) {
    for (const Markers& markers : test::codes_with(marker)) {
      test::for_each_marked_string(6, marker, [&](const Bytes& string) {
        if (sample.has(number++)) expect_right_with(string, markers);
      });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ZeroLengthMarkers, RandomMixesThroughTheCodec) {
  const reference::Codec& codec = reference::codec_of(markers_format);
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Bytes input = test::random_mix(seed * 37 % 5000, seed);
    for (std::uint64_t option = 0; option < 4; ++option) {
      const Bytes file = reference::encode_file(
          codec, input,
          {.block_bytes = 700, .options = {{"marker", option % 2}, {"runs-of-4", option / 2}}, .threads = 1});
      ASSERT_EQ(reference::decode_file(codec, file, 1), input);
    }
    for (const bool is_rarest : {false, true}) {
      for (const bool has_code : {false, true}) {
        expect_right_with(input, choose_markers(input, {.is_rarest = is_rarest, .has_four_zeros = has_code}));
      }
    }
    if (HasFatalFailure()) return;
  }
}

TEST(ZeroLengthMarkers, OptionsChooseWhatBlocksSay) {
  const Bytes input = {0, 0, 0, 0, 5, 0, 0, 0, 0};
  const auto markers_of = [&](const format::CodecOptions& options) {
    const Bytes file =
        reference::encode_file(reference::codec_of(markers_format), input, {.options = options});
    const auto payload = format::parse_frame(file).payload(0);
    return Bytes(payload.begin(), payload.begin() + 2);
  };
  EXPECT_EQ(markers_of({}), Bytes({1, 2}));
  EXPECT_EQ(markers_of({{"marker", 0}, {"runs-of-4", 0}}), Bytes({1, 2}));
  EXPECT_EQ(markers_of({{"marker", 1}}), Bytes({0xff, 1}));
  EXPECT_EQ(markers_of({{"runs-of-4", 1}}), Bytes({1, 0}));
  EXPECT_EQ(markers_of({{"marker", 1}, {"runs-of-4", 1}}), Bytes({0xff, 0}));
}

TEST(ZeroLengthMarkers, ABlockThatDoesNotGetSmallerIsRaw) {
  const auto layout_of = [](const Bytes& block) {
    const Bytes file = reference::encode_file(reference::codec_of(markers_format), block);
    return format::parse_frame(file).index.entries.at(0).record.layout;
  };
  EXPECT_EQ(layout_of({0, 0, 0, 0}), format::zero_length::elements_layout);
  EXPECT_EQ(layout_of({0, 0, 0, 9}), format::BlockLayout::raw);
  EXPECT_EQ(layout_of({0, 0, 0}), format::BlockLayout::raw);
}

TEST(ZeroLengthMarkers, TooLittleRoomIsRefused) {
  const Bytes worst(1000, 0xff);
  EXPECT_EQ(payload_of(worst, {.marker = 0xff, .four_zeros = 0}).size(), 2002U);
  Bytes too_small(2001);
  EXPECT_THROW(
      reference::zero_length::encode_marked(worst, too_small, Markers{.marker = 0xff, .four_zeros = 0}),
      std::invalid_argument);
}

TEST(ZeroLengthMarkers, WhatNoEncoderWritesIsRead) {
  const auto decode = [](const Bytes& payload) {
    return reference::zero_length::decode_marked(payload, 1000).bytes;
  };
  EXPECT_EQ(decode({5, 0, 7, 5, 1, 5, 2, 8}), Bytes({7, 0, 0, 0, 8}));
  EXPECT_EQ(decode({5, 9, 9, 5, 4, 9}), Bytes(12, 0));
}

void expect_status_of(const Bytes& payload, std::uint64_t most_bytes, Status status, std::size_t position) {
  const auto decoded = reference::zero_length::decode_marked(payload, most_bytes);
  EXPECT_EQ(decoded.status, status);
  EXPECT_EQ(decoded.position, position);
  EXPECT_LE(decoded.bytes.size(), most_bytes);
}

TEST(ZeroLengthMarkers, ElementsThatBreakARuleAreRefusedWithTheirPlace) {
  // A marker after a marker, and counts that nothing has.
  expect_status_of({5, 0, 1, 5, 5, 1}, 1000, Status::unused_length, 1);
  for (const std::uint8_t unused : {std::uint8_t{0xfd}, std::uint8_t{0xfe}, std::uint8_t{0xff}}) {
    expect_status_of({5, 0, 1, 5, unused, 1}, 1000, Status::unused_length, 1);
  }
  expect_status_of({5, 9, 5, 0xfd}, 1000, Status::decoded, 2);
  expect_status_of({5, 9, 5, 0xfe}, 1000, Status::unused_length, 0);
  expect_status_of({0xfd, 9, 0xfd, 0xfd}, 1000, Status::unused_length, 0);
  expect_status_of({0xfd, 9, 0xfd, 0xfe}, 1000, Status::decoded, 2);
  expect_status_of({0xfe, 9, 0xfe, 0xfe}, 1000, Status::unused_length, 0);
  expect_status_of({5, 0, 1, 5}, 1000, Status::marker_at_end, 1);
  expect_status_of({5, 9, 9, 9}, 7, Status::output_too_long, 1);
  expect_status_of({5, 9, 5, 6}, 5, Status::output_too_long, 0);
  expect_status_of({5, 9, 5, 0}, 0, Status::output_too_long, 0);
}

TEST(ZeroLengthMarkers, PayloadsThatBreakARuleAreRefused) {
  const auto check = [](const Bytes& payload, std::uint32_t uncompressed_bytes) {
    format::rules_of(markers_format)
        .start_pass()
        ->check(payload,
                {.format = markers_format,
                 .layout = format::zero_length::elements_layout,
                 .uncompressed_bytes = uncompressed_bytes,
                 .split_count = 1},
                3);
  };
  EXPECT_NO_THROW(check({1, 0, 7}, 1));
  EXPECT_NO_THROW(check({1, 2, 1, 252}, 252));
  EXPECT_NO_THROW(check({1, 2, 1, 0}, 1));
  expect_format_error(3, "marker", [&] { check({0, 2, 7}, 1); });
  expect_format_error(3, "code of four zeros", [&] { check({9, 9, 7}, 1); });
  expect_format_error(3, "elements", [&] { check({}, 1); });
  expect_format_error(3, "elements", [&] { check({1}, 1); });
  expect_format_error(3, "elements", [&] { check({1, 2}, 1); });
  expect_format_error(3, "elements", [&] { check({1, 2, 1, 252}, 253); });
  expect_format_error(3, "elements", [&] { check({1, 2, 1, 0, 0}, 1); });
}

TEST(ZeroLengthMarkers, StatusIsSaidInWords) {
  const format::PayloadRules& rules = format::rules_of(markers_format);
  EXPECT_EQ(rules.describe(1).problem, "decode to fewer bytes than stated");
  EXPECT_EQ(rules.describe(4).problem, "have a byte after a marker that means nothing");
  EXPECT_EQ(rules.describe(4).field, "elements");
  EXPECT_EQ(rules.describe(255).field, "checksum");
}

TEST(ZeroLengthMarkers, AFrameIsRefusedCutOffAnywhere) {
  const reference::Codec& codec = reference::codec_of(markers_format);
  const Bytes file = reference::encode_file(codec, test::random_mix(300, 3), {.block_bytes = 100});
  for (std::size_t size = 0; size < file.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(reference::decode_file(codec, std::span(file).first(size), 1), format::FormatError);
  }
}

}  // namespace
}  // namespace gsst::zero_length
