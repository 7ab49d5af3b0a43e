#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "common/stage/frame_shape.hpp"
#include "reference_cpu/codag/deflate_encoder.hpp"
#include "reference_cpu/codag/inflate.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/10_one_member/member_piece.hpp"
#include "stages/codag/tests/decode/chunks.hpp"
#include "stages/codag/tests/decode/deflate_frames.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"

// Stages that cut the stream of a chunk in pieces, and decode these at the same time: long streams of all
// kinds, and what may go wrong where one piece follows another.
namespace gsst::codag {
namespace {

using format::codag::DeflateStatus;
using reference::codag::InflateCensus;
using reference::codag::Inflated;

// The smallest piece that can be asked for, so that streams of a few of them are short.
constexpr std::int64_t small_piece_bytes = 4096;

// How zlib makes a stream.
struct ZlibChoice {
  int level = 6;
  int strategy = Z_DEFAULT_STRATEGY;
  // 1 ends a section after 128 elements, 9 after 32768.
  int memory_level = 1;
};

// Zlib's streams, of which some of the input is encoded with one choice and the rest with others.
class ZlibStream {
public:
  ZlibStream() {
    constexpr int raw_with_whole_window = -15;
    if (deflateInit2(&state_, 6, Z_DEFLATED, raw_with_whole_window, 1, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ZlibStream(const ZlibStream&) = delete;
  ZlibStream& operator=(const ZlibStream&) = delete;
  ~ZlibStream() { deflateEnd(&state_); }

  void add(const Chunk& bytes, int level, int strategy = Z_DEFAULT_STRATEGY) {
    run({}, Z_BLOCK);
    Chunk room(1024);
    state_.next_out = room.data();
    state_.avail_out = static_cast<uInt>(room.size());
    state_.avail_in = 0;
    if (deflateParams(&state_, level, strategy) != Z_OK) throw std::runtime_error("deflateParams");
    keep(room);
    run(bytes, Z_NO_FLUSH);
    plain_.insert(plain_.end(), bytes.begin(), bytes.end());
  }
  void finish() { run({}, Z_FINISH); }

  const Chunk& stream() const { return stream_; }
  const Chunk& plain() const { return plain_; }

private:
  void run(Chunk bytes, int flush) {
    Chunk room(2 * bytes.size() + 100'000);
    state_.next_in = bytes.data();
    state_.avail_in = static_cast<uInt>(bytes.size());
    state_.next_out = room.data();
    state_.avail_out = static_cast<uInt>(room.size());
    ::deflate(&state_, flush);
    keep(room);
  }
  void keep(const Chunk& room) {
    stream_.insert(stream_.end(), room.begin(), room.end() - static_cast<std::ptrdiff_t>(state_.avail_out));
  }

  z_stream state_{};
  Chunk stream_;
  Chunk plain_;
};

Chunk zlib_stream(Chunk bytes, const ZlibChoice& choice) {
  constexpr int raw_with_whole_window = -15;
  z_stream state{};
  if (deflateInit2(&state, choice.level, Z_DEFLATED, raw_with_whole_window, choice.memory_level,
                   choice.strategy) != Z_OK) {
    throw std::bad_alloc();
  }
  Chunk stream(2 * bytes.size() + 1000);
  state.next_in = bytes.data();
  state.avail_in = static_cast<uInt>(bytes.size());
  state.next_out = stream.data();
  state.avail_out = static_cast<uInt>(stream.size());
  EXPECT_EQ(::deflate(&state, Z_FINISH), Z_STREAM_END);
  stream.resize(state.total_out);
  deflateEnd(&state);
  return stream;
}

// In stored sections of less than a piece.
void add_stored(ZlibStream& made, const Chunk& bytes) {
  constexpr std::ptrdiff_t part_bytes = 3000;
  for (auto begin = bytes.begin(); bytes.end() - begin > part_bytes; begin += part_bytes) {
    made.add(Chunk(begin, begin + part_bytes), 0);
  }
}

// Streams made bit by bit: sections whose codes have 8 bits for literals up to 253, and 9 for the others, for
// the end and for length 3; one bit for distances of at least 16385.
class FarMatches {
public:
  // Starts a section.
  void begin_section(bool is_last) {
    put(is_last ? 1 : 0, 1);
    put(2, 2);
    constexpr std::uint32_t literals = 258;
    constexpr std::uint32_t distances = 30;
    put(literals - 257, 5);
    put(distances - 1, 5);
    // Lengths 0, 1, 8 and 9 have codes of two bits, in this order; all 19 are stored but the last, 15.
    put(18 - 4, 4);
    for (const std::uint32_t symbol :
         {16U, 17U, 18U, 0U, 8U, 7U, 9U, 6U, 10U, 5U, 11U, 4U, 12U, 3U, 13U, 2U, 14U, 1U}) {
      put(symbol == 0 || symbol == 1 || symbol == 8 || symbol == 9 ? 2 : 0, 3);
    }
    for (std::uint32_t symbol = 0; symbol < literals; ++symbol) put_code(symbol < 254 ? 2 : 3, 2);
    for (std::uint32_t symbol = 0; symbol < distances; ++symbol) put_code(symbol < 28 ? 0 : 1, 2);
  }
  void end_section() { put_symbol(256); }
  void literal(std::uint8_t byte) {
    put_symbol(byte);
    plain_.push_back(byte);
  }
  // Of three bytes, at a distance of 24577 to 32768.
  void match(std::uint32_t distance) {
    put_symbol(257);
    put_code(1, 1);
    put(distance - 24577, 13);
    // Nothing where it begins before the stream, which is a mistake.
    for (int i = 0; i < 3 && distance <= plain_.size(); ++i)
      plain_.push_back(plain_[plain_.size() - distance]);
  }

  const Chunk& stream() const { return stream_; }
  const Chunk& plain() const { return plain_; }

private:
  void put(std::uint32_t bits, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (bits_ % 8 == 0) stream_.push_back(0);
      stream_.back() = static_cast<std::uint8_t>(stream_.back() | (bits >> i & 1) << bits_ % 8);
      ++bits_;
    }
  }
  // Codes begin with their highest bit.
  void put_code(std::uint32_t code, std::uint32_t count) {
    while (count-- > 0) put(code >> count & 1, 1);
  }
  void put_symbol(std::uint32_t symbol) {
    if (symbol < 254) {
      put_code(symbol, 8);
    } else {
      put_code(2 * 254 + symbol - 254, 9);
    }
  }

  std::uint64_t bits_ = 0;
  Chunk stream_;
  Chunk plain_;
};

// Literals that are no text, then far matches and every so many elements another literal, in sections of 300
// elements.
FarMatches far_matches(std::size_t literals, std::size_t elements, std::uint32_t distance,
                       std::size_t elements_to_literal = 2) {
  const Chunk noise = reference::test::make_random(literals + elements, 17);
  FarMatches made;
  for (std::size_t i = 0; i < literals + elements; ++i) {
    if (i % 300 == 0) {
      if (i != 0) made.end_section();
      made.begin_section(false);
    }
    if (i >= literals && i % elements_to_literal != 0) {
      made.match(distance);
    } else {
      made.literal(noise[i]);
    }
  }
  made.end_section();
  made.begin_section(true);
  made.end_section();
  return made;
}

std::vector<stage::StageCase> stages_with_pieces() {
  std::vector<stage::StageCase> cases =
      stage::stage_cases(stage::Operation::decode, format::codag::deflate_format);
  std::erase_if(cases, [](const stage::StageCase& one) {
    const stage::Description& stage = stage::find_stage(one.stage, stage::Operation::decode)->description;
    return std::ranges::none_of(
        stage.parameters, [](const stage::Parameter& parameter) { return parameter.name == "piece_bytes"; });
  });
  return cases;
}

class MemberPiecesTest : public stage::StageTest {
protected:
  // Decodes a stream of a block, and expects what the oracle says of it.
  void expect_as_inflated(const Chunk& stream, std::size_t block_bytes,
                          const stage::ParameterValues& parameters, std::size_t shift) const {
    const stage::DecodeResult result =
        decode_guarded(frame_of_streams({stream}, block_bytes), parameters, shift);
    const Inflated right = reference::codag::inflate_payload(stream, block_bytes);
    ASSERT_EQ(result.statuses[0], deflate_status(right, block_bytes));
    ASSERT_TRUE(std::ranges::equal(result.output().subspan(0, right.bytes.size()), right.bytes));
  }

  // The same for a stream that is right, in small pieces.
  void expect_bytes(const Chunk& stream, const Chunk& plain, const stage::ParameterValues& more = {}) const {
    ASSERT_GT(stream.size(), 3 * small_piece_bytes);
    stage::ParameterValues parameters = {{"piece_bytes", small_piece_bytes}};
    parameters.insert(more.begin(), more.end());
    expect_decodes(frame_of_streams({stream}, plain.size()), plain, parameters, stream.size() % 17);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, MemberPiecesTest, testing::ValuesIn(stages_with_pieces()),
                         stage::case_name);

// Of stages that run in the host's memory: what their kernels leave there.
class MemberPieceListTest : public MemberPiecesTest {
protected:
  // The pieces of a frame of one stream that a warp each has decoded.
  std::vector<MemberPiece> used_pieces(const Chunk& stream, std::size_t block_bytes) const {
    const Chunk frame = frame_of_streams({stream}, block_bytes);
    const auto plan =
        stage()
            .decode.at(GetParam().executor)
            .make({.frame = stage::frame_shape(frame), .parameters = {{"piece_bytes", small_piece_bytes}}});
    Chunk output(block_bytes);
    std::vector<std::uint64_t> scratch(bytes_of(*plan, stage::Role::scratch) / sizeof(std::uint64_t) + 1);
    std::uint32_t status = 0;
    enqueue_all(*plan,
                std::array{stage::to_read(frame.data(), frame.size()),
                           stage::Given{.data = output.data(), .bytes = output.size()},
                           stage::Given{.data = scratch.data(), .bytes = scratch.size() * sizeof scratch[0]},
                           stage::Given{.data = &status, .bytes = sizeof status}},
                nullptr);
    EXPECT_EQ(status, 0U);
    std::vector<MemberPiece> pieces(frame.size() / small_piece_bytes + 1);
    std::memcpy(pieces.data(), scratch.data(), pieces.size() * sizeof pieces[0]);
    std::erase_if(pieces, [](const MemberPiece& piece) { return !piece.is_used; });
    return pieces;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, MemberPieceListTest,
                         testing::ValuesIn(stage::in_host_memory(stages_with_pieces())), stage::case_name);

// Where sections are shorter than pieces, each piece has one that is found.
TEST_P(MemberPieceListTest, EachPieceFindsItsFirstSection) {
  const Chunk plain = reference::test::make_text(90'000, 20);
  const Chunk stream = zlib_stream(plain, {});
  const std::vector<MemberPiece> pieces = used_pieces(stream, plain.size());
  EXPECT_GE(pieces.size(), stream.size() / small_piece_bytes);
  std::uint64_t place = 0;
  for (const MemberPiece& piece : pieces) {
    EXPECT_TRUE(piece.is_found) << place;
    EXPECT_EQ(piece.place, place);
    place += piece.bytes;
  }
  EXPECT_EQ(place, plain.size());
}

// What is stored begins where the piece before ends, whatever was found in it.
TEST_P(MemberPieceListTest, PiecesThatFoundWrongBeginsAreToldTheRightOnes) {
  const Chunk inner = zlib_stream(reference::test::make_text(90'000, 19), {});
  ZlibStream made;
  add_stored(made, inner);
  made.finish();
  const std::vector<MemberPiece> pieces = used_pieces(made.stream(), made.plain().size());
  ASSERT_GT(pieces.size(), 2U);
  EXPECT_TRUE(pieces[0].is_found);
  EXPECT_EQ(std::ranges::count(pieces, true, &MemberPiece::is_found), 1);
}

TEST_P(MemberPiecesTest, DecodesWhatZlibMakesAtEachLevelAndStrategy) {
  Chunk plain = reference::test::make_text(120'000, 21);
  const Chunk noise = reference::test::make_random(20'000, 22);
  plain.insert(plain.begin() + 50'000, noise.begin(), noise.end());
  std::size_t number = 0;
  for (int level = 0; level <= 9; ++level) {
    for (const int memory_level : {1, 8}) {
      if (!test::test_sample().has(number++)) continue;
      SCOPED_TRACE("level " + std::to_string(level) + ", memory level " + std::to_string(memory_level));
      expect_bytes(zlib_stream(plain, {.level = level, .memory_level = memory_level}), plain);
      if (HasFatalFailure()) return;
    }
  }
  for (const int strategy : {Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED}) {
    if (!test::test_sample().has(number++)) continue;
    SCOPED_TRACE("strategy " + std::to_string(strategy));
    expect_bytes(zlib_stream(plain, {.strategy = strategy}), plain);
    if (HasFatalFailure()) return;
  }
}

TEST_P(MemberPiecesTest, DecodesWhatLibdeflateMakes) {
  const Chunk plain = reference::test::make_text(300'000, 23);
  const Chunk stream = reference::codag::encode_deflate(plain, {.level = 12},
                                                        reference::codag::most_encoded_bytes(plain.size()));
  expect_bytes(stream, plain);
}

TEST_P(MemberPiecesTest, DecodesWithEveryPieceAndBatch) {
  const Chunk plain = reference::test::make_text(250'000, 24);
  const Chunk stream = zlib_stream(plain, {.level = 9});
  std::size_t number = 0;
  for (const stage::Parameter& parameter : stage().description.parameters) {
    for (const std::int64_t value : parameter.values) {
      if (!test::test_sample().has(number++)) continue;
      SCOPED_TRACE(parameter.name + " = " + std::to_string(value));
      stage::ParameterValues parameters = {{"piece_bytes", small_piece_bytes}};
      parameters[parameter.name] = value;
      expect_decodes(frame_of_streams({stream}, plain.size()), plain, parameters, 3);
      if (HasFatalFailure()) return;
    }
  }
}

// Kinds of sections in turns: those that are not found follow such as are.
TEST_P(MemberPiecesTest, DecodesMixedSections) {
  ZlibStream made;
  for (std::uint64_t i = 0; i < 8; ++i) {
    made.add(reference::test::make_text(11'000, 30 + i), 6);
    made.add(reference::test::make_random(5'000, 40 + i), 0);
    made.add(reference::test::make_text(7'000, 50 + i), 6, Z_FIXED);
  }
  made.finish();
  InflateCensus census;
  ASSERT_TRUE(reference::codag::inflate_payload(made.stream(), made.plain().size(), &census).bytes ==
              made.plain());
  for (const std::uint64_t blocks : census.blocks) EXPECT_GT(blocks, 5U);
  expect_bytes(made.stream(), made.plain());
}

// Stored sections that hold streams, whose sections are found and are none of this one's.
TEST_P(MemberPiecesTest, IsNotMisledByStoredStreams) {
  const Chunk inner = zlib_stream(reference::test::make_text(150'000, 25), {});
  ASSERT_GT(inner.size(), 3 * small_piece_bytes);
  ZlibStream made;
  made.add(reference::test::make_text(20'000, 26), 6);
  add_stored(made, inner);
  made.add(reference::test::make_text(60'000, 27), 6);
  made.add(inner, 0);
  made.add(reference::test::make_text(60'000, 18), 6);
  made.finish();
  expect_bytes(made.stream(), made.plain());
}

TEST_P(MemberPiecesTest, CopiesFromTheWholeWindow) {
  for (const std::uint32_t distance : {24577U, 32767U, 32768U}) {
    const FarMatches made = far_matches(33'000, 9'000, distance);
    InflateCensus census;
    const Inflated right = reference::codag::inflate_payload(made.stream(), made.plain().size(), &census);
    ASSERT_EQ(right.status, DeflateStatus::decoded);
    ASSERT_EQ(census.longest_distance, distance);
    expect_bytes(made.stream(), made.plain());
    expect_bytes(made.stream(), made.plain(), {{"batch_bytes", 1 << 18}});
    if (HasFatalFailure()) return;
  }
}

// Bytes that come from the first piece, by a match in each window: there are several groups of pieces, whose
// windows are completed one after the other.
TEST_P(MemberPiecesTest, PassesBytesOnThroughManyWindows) {
  const FarMatches made = far_matches(33'000, 100'000, 32'768, 50);
  ASSERT_GT(made.stream().size(), 66 * small_piece_bytes);
  expect_bytes(made.stream(), made.plain());
}

// In a piece that is not the first one, a match begins before the chunk: by a byte, or by many.
TEST_P(MemberPiecesTest, FindsDistancesThatBeginBeforeTheChunk) {
  for (const std::size_t literals : {26'001U, 32'766U}) {
    const FarMatches made = far_matches(literals, 3'000, 32'768);
    const Inflated right = reference::codag::inflate_payload(made.stream(), 60'000);
    ASSERT_EQ(right.status, DeflateStatus::distance_before_block);
    ASSERT_GT(right.position, 3 * small_piece_bytes);
    expect_as_inflated(made.stream(), 60'000, {{"piece_bytes", small_piece_bytes}}, 1);
    if (HasFatalFailure()) return;
  }
}

// Sections that are longer than pieces, bytes that become a thousand, and what is too large for a batch.
TEST_P(MemberPiecesTest, DecodesPiecesWithoutABeginAndLargeOnes) {
  const Chunk text = reference::test::make_text(200'000, 28);
  expect_bytes(zlib_stream(text, {.memory_level = 9}), text);
  ZlibStream made;
  made.add(text, 6);
  made.add(Chunk(300'000, 7), 6);
  made.add(text, 6);
  made.finish();
  expect_bytes(made.stream(), made.plain());
  expect_bytes(made.stream(), made.plain(), {{"batch_bytes", 1 << 18}});
}

// Several chunks, of which some are one piece, some several, and some raw.
TEST_P(MemberPiecesTest, DecodesChunksOfAnyNumberOfPieces) {
  constexpr std::size_t block_bytes = 70'000;
  Chunk input = reference::test::make_text(block_bytes, 60);
  const Chunk noise = reference::test::make_random(block_bytes, 61);
  const Chunk same(block_bytes, 3);
  const Chunk other = reference::test::make_text(block_bytes, 62);
  for (const Chunk* part : {&noise, &same, &other, &noise, &other, &same}) {
    input.insert(input.end(), part->begin(), part->end());
  }
  input.push_back(5);
  expect_decodes(compress(input, block_bytes, 1), input, {{"piece_bytes", small_piece_bytes}}, 9);
}

// Cuts and changed bits, most of them far from the first piece.
TEST_P(MemberPiecesTest, NamesEachMistakeAsTheOracleDoes) {
  const Chunk plain = reference::test::make_text(90'000, 29);
  const stage::ParameterValues parameters = {{"piece_bytes", small_piece_bytes}};
  const Chunk stream = zlib_stream(plain, {});
  ASSERT_GT(stream.size(), 3 * small_piece_bytes);
  std::vector<Chunk> changed;
  for (const std::size_t size :
       {std::size_t{4097}, std::size_t{8192}, stream.size() / 2, stream.size() - 1}) {
    changed.emplace_back(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size));
  }
  changed.push_back(stream);
  changed.back().push_back(0);
  constexpr std::size_t changes = 40;
  for (std::size_t i = 0; i < changes; ++i) {
    changed.push_back(stream);
    changed.back()[stream.size() * i / changes + i] ^= static_cast<std::uint8_t>(1U << i % 8);
  }
  for (std::size_t number = 0; number < changed.size(); ++number) {
    if (!test::test_sample().has(number)) continue;
    SCOPED_TRACE("change " + std::to_string(number));
    expect_as_inflated(changed[number], plain.size(), parameters, number % 5);
    if (HasFatalFailure()) return;
  }
  // The output is stated to be shorter or longer.
  for (const std::size_t bytes : {plain.size() - 1, plain.size() + 1, plain.size() / 2}) {
    expect_as_inflated(stream, bytes, parameters, 2);
  }
}

}  // namespace
}  // namespace gsst::codag
