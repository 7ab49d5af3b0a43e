#include "reference_cpu/codag/zlib_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/codag/zlib_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::reference::codag {
namespace {

using ZlibBytes = std::vector<std::uint8_t>;

// zlib's own.
ZlibBytes compressed_by_zlib(const ZlibBytes& input, int level) {
  uLongf bytes = compressBound(input.size());
  ZlibBytes file(bytes);
  EXPECT_EQ(compress2(file.data(), &bytes, input.data(), input.size(), level), Z_OK);
  file.resize(bytes);
  return file;
}

void expect_zlib_refused(const ZlibBytes& file, const std::string& said) {
  try {
    decode_file(zlib_codec, file);
    ADD_FAILURE() << "decoded without an error; expected: " << said;
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 0U);
    EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
  }
}

ZlibBytes changed_file(ZlibBytes file, std::size_t byte, std::uint8_t value) {
  file[byte] = value;
  return file;
}

TEST(ZlibFile, DecodesWhatZlibWrites) {
  for (const ZlibBytes& text : {ZlibBytes(), test::make_text(1, 1), test::make_text(70'000, 1),
                                test::make_random(70'000, 2), ZlibBytes(3'000'000, 7)}) {
    for (const int level : {0, 1, 6, 9}) {
      const ZlibBytes file = compressed_by_zlib(text, level);
      EXPECT_TRUE(decode_file(zlib_codec, file) == text);
      const FileListing listing = zlib_codec.list(file);
      EXPECT_EQ(listing.blocks, 1U);
      EXPECT_EQ(listing.uncompressed_bytes, text.size());
      EXPECT_EQ(listing.checksum, "adler32");
    }
  }
}

TEST(ZlibFile, ZlibReadsWhatTheCodecWrites) {
  const ZlibBytes text = test::make_text(10'000, 2);
  for (unsigned level = 0; level <= max_deflate_level; ++level) {
    const ZlibBytes file =
        encode_file(zlib_codec, text, {.block_bytes = 10'000, .options = {{"level", level}}});
    if (level > 0 && level <= max_zlib_level) {
      EXPECT_EQ(ZlibBytes(file.begin(), file.begin() + 2), [&] {
        const ZlibBytes by_zlib = compressed_by_zlib(text, static_cast<int>(level));
        return ZlibBytes(by_zlib.begin(), by_zlib.begin() + 2);
      }());
    }
    ZlibBytes output(text.size() + 1);
    uLongf bytes = output.size();
    ASSERT_EQ(uncompress(output.data(), &bytes, file.data(), file.size()), Z_OK) << "level " << level;
    output.resize(bytes);
    EXPECT_TRUE(output == text);
  }
  EXPECT_THROW(encode_file(zlib_codec, text, {.block_bytes = 9'999}), std::invalid_argument);
  EXPECT_THROW(encode_file(zlib_codec, text, {.block_bytes = 0}), std::invalid_argument);
}

// More than any buffer, both what is read and what is made.
TEST(ZlibFile, FilesAreLargerThanTheBuffers) {
  ZlibBytes bytes(3'000'000, 7);
  const ZlibBytes noise = test::make_random(1'000'000, 4);
  bytes.insert(bytes.end(), noise.begin(), noise.end());
  const ZlibBytes file = compressed_by_zlib(bytes, 1);
  ZlibBytes output;
  const format::StreamTotals totals = decode_zlib(format::reader_of(file), format::writer_to(output), {});
  EXPECT_TRUE(output == bytes);
  EXPECT_EQ(totals.input_bytes, file.size());
  EXPECT_EQ(totals.output_bytes, bytes.size());
  EXPECT_EQ(totals.blocks, 1U);
}

TEST(ZlibFile, DamageIsNamed) {
  const ZlibBytes text = test::make_text(500, 5);
  const ZlibBytes good = compressed_by_zlib(text, 6);
  for (std::size_t byte = good.size() - 4; byte < good.size(); ++byte) {
    expect_zlib_refused(changed_file(good, byte, good[byte] ^ 0x10U),
                        "Adler-32: is not that of the decompressed bytes, at byte " +
                            std::to_string(good.size() - 4) + " of the file");
  }
  ZlibBytes followed = good;
  followed.push_back(0);
  expect_zlib_refused(followed, "stream: is followed by other bytes, at byte " + std::to_string(good.size()) +
                                    " of the file");
  for (std::size_t bytes = 0; bytes < good.size(); ++bytes) {
    expect_zlib_refused(ZlibBytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes)),
                        "is cut short, at byte " + std::to_string(bytes));
  }
  // A block of the type that is reserved.
  expect_zlib_refused(changed_file(good, 2, 7), "stream: has an invalid block type");
}

TEST(ZlibFile, HeadersAreChecked) {
  const ZlibBytes good = compressed_by_zlib(test::make_text(100, 6), 6);
  ZlibBytes file = good;
  const auto with_header = [&](unsigned first, unsigned flags) {
    file[0] = static_cast<std::uint8_t>(first);
    flags -= flags % 32;
    file[1] = static_cast<std::uint8_t>(flags + (31 - (first * 256 + flags) % 31) % 31);
    return file;
  };
  expect_zlib_refused(changed_file(good, 1, good[1] ^ 1U),
                      "FCHECK: is not that of a header of zlib, at byte 1");
  expect_zlib_refused(with_header(0x79, 0x80), "CM: is 9, not 8, at byte 0");
  expect_zlib_refused(with_header(0x88, 0x80), "CINFO: is 8, above 7, at byte 0");
  expect_zlib_refused(with_header(0x78, 0xa0), "FDICT: is set: the stream needs a dictionary");
  // Smaller windows, as zlib writes them for short inputs, and any level.
  EXPECT_FALSE(decode_file(zlib_codec, with_header(0x18, 0xc0)).empty());
}

// zlib itself says so of all bytes that are no header.
TEST(ZlibFile, HeadersAreThoseThatZlibTakes) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      if (!gsst::test::test_sample().has(256 * first + second)) continue;
      const ZlibBytes header = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)};
      z_stream state{};
      ASSERT_EQ(inflateInit(&state), Z_OK);
      ZlibBytes input = header;
      state.next_in = input.data();
      state.avail_in = 2;
      std::uint8_t output = 0;
      state.next_out = &output;
      state.avail_out = 1;
      const bool is_header = ::inflate(&state, Z_NO_FLUSH) == Z_OK && (second & 0x20U) == 0;
      inflateEnd(&state);
      try {
        decode_file(zlib_codec, header);
        ADD_FAILURE();
      } catch (const format::FormatError& error) {
        EXPECT_EQ(error.field() == "stream", is_header) << first << ' ' << second << ": " << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace gsst::reference::codag
