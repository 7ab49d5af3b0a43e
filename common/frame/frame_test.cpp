#include "common/frame/frame.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/test_frames.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t header_checksum_offset = 32;

const std::vector<Bytes> two_blocks = {Bytes(8, 'a'), Bytes(5, 'b')};

void repair_header_checksum(Bytes& frame) {
  store_little_endian<8>(frame.data() + header_checksum_offset,
                         checksum(std::span(frame).first(header_checksum_offset)));
}

// Where the parts of a frame of two_blocks stand.
constexpr std::size_t first_record = frame_header_bytes;
constexpr std::size_t second_record = first_record + record_header_bytes + 8;
constexpr std::size_t index_record = second_record + record_header_bytes + 5;
constexpr std::size_t index_payload = index_record + record_header_bytes;
constexpr std::size_t index_payload_bytes = 2 * index_entry_bytes + index_totals_bytes;
constexpr std::size_t trailer = index_payload + index_payload_bytes;

void repair_index_checksum(Bytes& frame) {
  store_little_endian<8>(frame.data() + index_record + 16,
                         checksum(std::span(frame).subspan(index_payload, index_payload_bytes)));
}

void expect_header_rejected(const std::string& field, const std::function<void(Bytes&)>& damage) {
  Bytes frame = raw_frame(two_blocks);
  damage(frame);
  repair_header_checksum(frame);
  expect_format_error(std::nullopt, field, [&] { parse_frame_header(frame); });
  expect_format_error(std::nullopt, field, [&] { parse_frame(frame); });
}

void expect_index_rejected(std::optional<std::uint64_t> block, const std::string& field,
                           const std::function<void(Bytes&)>& damage) {
  Bytes frame = raw_frame(two_blocks);
  damage(frame);
  repair_index_checksum(frame);
  expect_format_error(block, field, [&] { parse_frame(frame); });
}

TEST(FrameHeader, BuiltHeaderParsesBack) {
  for (const FrameHeader& header : {
           sample_header,
           FrameHeader{.format = BlockFormat::blocks, .block_size = 1, .split_count = 1},
           FrameHeader{.format = BlockFormat::blocks, .block_size = max_block_bytes, .split_count = 1},
           FrameHeader{.format = BlockFormat::splits,
           .block_size = 5,
           .split_count = 1,
           .checksum_kind = ChecksumKind::xxh64_tree},
           FrameHeader{.format = BlockFormat::splits, .block_size = 5, .split_count = 1},
           FrameHeader{
               .format = BlockFormat::coalesced, .block_size = 4193270, .split_count = max_split_count},
       }) {
    const auto bytes = build_frame_header(header);
    EXPECT_EQ(parse_frame_header(bytes), header);
    EXPECT_TRUE(starts_with_frame_magic(bytes));
  }
}

TEST(FrameHeader, RejectsEveryTruncation) {
  const Bytes frame = raw_frame(two_blocks);
  for (std::size_t size = 0; size < frame_header_bytes; ++size) {
    const auto cut = std::span(frame).first(size);
    expect_format_error(std::nullopt, "frame header", [&] { parse_frame_header(cut); });
    EXPECT_EQ(starts_with_frame_magic(cut), size >= frame_magic.size());
  }
}

TEST(FrameHeader, RejectsEveryFlippedBit) {
  const auto good = build_frame_header(sample_header);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    auto bytes = good;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
    const char* field = bit / 8 < 8 ? "magic" : bit / 8 == 8 ? "frame version" : "frame header checksum";
    expect_format_error(std::nullopt, field, [&] { parse_frame_header(bytes); });
  }
}

