#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/zero_length/elements.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// The oracle of the series against an encoder of the test's own, and files of the bare form, valid and not.
namespace gsst::zero_length {
namespace {

using format::expect_format_error;
using format::zero_length::bare_format;
using format::zero_length::frame_format;
using format::zero_length::Status;
using test::Bytes;

Bytes elements_of(const Bytes& block) {
  Bytes elements(format::zero_length::max_elements_bytes(block.size()));
  elements.resize(reference::zero_length::encode_elements(block, elements));
  return elements;
}

void expect_right(const Bytes& block) {
  const Bytes elements = elements_of(block);
  ASSERT_EQ(elements, test::elements_by_whole_runs(block));
  const auto decoded = reference::zero_length::decode_elements(elements, block.size());
  ASSERT_EQ(decoded.status, Status::decoded);
  ASSERT_EQ(decoded.bytes, block);
  ASSERT_EQ(decoded.position, elements.size());
}

TEST(ZeroLengthElements, AreTheListedOnes) {
  const auto zeros = [](std::size_t count) { return Bytes(count, 0); };
  EXPECT_EQ(elements_of({}), Bytes());
  EXPECT_EQ(elements_of({0xff}), Bytes({0xff, 0}));
  EXPECT_EQ(elements_of({0xff, 0xff, 1}), Bytes({0xff, 0, 0xff, 0, 1}));
  EXPECT_EQ(elements_of(zeros(1)), Bytes({0}));
  EXPECT_EQ(elements_of(zeros(2)), Bytes({0, 0}));
  EXPECT_EQ(elements_of(zeros(3)), Bytes({0xff, 3}));
  EXPECT_EQ(elements_of(zeros(252)), Bytes({0xff, 252}));
  EXPECT_EQ(elements_of(zeros(253)), Bytes({0xff, 252, 0}));
  EXPECT_EQ(elements_of(zeros(254)), Bytes({0xff, 252, 0, 0}));
  EXPECT_EQ(elements_of(zeros(255)), Bytes({0xff, 252, 0xff, 3}));
  EXPECT_EQ(elements_of(zeros(504)), Bytes({0xff, 252, 0xff, 252}));
}

TEST(ZeroLengthElements, OfEveryRunAtEveryOffset) {
  for (std::size_t offset = 0; offset < test::offsets_tested; ++offset) {
    for (std::size_t run = 0; run <= test::longest_run_tested; ++run) {
      SCOPED_TRACE(std::to_string(run) + " zeros at " + std::to_string(offset));
      expect_right(test::run_at(offset, run));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ZeroLengthElements, OfEveryShortString) {
  test::for_each_short_string(8, [](const Bytes& string) { expect_right(string); });
}

TEST(ZeroLengthElements, OfRandomMixes) {
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_right(test::random_mix(seed * 37 % 5000, seed));
    if (HasFatalFailure()) return;
  }
}

TEST(ZeroLengthElements, TakeTwiceTheBytesAtMost) {
  const Bytes worst(1000, 0xff);
  EXPECT_EQ(elements_of(worst).size(), 2000U);
  Bytes too_small(1999);
  EXPECT_THROW(reference::zero_length::encode_elements(worst, too_small), std::invalid_argument);
}

TEST(ZeroLengthElements, RunsOfOneAndTwoAreRead) {
  const Bytes elements = {7, 0xff, 1, 0xff, 2, 0, 0xff, 0};
  EXPECT_EQ(reference::zero_length::decode_elements(elements, 100).bytes, Bytes({7, 0, 0, 0, 0, 0xff}));
}

void expect_status(const Bytes& elements, std::uint64_t most_bytes, Status status, std::size_t position) {
  const auto decoded = reference::zero_length::decode_elements(elements, most_bytes);
  EXPECT_EQ(decoded.status, status);
  EXPECT_EQ(decoded.position, position);
  EXPECT_LE(decoded.bytes.size(), most_bytes);
}

TEST(ZeroLengthElements, ThatBreakARuleAreRefusedWithTheirPlace) {
  for (const std::uint8_t unused : {std::uint8_t{0xfd}, std::uint8_t{0xfe}, std::uint8_t{0xff}}) {
    expect_status({1, 0xff, unused, 1}, 1000, Status::unused_length, 1);
  }
  expect_status({1, 2, 0xff}, 1000, Status::marker_at_end, 2);
  expect_status({0xff, 0, 0xff}, 1000, Status::marker_at_end, 2);
  expect_status({1, 2, 3}, 2, Status::output_too_long, 2);
  expect_status({1, 0xff, 4, 9}, 4, Status::output_too_long, 1);
  expect_status({1, 0xff, 4}, 5, Status::decoded, 3);
}

TEST(ZeroLengthStatus, IsSaidInWords) {
  const format::PayloadRules& rules = format::rules_of(frame_format);
  EXPECT_EQ(rules.describe(1).problem, "decode to fewer bytes than stated");
  EXPECT_EQ(rules.describe(3).field, "elements");
  EXPECT_NE(rules.describe(3).problem, rules.describe(4).problem);
  EXPECT_EQ(rules.describe(255).field, "checksum");
  EXPECT_FALSE(rules.describe(77).problem.empty());
}

// A block of the bare form.
Bytes bare_block(std::uint64_t index, const Bytes& elements) {
  Bytes block(16);
  format::store_little_endian<8>(block.data(), 16 + elements.size());
  format::store_little_endian<8>(block.data() + 8, index);
  block.insert(block.end(), elements.begin(), elements.end());
  return block;
}

const Bytes guard(8, 0);

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Bytes decode(const Bytes& file) {
  return reference::decode_file(reference::codec_of(bare_format), file, 1);
}

Bytes encode(format::BlockFormat format, const Bytes& input, std::uint64_t block_bytes) {
  return reference::encode_file(reference::codec_of(format), input,
                                {.block_bytes = block_bytes, .threads = 1});
}

TEST(ZeroLengthBareFile, HasTheBytesOfTheThesis) {
  EXPECT_EQ(encode(bare_format, {}, 1024), guard);
  const Bytes expected = {20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9,    0xff,
                          4,  8,                                                     // block 0: 9 0 0 0 0 8
                          18, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0,  // block 1: FF
                          0,  0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(encode(bare_format, {9, 0, 0, 0, 0, 8, 0xff}, 6), expected);
  EXPECT_EQ(decode(expected), Bytes({9, 0, 0, 0, 0, 8, 0xff}));
}

TEST(ZeroLengthBareFile, EveryBlockSizeGivesTheInputBack) {
  const Bytes input = test::random_mix(700, 5);
  for (std::uint64_t block_bytes = 1; block_bytes <= 701; ++block_bytes) {
    SCOPED_TRACE(block_bytes);
    for (const format::BlockFormat format : {bare_format, frame_format}) {
      const reference::Codec& codec = reference::codec_of(format);
      const Bytes file = encode(format, input, block_bytes);
      ASSERT_EQ(reference::decode_file(codec, file, 1), input);
      const reference::FileListing listing = codec.list(file);
      EXPECT_EQ(listing.blocks, (700 + block_bytes - 1) / block_bytes);
      EXPECT_EQ(listing.uncompressed_bytes, 700U);
      EXPECT_EQ(listing.block_bytes,
                format == frame_format ? block_bytes : std::min<std::uint64_t>(block_bytes, 700));
    }
  }
}

TEST(ZeroLengthBareFile, BlocksMayStandInAnyOrder) {
  const Bytes first = bare_block(0, {1, 2, 3});
  const Bytes second = bare_block(1, {0xff, 3});
  const Bytes third = bare_block(2, {4});
  const Bytes output = {1, 2, 3, 0, 0, 0, 4};
  EXPECT_EQ(decode(joined({first, second, third, guard})), output);
  EXPECT_EQ(decode(joined({third, second, first, guard})), output);
  EXPECT_EQ(decode(joined({second, third, first, guard})), output);
  EXPECT_EQ(decode(joined({third, first, second, guard})), output);
}

TEST(ZeroLengthBareFile, MissingAndDoubledBlocksAreRefused) {
  const Bytes first = bare_block(0, {1, 2, 3});
  const Bytes second = bare_block(1, {4, 5, 6});
  expect_format_error(std::nullopt, "block index", [&] { decode(joined({second, guard})); });
  expect_format_error(std::nullopt, "block index", [&] {
    decode(joined({first, bare_block(2, {7}), guard}));
  });
  expect_format_error(1, "block index", [&] { decode(joined({first, first, guard})); });
  expect_format_error(2, "block index", [&] { decode(joined({second, first, second, guard})); });
  expect_format_error(1, "block index", [&] { decode(joined({second, second, first, guard})); });
  expect_format_error(std::nullopt, "block index", [&] {
    decode(joined({first, bare_block(std::numeric_limits<std::uint64_t>::max(), {7}), guard}));
  });
}

// Where an index belongs in the output follows from the size of block 0.
TEST(ZeroLengthBareFile, OnlyTheLastBlockMayBeShort) {
  const Bytes whole = bare_block(0, {1, 2, 3});
  EXPECT_EQ(decode(joined({whole, bare_block(1, {4}), guard})), Bytes({1, 2, 3, 4}));
  EXPECT_EQ(decode(joined({whole, bare_block(1, {}), guard})), Bytes({1, 2, 3}));
  EXPECT_EQ(decode(joined({bare_block(0, {}), guard})), Bytes());
  expect_format_error(2, "block index", [&] {
    decode(joined({whole, bare_block(1, {4}), bare_block(2, {5}), guard}));
  });
  expect_format_error(1, "elements", [&] { decode(joined({whole, bare_block(1, {0xff, 4}), guard})); });
  expect_format_error(1, "block index", [&] {
    decode(joined({bare_block(0, {}), bare_block(1, {}), guard}));
  });
}

TEST(ZeroLengthBareFile, IsRefusedCutOffAnywhere) {
  const Bytes file = encode(bare_format, test::random_mix(300, 3), 100);
  for (std::size_t size = 0; size < file.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(decode({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}),
                 format::FormatError);
  }
  expect_format_error(0, "guard block", [] { decode({}); });
  expect_format_error(0, "block size", [] { decode(Bytes(7)); });
  expect_format_error(1, "guard block", [] { decode(bare_block(0, {1})); });
  expect_format_error(1, "guard block", [] { decode(joined({bare_block(0, {1}), guard, Bytes{0}})); });
}

TEST(ZeroLengthBareFile, SizesOutOfRangeAreRefused) {
  const auto with_size = [](std::uint64_t size) {
    Bytes file = joined({bare_block(0, {1, 2, 3}), guard});
    format::store_little_endian<8>(file.data(), size);
    return file;
  };
  for (std::uint64_t size = 1; size < 16; ++size) {
    expect_format_error(0, "block size", [&] { decode(with_size(size)); });
  }
  for (const std::uint64_t size : {std::uint64_t{28}, std::uint64_t{1} << 31, std::uint64_t{1} << 63}) {
    expect_format_error(0, "block size", [&] { decode(with_size(size)); });
  }
  EXPECT_THROW(decode(with_size(18)), format::FormatError);
  EXPECT_THROW(decode(with_size(20)), format::FormatError);
}

TEST(ZeroLengthBareFile, ErrorsNameBlockAndByte) {
  try {
    decode(joined({bare_block(0, {1, 2, 3}), bare_block(1, {4, 0xff, 0xfe}), guard}));
    ADD_FAILURE() << "decoded";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(std::string(error.what()),
              "block 1: elements: have a run of more than 252 zeros after a marker, at byte 1 of them");
  }
}

TEST(ZeroLengthFrame, IsRefusedCutOffAnywhere) {
  const Bytes file = encode(frame_format, test::random_mix(300, 3), 100);
  for (std::size_t size = 0; size < file.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(reference::decode_file(reference::codec_of(frame_format), std::span(file).first(size), 1),
                 format::FormatError);
  }
}

TEST(ZeroLengthFrame, StoresRawWhatDoesNotGetSmaller) {
  const auto layout_of = [](const Bytes& block) {
    const Bytes file = encode(frame_format, block, 1024);
    return format::parse_frame(file).index.entries.at(0).record.layout;
  };
  EXPECT_EQ(layout_of({1, 2, 3}), format::BlockLayout::raw);
  EXPECT_EQ(layout_of({0xff}), format::BlockLayout::raw);
  EXPECT_EQ(layout_of({0, 0, 0, 0xff}), format::BlockLayout::raw);
  EXPECT_EQ(layout_of({0, 0, 0, 0, 0xff}), format::zero_length::elements_layout);
}

// What no elements can decode to is refused before it is decoded.
TEST(ZeroLengthFrame, SizesThatNoElementsHaveAreRefused) {
  const auto check = [](std::size_t payload_bytes, std::uint32_t uncompressed_bytes) {
    format::rules_of(frame_format)
        .start_pass()
        ->check(Bytes(payload_bytes),
                {.format = frame_format,
                 .layout = format::zero_length::elements_layout,
                 .uncompressed_bytes = uncompressed_bytes,
                 .split_count = 1},
                3);
  };
  EXPECT_NO_THROW(check(2, 252));
  EXPECT_NO_THROW(check(504, 252));
  EXPECT_NO_THROW(check(3, 253));
  expect_format_error(3, "elements", [&] { check(2, 253); });
  expect_format_error(3, "elements", [&] { check(505, 252); });
  expect_format_error(3, "elements", [&] { check(0, 1); });
}

}  // namespace
}  // namespace gsst::zero_length
