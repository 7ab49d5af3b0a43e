#include "reference_cpu/codag/inflate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/codag/deflate_encoder.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference::codag {
namespace {

using StreamBytes = std::vector<std::uint8_t>;
using Status = format::codag::DeflateStatus;

// Bits of a stream, from the lowest of each byte on.
class StreamBits {
public:
  StreamBits& number(unsigned value, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i) bit((value >> i) & 1U);
    return *this;
  }

  // A code, whose highest bit is the first one.
  StreamBits& code(unsigned value, unsigned bits) {
    for (unsigned i = bits; i-- > 0;) bit((value >> i) & 1U);
    return *this;
  }

  StreamBits& block(bool is_last, unsigned type) { return number(is_last ? 1 : 0, 1).number(type, 2); }

  // Of the fixed codes.
  StreamBits& fixed(unsigned symbol) {
    if (symbol < 144) return code(0x30 + symbol, 8);
    if (symbol < 256) return code(0x190 + symbol - 144, 9);
    if (symbol < 280) return code(symbol - 256, 7);
    return code(0xc0 + symbol - 280, 8);
  }

  // The lengths of a dynamic block's codes, stored as they are with a code of 5 bits for each length 0 to 15
  // and for 16 to 18, of which some of 4 bits make it complete.
  StreamBits& dynamic(const StreamBytes& literals, const StreamBytes& distances) {
    counts(literals.size(), distances.size());
    for (const StreamBytes* lengths : {&literals, &distances}) {
      for (const std::uint8_t length : *lengths) length_symbol(length);
    }
    return *this;
  }

  // What precedes these lengths.
  StreamBits& counts(std::size_t literals, std::size_t distances) {
    number(static_cast<unsigned>(literals - 257), 5).number(static_cast<unsigned>(distances - 1), 5);
    number(15, 4);
    constexpr std::array<unsigned, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    for (const unsigned symbol : order) number(bits_of(symbol), 3);
    return *this;
  }

  StreamBits& length_symbol(unsigned symbol) {
    return symbol < short_lengths ? code(symbol, 4) : code(2 * short_lengths + symbol - short_lengths, 5);
  }

  StreamBits& stored(unsigned length, unsigned complement) {
    while (free_ != 0) bit(0);
    return number(length, 16).number(complement, 16);
  }

  const StreamBytes& bytes() const { return bytes_; }

private:
  // 13 codes of 4 bits and 6 of 5: 13 / 16 + 6 / 32 = 1.
  static constexpr unsigned short_lengths = 13;

  static unsigned bits_of(unsigned symbol) { return symbol < short_lengths ? 4 : 5; }

  void bit(unsigned value) {
    if (free_ == 0) {
      bytes_.push_back(0);
      free_ = 8;
    }
    bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | value << (8 - free_));
    --free_;
  }

  StreamBytes bytes_;
  unsigned free_ = 0;
};

// What zlib makes of a stream: nothing if it refuses it or if bytes are left.
struct JudgedStream {
  bool is_good;
  StreamBytes bytes;
};

JudgedStream judge(const StreamBytes& stream, std::size_t most_bytes) {
  z_stream state{};
  if (inflateInit2(&state, -15) != Z_OK) throw std::bad_alloc();
  StreamBytes output(most_bytes + 1);
  state.next_in = const_cast<Bytef*>(stream.data());
  state.avail_in = static_cast<uInt>(stream.size());
  state.next_out = output.data();
  state.avail_out = static_cast<uInt>(output.size());
  const bool ended = ::inflate(&state, Z_FINISH) == Z_STREAM_END;
  output.erase(output.begin() + static_cast<std::ptrdiff_t>(state.total_out), output.end());
  const bool is_good = ended && state.avail_in == 0 && output.size() <= most_bytes;
  inflateEnd(&state);
  return {.is_good = is_good, .bytes = output};
}