TEST(FrameHeader, RejectsFieldsOutOfRangeUnderARightChecksum) {
  expect_header_rejected("frame version", [](Bytes& frame) { frame[8] = 2; });
  for (unsigned bit = 0; bit < 8; ++bit) {
    expect_header_rejected("flags", [&](Bytes& frame) { frame[9] = static_cast<std::uint8_t>(1u << bit); });
  }
  for (const std::uint64_t id : {0u, 5u, 0x0101u, 0xffffu}) {
    expect_header_rejected("format id", [&](Bytes& frame) { store_little_endian<2>(frame.data() + 10, id); });
  }
  for (const std::uint8_t kind : {std::uint8_t{0}, std::uint8_t{3}, std::uint8_t{255}}) {
    expect_header_rejected("checksum kind", [&](Bytes& frame) { frame[12] = kind; });
  }
  for (const std::size_t reserved : {13u, 14u, 15u, 28u, 29u, 30u, 31u}) {
    expect_header_rejected("frame header", [&](Bytes& frame) { frame[reserved] = 1; });
  }
  for (const std::uint64_t size : {std::uint64_t{0}, max_block_bytes + 1, ~std::uint64_t{0}}) {
    expect_header_rejected("block size",
                           [&](Bytes& frame) { store_little_endian<8>(frame.data() + 16, size); });
  }
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{max_split_count} + 1, ~std::uint64_t{0}}) {
    expect_header_rejected("splits per block",
                           [&](Bytes& frame) { store_little_endian<4>(frame.data() + 24, count); });
  }
  expect_header_rejected("splits per block", [](Bytes& frame) { frame[10] = 1; });
}

TEST(Frame, BuiltFrameParsesBack) {
  const Bytes frame = raw_frame(two_blocks);
  ASSERT_EQ(frame.size(), trailer + frame_trailer_bytes);
  const FrameView view = parse_frame(frame);
  EXPECT_EQ(view.header, sample_header);
  ASSERT_EQ(view.index.entries.size(), 2u);
  EXPECT_EQ(view.index.uncompressed_bytes, 13u);
  EXPECT_EQ(view.index.entries[1].payload_offset, second_record + record_header_bytes);
  EXPECT_EQ(view.index.entries[1].uncompressed_offset, 8u);
  for (std::size_t block = 0; block < 2; ++block) {
    const auto payload = view.payload(block);
    EXPECT_EQ(Bytes(payload.begin(), payload.end()), two_blocks[block]);
    EXPECT_EQ(parse_block(view, block).codes.data(), payload.data());
  }
}

TEST(Frame, EmptyInputIsAnIndexOfNoBlocks) {
  const Bytes frame = raw_frame({});
  EXPECT_EQ(frame.size(), 40u + 24 + 16 + 24);
  const FrameView view = parse_frame(frame);
  EXPECT_TRUE(view.index.entries.empty());
  EXPECT_EQ(view.index.uncompressed_bytes, 0u);
}

TEST(Frame, RejectsEveryTruncation) {
  const Bytes frame = raw_frame(two_blocks);
  for (std::size_t size = 0; size < frame.size(); ++size) {
    SCOPED_TRACE(size);
    const char* field = size < 40 ? "frame header" : size < 40 + 24 + 16 + 24 ? "frame" : "trailer magic";
    expect_format_error(std::nullopt, field, [&] { parse_frame(std::span(frame).first(size)); });
  }
}

TEST(Frame, RejectsEveryFlippedBitOutsideThePayloads) {
  const Bytes good = raw_frame(two_blocks);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    const std::size_t byte = bit / 8;
    const bool in_first = byte >= first_record + record_header_bytes && byte < second_record;
    const bool in_second = byte >= second_record + record_header_bytes && byte < index_record;
    Bytes frame = good;
    frame[byte] = static_cast<std::uint8_t>(frame[byte] ^ 1u << bit % 8);
    if (in_first || in_second) {
      EXPECT_NO_THROW(parse_frame(frame)) << "bit " << bit;
    } else {
      EXPECT_THROW(parse_frame(frame), FormatError) << "bit " << bit;
    }
  }
}

TEST(Frame, RejectsBytesAfterTheTrailer) {
  Bytes frame = raw_frame(two_blocks);
  frame.push_back(0);
  expect_format_error(std::nullopt, "trailer magic", [&] { parse_frame(frame); });
  frame.pop_back();
  const Bytes copy = frame;
  append(frame, copy);
  expect_format_error(std::nullopt, "trailer frame bytes", [&] { parse_frame(frame); });
}

TEST(Frame, RejectsTrailerThatStatesOtherSizes) {
  Bytes frame = raw_frame(two_blocks);
  store_little_endian<8>(frame.data() + trailer, frame.size() - 1);
  expect_format_error(std::nullopt, "trailer frame bytes", [&] { parse_frame(frame); });
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{23}, std::uint64_t{1} << 63,
                                   ~std::uint64_t{0}, std::uint64_t{trailer - frame_header_bytes + 1}}) {
    frame = raw_frame(two_blocks);
    store_little_endian<8>(frame.data() + trailer + 8, size);
    expect_format_error(std::nullopt, "trailer index bytes", [&] { parse_frame(frame); });
  }
  frame = raw_frame(two_blocks);
  store_little_endian<8>(frame.data() + trailer + 8, trailer - frame_header_bytes);
  expect_format_error(std::nullopt, "index record kind", [&] { parse_frame(frame); });
}

