#include "common/format/payload_rules.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/payload_checker.hpp"
#include "common/frame/test_frames.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Formats, AreFoundByIdAndByName) {
  std::set<std::string_view> names;
  for (const Format& format : registered_formats()) {
    SCOPED_TRACE(std::string(format.name));
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_EQ(find_format(format.id)->name, format.name);
    EXPECT_EQ(block_format_from_name(format.name), format.id);
    EXPECT_EQ(block_format_name(format.id), format.name);
    if (format.rules != nullptr) {
      EXPECT_EQ(&rules_of(format.id), format.rules);
    }
  }
  EXPECT_EQ(block_format_from_name("zip"), std::nullopt);
  EXPECT_EQ(block_format_name(BlockFormat{65535}), "unknown");
  EXPECT_THROW(rules_of(BlockFormat{65535}), std::invalid_argument);
  EXPECT_THROW(rules_of(BlockFormat::fsst), std::invalid_argument);
}

TEST(Formats, StandByRisingId) {
  const std::vector<Format> formats = registered_formats();
  for (std::size_t i = 1; i < formats.size(); ++i) EXPECT_LT(formats[i - 1].id, formats[i].id);
}

TEST(PayloadRules, PaddingKeepsTheNextPayloadAligned) {
  for (const std::uint32_t alignment : {1U, 2U, 8U, 16U, 64U}) {
    for (std::uint64_t bytes = 0; bytes < 200; ++bytes) {
      const std::uint64_t padded = padded_payload_bytes(bytes, alignment);
      EXPECT_GE(padded, bytes);
      EXPECT_LT(padded, bytes + alignment);
      EXPECT_EQ((record_header_bytes + padded) % alignment, 0);
    }
  }
  for (std::uint64_t bytes = 0; bytes < 200; ++bytes) {
    EXPECT_EQ(padded_payload_bytes(bytes, tiles_alignment), padded_tiles_payload_bytes(bytes));
  }
  EXPECT_EQ((frame_header_bytes + record_header_bytes) % 64, 0);
}

TEST(PayloadChecker, ChecksRawPayloadsOfEachFormat) {
  for (const Format& format : registered_formats()) {
    if (format.rules == nullptr) continue;
    SCOPED_TRACE(std::string(format.name));
    const FrameHeader header{.format = format.id, .block_size = 5, .split_count = 1};
    Bytes payload(raw_payload_bytes(format.id, 5));
    const BlockRecord record{.layout = BlockLayout::raw,
                             .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                             .uncompressed_bytes = 5,
                             .checksum = 0};
    EXPECT_EQ(PayloadChecker(header).check_next(payload, record).part, nullptr);
    if (payload.size() > 5) {
      payload.back() = 1;
      expect_format_error(0, "padding", [&] { PayloadChecker(header).check_next(payload, record); });
    }
    payload.push_back(0);
    expect_format_error(0, "raw block size", [&] { PayloadChecker(header).check_next(payload, record); });
  }
}

TEST(PayloadChecker, CountsTheBlocks) {
  const FrameHeader header{.format = BlockFormat::blocks, .block_size = 5, .split_count = 1};
  const BlockRecord record{
      .layout = BlockLayout::raw, .payload_bytes = 5, .uncompressed_bytes = 5, .checksum = 0};
  PayloadChecker payloads(header);
  payloads.check_next(Bytes(5), record);
  expect_format_error(1, "raw block size", [&] { payloads.check_next(Bytes(6), record); });
}

TEST(PayloadRules, SayWhatAStatusMeans) {
  const PayloadRules& tiles = rules_of(BlockFormat::tiles);
  const StatusText strip = tiles.describe(strip_status(BlockStatus::output_too_long, 7));
  EXPECT_EQ(strip.field, "codes of strip 7");
  EXPECT_EQ(strip.problem, "decode to more bytes than stated");
  const StatusText codes =
      rules_of(BlockFormat::splits).describe(static_cast<std::uint32_t>(BlockStatus::escape_at_end));
  EXPECT_EQ(codes.field, "codes");
  EXPECT_EQ(codes.problem, "the last code is an escape with no byte after it");
  EXPECT_EQ(tiles.describe(static_cast<std::uint32_t>(BlockStatus::wrong_checksum)).field, "checksum");
}

}  // namespace
}  // namespace gsst::format