// That the oracle does what zlib does.
Status expect_as_judged(const StreamBytes& stream, std::size_t most_bytes) {
  const JudgedStream expected = judge(stream, most_bytes);
  const Inflated got = inflate_payload(stream, most_bytes);
  EXPECT_EQ(got.status == Status::decoded, expected.is_good) << static_cast<unsigned>(got.status);
  EXPECT_LE(got.position, stream.size());
  EXPECT_LE(got.bytes.size(), most_bytes);
  EXPECT_TRUE(!expected.is_good || got.bytes == expected.bytes);
  return got.status;
}

void expect_problem(const StreamBytes& stream, Status status, std::uint64_t position,
                    std::uint64_t most_bytes = 1000) {
  const Inflated got = inflate_payload(stream, most_bytes);
  EXPECT_EQ(got.status, status) << static_cast<unsigned>(got.status);
  EXPECT_EQ(got.position, position);
  EXPECT_FALSE(judge(stream, most_bytes).is_good);
}

// Lengths of codes of 0 to 256 literals and ends, where two have one bit.
StreamBytes two_literals(std::size_t count = 257) {
  StreamBytes lengths(count, 0);
  lengths['a'] = 1;
  lengths[256] = 1;
  return lengths;
}

// Repeats at every distance that has a symbol, then everything else that encoders react to.
StreamBytes varied_bytes() {
  StreamBytes bytes = test::make_random(40'000, 7);
  std::mt19937 random(11);
  for (const unsigned distance :
       {1,   2,   3,   4,    5,    7,    11,   17,   29,   41,   60,     90,     120,    180,   250,
        300, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 8000, 12'000, 16'000, 24'000, 32'000}) {
    for (const unsigned length : {3, 4, 5, 6, 8, 10, 30, 100, 258, 259, 600}) {
      if (length < distance / 4) continue;
      for (unsigned i = 0; i < length; ++i) bytes.push_back(bytes[bytes.size() - distance]);
      bytes.push_back(static_cast<std::uint8_t>(random()));
    }
  }
  const StreamBytes text = test::make_text(30'000, 3);
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), 5000, 0);
  return bytes;
}

TEST(Inflate, DecodesWhatTheLibrariesEncode) {
  InflateCensus census;
  const std::vector<StreamBytes> inputs = {
      {}, {65}, StreamBytes(300, 'x'), test::make_random(3000, 1), varied_bytes()};
  for (const StreamBytes& input : inputs) {
    for (unsigned level = 0; level <= max_deflate_level; ++level) {
      for (unsigned strategy = 0; strategy < deflate_strategies.size(); ++strategy) {
        // At other levels strategies make no other kinds of streams.
        if (strategy != 0 && level != 6) continue;
        SCOPED_TRACE("level " + std::to_string(level) + ", strategy " + std::to_string(strategy));
        const StreamBytes stream =
            encode_deflate(input, {.level = level, .strategy = strategy}, most_encoded_bytes(input.size()));
        ASSERT_FALSE(stream.empty());
        const Inflated got = inflate_payload(stream, input.size(), &census);
        EXPECT_EQ(got.status, Status::decoded);
        EXPECT_EQ(got.position, stream.size());
        EXPECT_TRUE(got.bytes == input);
        if (!input.empty()) {
          EXPECT_EQ(inflate_payload(stream, input.size() - 1).status, Status::output_too_long);
        }
      }
    }
  }
  for (std::size_t type = 0; type < census.blocks.size(); ++type) EXPECT_GT(census.blocks[type], 0U) << type;
  // Encoders never need 15 bits for a code of few symbols.
  for (std::size_t bits = 0; bits < 13; ++bits) EXPECT_GT(census.code_bits[bits], 0U) << bits;
  for (std::size_t symbol = 0; symbol < 13; ++symbol) EXPECT_GT(census.length_symbols[symbol], 0U) << symbol;
  for (std::size_t symbol = 16; symbol < 19; ++symbol) EXPECT_GT(census.length_symbols[symbol], 0U) << symbol;
  for (std::size_t symbol = 0; symbol < census.distance_symbols.size(); ++symbol) {
    EXPECT_GT(census.distance_symbols[symbol], 0U) << symbol;
  }
  for (const std::size_t length : {3, 4, 10, 257, 258}) EXPECT_GT(census.match_lengths[length], 0U) << length;
}