TEST(Frame, TrailerIsCheckedAgainstWhatAReaderInOnePassMet) {
  const Bytes frame = raw_frame(two_blocks);
  const auto bytes = std::span(frame).subspan(trailer);
  const std::uint64_t index_bytes = record_header_bytes + index_payload_bytes;
  EXPECT_NO_THROW(check_trailer(bytes, frame.size(), index_bytes));
  expect_format_error(std::nullopt, "trailer frame bytes",
                      [&] { check_trailer(bytes, frame.size() + 1, index_bytes); });
  expect_format_error(std::nullopt, "trailer index bytes",
                      [&] { check_trailer(bytes, frame.size(), index_bytes + 40); });
  for (std::size_t size = 0; size < frame_trailer_bytes; ++size) {
    expect_format_error(std::nullopt, "trailer",
                        [&] { check_trailer(bytes.first(size), frame.size(), index_bytes); });
  }
}

TEST(Index, RejectsEntriesThatAreNotTheBlocksInOrder) {
  constexpr std::size_t first = index_payload;
  constexpr std::size_t second = index_payload + index_entry_bytes;
  const auto add = [](std::size_t offset, int change) {
    return [=](Bytes& frame) { frame[offset] = static_cast<std::uint8_t>(frame[offset] + change); };
  };
  for (const int change : {-1, 1}) {
    expect_index_rejected(0, "index entry payload offset", add(first, change));
    expect_index_rejected(1, "index entry payload offset", add(second, change));
    expect_index_rejected(1, "index entry payload offset", add(first + 16 + 8, change));
    expect_index_rejected(1, "index entry uncompressed offset", add(second + 8, change));
    expect_index_rejected(std::nullopt, "index uncompressed bytes", add(second + 16 + 12, change));
    expect_index_rejected(std::nullopt, "index block count", add(second + 40, change));
    expect_index_rejected(std::nullopt, "index uncompressed bytes", add(second + 48, change));
    expect_index_rejected(1, "index entry", add(second + 16 + 16, change));
  }
  expect_index_rejected(0, "index entry record kind", add(first + 16, 1));
  expect_index_rejected(1, "layout", add(second + 17, 3));
  expect_index_rejected(1, "index entry", add(second + 17, 1));
  expect_index_rejected(1, "record header", add(second + 16 + 7, 1));
  expect_index_rejected(0, "index entry uncompressed bytes", add(first + 16 + 12, -1));
  expect_index_rejected(0, "uncompressed bytes", add(first + 16 + 12, 1));
  expect_index_rejected(1, "uncompressed bytes", add(second + 16 + 12, -5));
}

TEST(Index, RejectsBlockThatEndsBehindTheStartOfTheIndex) {
  // The last payload one byte longer, in its record and its entry.
  expect_index_rejected(1, "index entry payload offset", [](Bytes& frame) {
    ++frame[second_record + 8];
    ++frame[index_payload + index_entry_bytes + 16 + 8];
  });
}

TEST(Index, RejectsBytesBetweenTheLastBlockAndTheIndex) {
  expect_index_rejected(std::nullopt, "index end of blocks", [](Bytes& frame) {
    --frame[second_record + 8];
    --frame[index_payload + index_entry_bytes + 16 + 8];
  });
}

TEST(Index, RejectsFieldsOfItsRecord) {
  const auto expect_rejected = [](const char* field, std::size_t offset, std::uint8_t value) {
    Bytes frame = raw_frame(two_blocks);
    frame[index_record + offset] = value;
    expect_format_error(std::nullopt, field, [&] { parse_frame(frame); });
  };
  expect_rejected("index record kind", 0, 1);
  expect_rejected("index record kind", 0, 0);
  expect_rejected("index record layout", 1, 1);
  for (std::size_t reserved = 2; reserved < 8; ++reserved) expect_rejected("record header", reserved, 1);
  expect_rejected("index size", 8, index_payload_bytes - 1);
  expect_rejected("index size", 8, index_payload_bytes - index_entry_bytes);
  expect_rejected("index size", 11, 0xff);
  expect_rejected("index record uncompressed bytes", 12, 1);
  expect_rejected("index checksum", 16, 0);
}

