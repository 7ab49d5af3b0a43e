#include "reference_cpu/codag/gzip_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference::codag {
namespace {

using FileBytes = std::vector<std::uint8_t>;

FileBytes joined(const std::vector<FileBytes>& parts) {
  FileBytes bytes;
  for (const FileBytes& part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

// zlib's own, with a name, a time and a checksum of the header.
FileBytes member_with_name(const FileBytes& input) {
  z_stream state{};
  FileBytes member(input.size() + 1000);
  if (deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string name = "name";
  gz_header header{};
  header.name = reinterpret_cast<Bytef*>(name.data());
  header.time = 12345;
  header.hcrc = 1;
  deflateSetHeader(&state, &header);
  state.next_in = const_cast<Bytef*>(input.data());
  state.avail_in = static_cast<uInt>(input.size());
  state.next_out = member.data();
  state.avail_out = static_cast<uInt>(member.size());
  EXPECT_EQ(::deflate(&state, Z_FINISH), Z_STREAM_END);
  member.erase(member.begin() + static_cast<std::ptrdiff_t>(state.total_out), member.end());
  deflateEnd(&state);
  return member;
}

void expect_refused(const FileBytes& file, std::uint64_t member, const std::string& problem) {
  try {
    decode_file(gzip_codec, file);
    ADD_FAILURE() << "decoded without an error; expected: " << problem;
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), member);
    EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
  }
}

TEST(GzipFile, SeveralAndEmptyMembersAreOneOutput) {
  const FileBytes text = test::make_text(5000, 1);
  const FileBytes empty = encode_gzip_member({}, {});
  const FileBytes file = joined({empty, encode_gzip_member(text, {.level = 9}), empty, member_with_name(text),
                                 encode_gzip_member(text, {.level = 12}), empty});
  EXPECT_TRUE(decode_file(gzip_codec, file) == joined({text, text, text}));
  const FileListing listing = gzip_codec.list(file);
  EXPECT_EQ(listing.blocks, 6U);
  EXPECT_EQ(listing.block_bytes, text.size());
  EXPECT_EQ(listing.uncompressed_bytes, 3 * text.size());
  EXPECT_TRUE(decode_file(gzip_codec, empty).empty());
}

TEST(GzipFile, ZlibReadsWhatTheCodecWrites) {
  const FileBytes text = test::make_text(10'000, 2);
  for (unsigned level = 0; level <= max_deflate_level; ++level) {
    const FileBytes file =
        encode_file(gzip_codec, text, {.block_bytes = 10'000, .options = {{"level", level}}});
    z_stream state{};
    ASSERT_EQ(inflateInit2(&state, 15 + 16), Z_OK);
    FileBytes output(text.size() + 1);
    state.next_in = const_cast<Bytef*>(file.data());
    state.avail_in = static_cast<uInt>(file.size());
    state.next_out = output.data();
    state.avail_out = static_cast<uInt>(output.size());
    EXPECT_EQ(::inflate(&state, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(state.avail_in, 0U);
    output.pop_back();
    EXPECT_TRUE(output == text);
    inflateEnd(&state);
  }
}

// Also of bytes that Deflate makes longer.
TEST(GzipFile, MembersOfBgzfSayTheirSizes) {
  for (const FileBytes& text : {test::make_text(150'000, 4), test::make_random(150'000, 5), FileBytes()}) {
    for (const std::uint64_t level : {0U, 1U, 9U, 12U}) {
      const FileBytes file = encode_file(
          gzip_codec, text, {.block_bytes = max_bgzf_bytes, .options = {{"members", 1}, {"level", level}}});
      std::size_t place = 0;
      std::size_t members = 0;
      while (place < file.size()) {
        EXPECT_EQ(FileBytes(file.begin() + static_cast<std::ptrdiff_t>(place),
                            file.begin() + static_cast<std::ptrdiff_t>(place) + 16),
                  FileBytes(bgzf_end.begin(), bgzf_end.begin() + 16));
        place += std::size_t{1} + file[place + 16] + 256 * file[place + 17];
        ++members;
      }
      EXPECT_EQ(place, file.size());
      EXPECT_EQ(members, text.empty() ? 1 : 4);
      EXPECT_TRUE(std::equal(bgzf_end.begin(), bgzf_end.end(), file.end() - bgzf_end.size()));
      EXPECT_TRUE(decode_file(gzip_codec, file) == text);
    }
  }
  EXPECT_THROW(encode_file(gzip_codec, {}, {.block_bytes = max_bgzf_bytes + 1, .options = {{"members", 1}}}),
               std::invalid_argument);
}

// In pieces of any size, so that members and their headers are cut everywhere.
TEST(GzipFile, InputComesInPieces) {
  const FileBytes text = test::make_text(3000, 3);
  const FileBytes file = joined({member_with_name(text), encode_gzip_member(text, {})});
  for (const std::size_t piece : {1U, 7U, 100U}) {
    std::size_t place = 0;
    FileBytes output;
    const format::StreamTotals totals = decode_gzip(
        [&](std::span<std::uint8_t> buffer) {
          const std::size_t count = std::min({piece, buffer.size(), file.size() - place});
          std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(place), count, buffer.begin());
          place += count;
          return count;
        },
        format::writer_to(output), {}, {});
    EXPECT_TRUE(output == joined({text, text}));
    EXPECT_EQ(totals.input_bytes, file.size());
    EXPECT_EQ(totals.blocks, 2U);
  }
}

// More than any buffer, most of it in few bytes.
TEST(GzipFile, OutputIsLargerThanTheBuffers) {
  FileBytes bytes(3'000'000, 7);
  const FileBytes noise = test::make_random(1'000'000, 4);
  bytes.insert(bytes.end(), noise.begin(), noise.end());
  EXPECT_TRUE(decode_file(gzip_codec, encode_gzip_member(bytes, {.level = 1})) == bytes);
}

TEST(GzipFile, DamageIsNamedWithItsMember) {
  const FileBytes text = test::make_text(500, 5);
  const FileBytes good = encode_gzip_member(text, {});
  const std::size_t crc = good.size() - 8;
  const std::size_t size = good.size() - 4;
  const auto changed = [&](std::size_t place, std::uint8_t bits = 1) {
    FileBytes second = good;
    second[place] ^= bits;
    return joined({good, second});
  };
  expect_refused(changed(0), 1, "incorrect header check, at byte");
  expect_refused(changed(2), 1, "unknown compression method");
  expect_refused(changed(3, 0x80), 1, "unknown header flags");
  expect_refused(changed(crc), 1, "incorrect data check, at byte");
  expect_refused(changed(size), 1, "incorrect length check, at byte " + std::to_string(2 * good.size()));
  expect_refused(joined({good, {0, 0, 0, 9}}), 1, "is followed by other bytes");
  expect_refused({}, 0, "is cut short, at byte 0 of the file");
  EXPECT_TRUE(decode_file(gzip_codec, joined({good, {0, 0, 0}})) == text);
  for (std::size_t bytes = 1; bytes < good.size(); ++bytes) {
    expect_refused(FileBytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes)), 0,
                   "is cut short");
  }
}

}  // namespace
}  // namespace gsst::reference::codag