TEST(Inflate, DecodesEveryCodeOfAFixedBlock) {
  constexpr unsigned last_length = 285;
  StreamBits stream;
  stream.block(true, 1);
  StreamBytes expected;
  for (unsigned literal = 0; literal < 256; ++literal) {
    stream.fixed(literal);
    expected.push_back(static_cast<std::uint8_t>(literal));
  }
  const auto copy = [&](unsigned length, unsigned distance) {
    for (unsigned i = 0; i < length; ++i) expected.push_back(expected[expected.size() - distance]);
  };
  // All lengths without extra bits, and 258 in both ways, at distances that overlap it.
  for (unsigned symbol = 257; symbol < 265; ++symbol) {
    stream.fixed(symbol).code(symbol % 4, 5);
    copy(symbol - 254, symbol % 4 + 1);
  }
  stream.fixed(last_length).code(4, 5).number(0, 1);
  copy(258, 5);
  stream.fixed(last_length - 1).number(31, 5).code(4, 5).number(1, 1);
  copy(258, 6);
  stream.fixed(256);
  const Inflated got = inflate_payload(stream.bytes(), expected.size());
  EXPECT_EQ(got.status, Status::decoded);
  EXPECT_TRUE(got.bytes == expected);
  EXPECT_TRUE(judge(stream.bytes(), expected.size()).is_good);
}