TEST(Index, RejectsSizesThatAreNotEntriesAndTotals) {
  const Bytes payload(3 * index_entry_bytes);
  for (std::size_t size = 0; size < payload.size(); ++size) {
    if (size >= index_totals_bytes && (size - index_totals_bytes) % index_entry_bytes == 0) continue;
    const auto cut = std::span(payload).first(size);
    const RecordHeader record{.kind = RecordKind::index,
                              .fields = {.layout = BlockLayout::raw,
                                         .payload_bytes = static_cast<std::uint32_t>(size),
                                         .uncompressed_bytes = 0,
                                         .checksum = checksum(cut)}};
    expect_format_error(std::nullopt, "index size", [&] { parse_index(cut, record, sample_header); });
  }
}

TEST(RecordHeader, BuiltRecordParsesBack) {
  const BlockRecord record{.layout = BlockLayout::wide,
                           .payload_bytes = 40,
                           .uncompressed_bytes = 8,
                           .checksum = 0x0123456789abcdef};
  const RecordHeader parsed = parse_record_header(build_block_record(record), sample_header, 9);
  EXPECT_EQ(parsed.kind, RecordKind::block);
  EXPECT_EQ(parsed.fields, record);
}

TEST(RecordHeader, RejectsEveryTruncation) {
  const auto bytes = build_block_record(
      {.layout = BlockLayout::raw, .payload_bytes = 8, .uncompressed_bytes = 8, .checksum = 0});
  for (std::size_t size = 0; size < record_header_bytes; ++size) {
    expect_format_error(9, "record header",
                        [&] { parse_record_header(std::span(bytes).first(size), sample_header, 9); });
  }
}

TEST(RecordHeader, RejectsFieldsOutOfRange) {
  const auto expect_rejected = [](const char* field, const std::function<void(std::uint8_t*)>& damage) {
    auto bytes = build_block_record(
        {.layout = BlockLayout::narrow, .payload_bytes = 30, .uncompressed_bytes = 8, .checksum = 1});
    damage(bytes.data());
    expect_format_error(9, field, [&] { parse_record_header(bytes, sample_header, 9); });
  };
  expect_rejected("record kind", [](std::uint8_t* bytes) { bytes[0] = 0; });
  expect_rejected("record kind", [](std::uint8_t* bytes) { bytes[0] = 3; });
  expect_rejected("layout", [](std::uint8_t* bytes) { bytes[1] = 3; });
  for (std::size_t reserved = 2; reserved < 8; ++reserved) {
    expect_rejected("record header", [&](std::uint8_t* bytes) { bytes[reserved] = 0x80; });
  }
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{0xffffffff}}) {
    expect_rejected("uncompressed bytes",
                    [&](std::uint8_t* bytes) { store_little_endian<4>(bytes + 12, size); });
  }
  for (const std::uint64_t size : {max_payload_bytes(sample_header, 8) + 1, std::uint64_t{0xffffffff}}) {
    expect_rejected("payload bytes", [&](std::uint8_t* bytes) { store_little_endian<4>(bytes + 8, size); });
  }
}

TEST(RecordHeader, AcceptsTheLargestPayload) {
  EXPECT_EQ(max_payload_bytes(sample_header, 8), 12u + 4 * 3 + 2057 + 2 * 8);
  const auto bytes =
      build_block_record({.layout = BlockLayout::wide,
                          .payload_bytes = static_cast<std::uint32_t>(max_payload_bytes(sample_header, 8)),
                          .uncompressed_bytes = 8,
                          .checksum = 1});
  EXPECT_NO_THROW(parse_record_header(bytes, sample_header, 0));
}

TEST(RecordHeader, RejectsOneBlockTooMany) {
  const auto bytes = build_block_record(
      {.layout = BlockLayout::raw, .payload_bytes = 8, .uncompressed_bytes = 8, .checksum = 0});
  EXPECT_NO_THROW(parse_record_header(bytes, sample_header, max_block_count - 1));
  expect_format_error(max_block_count, "record kind",
                      [&] { parse_record_header(bytes, sample_header, max_block_count); });
}

}  // namespace
}  // namespace gsst::format
