#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/zero_length/dictionary_block.hpp"
#include "reference_cpu/zero_length/encoding_room.hpp"
#include "stages/zero_length/tests/dictionary_inputs.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// The oracle of format zle_dictionary against an encoder of the test's own, and payloads that break its
// rules.
namespace gsst::zero_length {
namespace {

using format::expect_format_error;
using format::zero_length::dictionary_format;
using format::zero_length::dictionary_places;
using format::zero_length::index_bits;
using format::zero_length::index_past_values;
using format::zero_length::most_paying_values;
using format::zero_length::Status;
using test::Bytes;

void check_dictionary(const Bytes& payload, std::uint32_t uncompressed_bytes) {
  format::rules_of(dictionary_format)
      .start_pass()
      ->check(payload,
              {.format = dictionary_format,
               .layout = format::zero_length::elements_layout,
               .uncompressed_bytes = uncompressed_bytes,
               .split_count = 1},
              3);
}

void expect_right_dictionary(const Bytes& block) {
  Bytes payload(block.size());
  payload.resize(reference::zero_length::encode_dictionary(block, payload));
  const Bytes expected = test::dictionary_payload(block);
  if (expected.size() >= block.size()) {
    ASSERT_EQ(payload.size(), block.size());
    return;
  }
  ASSERT_TRUE(payload == expected);
  ASSERT_NO_THROW(check_dictionary(payload, static_cast<std::uint32_t>(block.size())));
  const auto decoded = reference::zero_length::decode_dictionary(payload, block.size());
  ASSERT_EQ(decoded.status, Status::decoded);
  ASSERT_TRUE(decoded.bytes == block);
}

TEST(ZeroLengthDictionary, IndexesHaveTheFewestBits) {
  EXPECT_EQ(index_bits(1), 0U);
  EXPECT_EQ(index_bits(2), 1U);
  EXPECT_EQ(index_bits(3), 2U);
  EXPECT_EQ(index_bits(4), 2U);
  EXPECT_EQ(index_bits(5), 3U);
  EXPECT_EQ(index_bits(9000), 14U);
  EXPECT_EQ(index_bits(1 << 20), 20U);
}

// As many as a search among all counts finds.
TEST(ZeroLengthDictionary, TheMostPayingValuesAreTheMost) {
  const auto pays = [](std::uint32_t values, std::uint64_t bytes) {
    return values <= format::zero_length::most_dictionary_values &&
           dictionary_places(values, bytes).end < bytes;
  };
  for (std::uint64_t bytes = 0; bytes < 3000; ++bytes) {
    std::uint32_t most = 0;
    while (pays(most + 1, bytes)) ++most;
    ASSERT_EQ(most_paying_values(bytes), most) << bytes;
  }
  for (const unsigned power : {16U, 18U, 21U, 22U, 23U, 24U, 30U}) {
    for (std::uint64_t bytes = (std::uint64_t{1} << power) - 5; bytes <= (std::uint64_t{1} << power);
         ++bytes) {
      const std::uint32_t most = most_paying_values(bytes);
      EXPECT_TRUE(pays(most, bytes) && !pays(most + 1, bytes)) << bytes;
    }
  }
  EXPECT_EQ(most_paying_values(std::uint64_t{1} << 30), std::uint32_t{1} << 20);
}

TEST(ZeroLengthDictionary, ALargerBlockHasNoSmallerRoom) {
  std::uint64_t before = 0;
  for (std::uint64_t bytes = 0; bytes < 100'000; ++bytes) {
    const std::uint64_t room = reference::zero_length::encoding_room(dictionary_format, bytes);
    ASSERT_GE(room, before) << bytes;
    before = room;
  }
}

TEST(ZeroLengthDictionary, PayloadsAreTheListedOnes) {
  const auto encode = [](const Bytes& block) {
    Bytes payload(block.size());
    payload.resize(reference::zero_length::encode_dictionary(block, payload));
    return payload;
  };
  EXPECT_EQ(encode({7, 0, 0, 1, 7, 0, 0, 1, 7, 0, 0, 1, 9, 8}), Bytes({1, 0, 0, 0, 7, 0, 0, 1, 9, 8}));
  // 2, 1, 1, 1, 2: indexes 1, 0, 0, 0, 1.
  EXPECT_EQ(encode({2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}),
            Bytes({2, 0, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0x11}));
  // -0.0 is the largest of all but NaNs and negative numbers.
  EXPECT_EQ(encode({0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80}),
            Bytes({2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09}));
}

TEST(ZeroLengthDictionary, EveryNumberOfValuesNearABorderOfBits) {
  const std::uint64_t seed = test::first_seed();
  for (std::uint32_t bits = 0; bits <= 14; ++bits) {
    for (const std::int64_t more : {-1, 0, 1}) {
      const std::int64_t values = (std::int64_t{1} << bits) + more;
      if (values < 1) continue;
      const auto count = static_cast<std::uint32_t>(values);
      SCOPED_TRACE(std::to_string(count) + " values, seed " + std::to_string(seed));
      expect_right_dictionary(test::floats_of_values(count, 3 * std::size_t{count} + 9, bits % 4, seed));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ZeroLengthDictionary, EverySizeOfASmallBlock) {
  const Bytes input = test::floats_of_values(5, 100, 3, 1);
  for (std::size_t size = 0; size <= input.size(); ++size) {
    SCOPED_TRACE(size);
    expect_right_dictionary({input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size)});
    if (HasFatalFailure()) return;
  }
}

TEST(ZeroLengthDictionary, ABlockIsRawFromTheFirstValueOnThatDoesNotPay) {
  const auto layout_of = [](std::uint32_t values) {
    const Bytes file = reference::encode_file(reference::codec_of(dictionary_format),
                                              test::floats_of_values(values, 1000, 2, 4));
    return format::parse_frame(file).index.entries.at(0).record.layout;
  };
  const std::uint32_t most = most_paying_values(4002);
  EXPECT_EQ(layout_of(most), format::zero_length::elements_layout);
  EXPECT_EQ(layout_of(most + 1), format::BlockLayout::raw);
}

TEST(ZeroLengthDictionary, TooLittleRoomIsRefused) {
  const Bytes block(100, 1);
  Bytes too_small(99);
  EXPECT_THROW(reference::zero_length::encode_dictionary(block, too_small), std::invalid_argument);
}

// Three values, 17 floats, two bytes more: 34 bits, of which the last byte has two.
Bytes three_values() {
  return test::payload_of_indexes({5, 6, 700}, {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1},
                                  {0xaa, 0xbb});
}
constexpr std::uint32_t three_values_bytes = 17 * 4 + 2;

Bytes with_byte(Bytes payload, std::size_t place, std::uint8_t byte) {
  payload.at(place) = byte;
  return payload;
}

TEST(ZeroLengthDictionary, PayloadsThatBreakARuleAreRefused) {
  const Bytes right = three_values();
  const auto refuses = [](const char* field, const Bytes& payload,
                          std::uint32_t uncompressed_bytes = three_values_bytes) {
    SCOPED_TRACE(field);
    expect_format_error(3, field, [&] { check_dictionary(payload, uncompressed_bytes); });
  };
  EXPECT_NO_THROW(check_dictionary(right, three_values_bytes));
  for (std::size_t size = 0; size < 4; ++size) {
    refuses("number of values", {right.begin(), right.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  refuses("number of values", with_byte(right, 0, 0));
  refuses("number of values", with_byte(right, 1, 1));
  refuses("number of values", with_byte(right, 2, 0xff));
  refuses("number of values", right, 11);
  refuses("bits of an index", with_byte(right, 3, 1));
  refuses("bits of an index", with_byte(right, 3, 3));
  refuses("bits of an index", with_byte(right, 3, 0xff));
  for (std::size_t size = 4; size < right.size(); ++size) {
    refuses("payload bytes", {right.begin(), right.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  Bytes longer = right;
  longer.push_back(0);
  refuses("payload bytes", longer);
  refuses("payload bytes", right, three_values_bytes - 1);
  refuses("values", with_byte(right, 8, 5));
  refuses("values", with_byte(right, 8, 4));
  refuses("values", with_byte(with_byte(right, 12, 0), 13, 0));
  refuses("spare bits", with_byte(right, 4 + 12 + 4, 0x05));
  refuses("spare bits", with_byte(right, 4 + 12 + 4, 0x81));
}

TEST(ZeroLengthDictionary, AnErrorNamesTheByte) {
  try {
    check_dictionary(with_byte(three_values(), 8, 5), three_values_bytes);
    FAIL() << "accepted";
  } catch (const format::FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("at byte 8 of the payload"), std::string::npos) << error.what();
  }
}

TEST(ZeroLengthDictionary, AnIndexPastTheValuesIsRefusedWithItsPlace) {
  // Index 9, whose bits begin in byte 2.
  Bytes payload = three_values();
  payload[4 + 12 + 2] |= 0x0c;
  EXPECT_NO_THROW(check_dictionary(payload, three_values_bytes));
  const auto decoded = reference::zero_length::decode_dictionary(payload, three_values_bytes);
  EXPECT_EQ(decoded.status, index_past_values);
  EXPECT_EQ(decoded.position, 2U);
  EXPECT_EQ(decoded.bytes.size(), 9 * 4U);
}

TEST(ZeroLengthDictionary, AValueThatNoIndexNamesIsAccepted) {
  const Bytes payload = test::payload_of_indexes({1, 2, 3}, std::vector<std::uint32_t>(20, 1), {});
  EXPECT_NO_THROW(check_dictionary(payload, 80));
  EXPECT_EQ(reference::zero_length::decode_dictionary(payload, 80).status, Status::decoded);
}

TEST(ZeroLengthDictionary, StatusIsSaidInWords) {
  const format::PayloadRules& rules = format::rules_of(dictionary_format);
  EXPECT_EQ(rules.describe(5).field, "indexes");
  EXPECT_EQ(rules.describe(5).problem, "have one past the last value");
  EXPECT_FALSE(rules.describe(77).problem.empty());
  EXPECT_EQ(rules.describe(255).field, "checksum");
}

TEST(ZeroLengthDictionary, AFrameIsRefusedCutOffAnywhere) {
  const reference::Codec& codec = reference::codec_of(dictionary_format);
  const Bytes file = reference::encode_file(codec, test::floats_of_values(6, 75, 1, 3), {.block_bytes = 100});
  for (std::size_t size = 0; size < file.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THROW(reference::decode_file(codec, std::span(file).first(size), 1), format::FormatError);
  }
}

}  // namespace
}  // namespace gsst::zero_length