TEST(Inflate, ReachesBackAsFarAsTheWindow) {
  StreamBytes expected = test::make_random(format::codag::deflate_window_bytes, 5);
  StreamBits stream;
  stream.block(false, 0).stored(0x8000, 0x7fff);
  for (const std::uint8_t byte : expected) stream.number(byte, 8);
  stream.block(true, 1).fixed(257).code(29, 5).number(8191, 13).fixed(256);
  InflateCensus census;
  const Inflated got = inflate_payload(stream.bytes(), 40'000, &census);
  expected.insert(expected.end(), expected.begin(), expected.begin() + 3);
  EXPECT_TRUE(got.bytes == expected);
  EXPECT_EQ(census.longest_distance, format::codag::deflate_window_bytes);
  // A byte less before it.
  StreamBits early;
  early.block(false, 0).stored(0x7fff, 0x8000);
  for (std::size_t i = 0; i < 0x7fff; ++i) early.number(expected[i], 8);
  early.block(true, 1).fixed(257).code(29, 5).number(8191, 13).fixed(256);
  expect_problem(early.bytes(), Status::distance_before_block, 5 + 0x7fff, 40'000);
}

TEST(Inflate, TakesCodesOfOneSymbolAndNone) {
  // One literal, no distance; the end of the block is the other code.
  StreamBits none;
  none.block(true, 2).dynamic(two_literals(), {0}).code(0, 1).code(1, 1);
  EXPECT_EQ(inflate_payload(none.bytes(), 10).bytes, StreamBytes{'a'});
  EXPECT_EQ(expect_as_judged(none.bytes(), 10), Status::decoded);
  // Nothing but the end of the block: one code of one bit.
  StreamBytes only_end(257, 0);
  only_end[256] = 1;
  StreamBits empty;
  empty.block(true, 2).dynamic(only_end, {0}).code(0, 1);
  EXPECT_EQ(expect_as_judged(empty.bytes(), 10), Status::decoded);
  StreamBits unused;
  unused.block(true, 2).dynamic(only_end, {0});
  const std::size_t header = unused.bytes().size() - 1;
  unused.code(1, 1);
  expect_problem(unused.bytes(), Status::unused_length, header);
  // One distance.
  StreamBytes with_match = two_literals(258);
  with_match[256] = with_match[257] = 2;
  StreamBits match;
  match.block(true, 2).dynamic(with_match, {1}).code(0, 1).code(3, 2).code(0, 1).code(2, 2);
  EXPECT_EQ(inflate_payload(match.bytes(), 10).bytes, StreamBytes(4, 'a'));
  EXPECT_EQ(expect_as_judged(match.bytes(), 10), Status::decoded);
}

TEST(Inflate, NamesEachProblemAndItsByte) {
  expect_problem({}, Status::input_ends_early, 0);
  expect_problem(StreamBits().block(true, 3).bytes(), Status::reserved_block_type, 0);
  expect_problem(StreamBits().block(true, 0).stored(3, 3).bytes(), Status::wrong_stored_length, 0);
  expect_problem(StreamBits().block(true, 0).stored(1, 0xfffe).bytes(), Status::input_ends_early, 5);
  expect_problem(StreamBits().block(true, 0).stored(1, 0xfffe).number(7, 8).bytes(), Status::output_too_long,
                 5, 0);
  expect_problem(StreamBits().block(true, 0).stored(0, 0xffff).number(0, 8).bytes(), Status::bytes_after_end,
                 5);
  expect_problem(StreamBits().block(true, 1).fixed(97).bytes(), Status::input_ends_early, 1);
  // The second byte holds the end of the literal.
  expect_problem(StreamBits().block(true, 1).fixed(97).fixed(256).bytes(), Status::output_too_long, 0, 0);
  expect_problem(StreamBits().block(true, 1).fixed(97).fixed(257).code(1, 5).fixed(256).bytes(),
                 Status::distance_before_block, 1);
  expect_problem(StreamBits().block(true, 1).fixed(97).fixed(257).code(0, 5).fixed(256).bytes(),
                 Status::output_too_long, 1, 3);
  for (const unsigned symbol : {286, 287}) {
    expect_problem(StreamBits().block(true, 1).fixed(97).fixed(symbol).code(0, 5).bytes(),
                   Status::unused_length, 1);
  }
  for (const unsigned distance : {30, 31}) {
    expect_problem(StreamBits().block(true, 1).fixed(97).fixed(257).code(distance, 5).bytes(),
                   Status::unused_distance, 1);
  }
}

TEST(Inflate, NamesEachProblemOfDynamicCodes) {
  expect_problem(StreamBits().block(true, 2).number(30, 5).number(0, 5).number(0, 4).bytes(),
                 Status::too_many_codes, 0);
  expect_problem(StreamBits().block(true, 2).number(0, 5).number(30, 5).number(0, 4).bytes(),
                 Status::too_many_codes, 0);
  const auto code_of_lengths = [](std::initializer_list<unsigned> lengths) {
    StreamBits stream;
    stream.block(true, 2).number(0, 5).number(0, 5).number(static_cast<unsigned>(lengths.size()) - 4, 4);
    for (const unsigned length : lengths) stream.number(length, 3);
    return stream.number(0, 8).bytes();
  };
  expect_problem(code_of_lengths({1, 1, 1, 0}), Status::over_subscribed_code_lengths, 0);
  expect_problem(code_of_lengths({1, 2, 0, 0}), Status::incomplete_code_lengths, 0);
  // One code of one bit will not do here, nor none.
  expect_problem(code_of_lengths({1, 0, 0, 0}), Status::incomplete_code_lengths, 0);
  expect_problem(code_of_lengths({0, 0, 0, 0}), Status::incomplete_code_lengths, 0);

  StreamBits repeat;
  repeat.block(true, 2).counts(257, 1);
  const std::size_t lengths_begin = repeat.bytes().size() - 1;
  repeat.length_symbol(16).number(0, 2);
  expect_problem(repeat.bytes(), Status::repeat_without_length, lengths_begin);
  // 138 and 138 zeros are more than 258 codes.
  StreamBits past_end;
  past_end.block(true, 2).counts(257, 1).length_symbol(18).number(127, 7).length_symbol(18).number(127, 7);
  expect_problem(past_end.bytes(), Status::repeat_past_end, lengths_begin + 1);

  StreamBytes literals = two_literals();
  literals['b'] = 1;
  expect_problem(StreamBits().block(true, 2).dynamic(literals, {0}).bytes(), Status::over_subscribed_literals,
                 0);
  literals['a'] = literals['b'] = 3;
  expect_problem(StreamBits().block(true, 2).dynamic(literals, {0}).bytes(), Status::incomplete_literals, 0);
  literals[256] = 0;
  literals['a'] = literals['b'] = 1;
  expect_problem(StreamBits().block(true, 2).dynamic(literals, {0}).bytes(), Status::no_end_of_block, 0);
  const StreamBytes two = two_literals();
  expect_problem(StreamBits().block(true, 2).dynamic(two, {1, 1, 1}).bytes(),
                 Status::over_subscribed_distances, 0);
  expect_problem(StreamBits().block(true, 2).dynamic(two, {2, 2}).bytes(), Status::incomplete_distances, 0);
  expect_problem(StreamBits().block(true, 2).dynamic(two, {2}).bytes(), Status::incomplete_distances, 0);

  StreamBytes with_match = two_literals(258);
  with_match[256] = with_match[257] = 2;
  StreamBits no_distance;
  no_distance.block(true, 2).dynamic(with_match, {0}).code(0, 1);
  const std::size_t at_match = no_distance.bytes().size() - 1;
  no_distance.code(3, 2).code(0, 1);
  expect_problem(no_distance.bytes(), Status::unused_distance, at_match);
}

TEST(Inflate, ACutStreamEndsEarlyAtEveryByte) {
  const StreamBytes input = test::make_text(700, 2);
  for (const unsigned level : {0U, 1U, 9U, 12U}) {
    for (const unsigned strategy : {0U, 4U}) {
      if (level > max_zlib_level && strategy != 0) continue;
      const StreamBytes stream =
          encode_deflate(input, {.level = level, .strategy = strategy}, most_encoded_bytes(input.size()));
      for (std::size_t bytes = 0; bytes < stream.size(); ++bytes) {
        const Inflated got = inflate_payload(std::span(stream).first(bytes), input.size());
        EXPECT_EQ(got.status, Status::input_ends_early) << bytes;
        EXPECT_LE(got.position, bytes);
        EXPECT_TRUE(std::ranges::equal(got.bytes, std::span(input).first(got.bytes.size())));
      }
    }
  }
}

TEST(Inflate, DecidesAsZlibDoesOnChangedStreams) {
  std::mt19937 random(23);
  std::array<unsigned, format::codag::last_deflate_status + 1> met{};
  const StreamBytes input = test::make_mixed(900, 4);
  for (const unsigned strategy : {0U, 2U, 4U}) {
    const StreamBytes stream =
        encode_deflate(input, {.level = 9, .strategy = strategy}, most_encoded_bytes(input.size()));
    for (unsigned round = 0; round < 600; ++round) {
      StreamBytes changed = stream;
      // Most changes near the start, where the codes are.
      const std::size_t place = random() % (round % 2 == 0 ? 60 : changed.size());
      changed[place] = static_cast<std::uint8_t>(changed[place] ^ 1U << random() % 8);
      SCOPED_TRACE("strategy " + std::to_string(strategy) + ", round " + std::to_string(round));
      ++met[static_cast<std::size_t>(expect_as_judged(changed, 2000))];
    }
  }
  EXPECT_GT(std::ranges::count_if(met, [](unsigned count) { return count != 0; }), 10);
}

TEST(DeflateEncoder, SaysWhatDoesNotFit) {
  const StreamBytes input = test::make_random(1000, 9);
  EXPECT_TRUE(encode_deflate(input, {.level = 9}, 999).empty());
  EXPECT_TRUE(encode_deflate(input, {.level = 12}, 999).empty());
  EXPECT_FALSE(encode_deflate(input, {.level = 9}, most_encoded_bytes(input.size())).empty());
}

TEST(DeflateEncoder, OptionsThatDoNotGoTogetherAreRefused) {
  EXPECT_EQ(deflate_choice({}).level, 1U);
  EXPECT_EQ(deflate_choice({.level = 9}).level, 9U);
  EXPECT_EQ(deflate_choice({.options = {{"level", 0}, {"strategy", 3}}}).level, 0U);
  EXPECT_EQ(deflate_choice({.options = {{"strategy", 3}}}).strategy, 3U);
  EXPECT_THROW(deflate_choice({.options = {{"level", 12}, {"strategy", 3}}}), std::invalid_argument);
  EXPECT_THROW(deflate_choice({.level = 2, .options = {{"level", 3}}}), std::invalid_argument);
  EXPECT_THROW(deflate_choice({.level = 13}), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::reference::codag
