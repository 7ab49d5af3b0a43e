#include "experiments/peers_on_zlib/zlib_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "common/format/stream.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"

namespace gsst::experiments {
namespace {

using Streams = std::vector<std::vector<std::uint8_t>>;

// Of 25,000 bytes: as zlib's levels differ in what they find in them.
std::vector<std::uint8_t> text_for_zlib() {
  std::vector<std::uint8_t> text(25'000);
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = static_cast<std::uint8_t>((i * i >> 3) % 7 + i / 100 % 5);
  }
  return text;
}

std::size_t bytes_of_all(const Streams& streams) {
  std::size_t bytes = 0;
  for (const auto& stream : streams) bytes += stream.size();
  return bytes;
}

TEST(ZlibStreams, AreMembersOfAFileOfGzip) {
  const std::vector<std::uint8_t> text = text_for_zlib();
  const Streams streams = zlib_streams(text, 10'000, 6, ZlibContainer::gzip);
  ASSERT_EQ(streams.size(), 3U);
  std::vector<std::uint8_t> file;
  for (const auto& stream : streams) file.insert(file.end(), stream.begin(), stream.end());
  std::vector<std::uint8_t> decoded;
  const format::StreamTotals totals =
      reference::codag::gzip_codec.decode(format::reader_of(file), format::writer_to(decoded), 1, {});
  EXPECT_EQ(decoded, text);
  EXPECT_EQ(totals.blocks, 3U);
}

TEST(ZlibStreams, AreRawWithoutAContainer) {
  const std::vector<std::uint8_t> text = text_for_zlib();
  const Streams raw = zlib_streams(text, 10'000, 9, ZlibContainer::none);
  const Streams members = zlib_streams(text, 10'000, 9, ZlibContainer::gzip);
  ASSERT_EQ(raw.size(), members.size());
  constexpr std::size_t header_and_trailer_bytes = 18;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    ASSERT_EQ(members[i].size(), raw[i].size() + header_and_trailer_bytes);
    EXPECT_TRUE(std::equal(raw[i].begin(), raw[i].end(), members[i].begin() + 10));
  }
}

TEST(ZlibStreams, AreOfTheLevel) {
  const std::vector<std::uint8_t> text = text_for_zlib();
  const auto bytes = [&](unsigned level) {
    return bytes_of_all(zlib_streams(text, 65'536, level, ZlibContainer::none));
  };
  EXPECT_GT(bytes(0), text.size());
  EXPECT_LT(bytes(9), bytes(1));
  EXPECT_THROW(bytes(10), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::experiments
