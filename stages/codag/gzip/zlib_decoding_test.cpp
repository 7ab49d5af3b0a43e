#include "stages/codag/gzip/zlib_decoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/codag/deflate.hpp"
#include "common/format/error.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codag/zlib_file.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/gzip/deflate_size.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"

// What the executor makes of a file of zlib is what zlib makes of it.
namespace gsst::codag::gzip {
namespace {

using ZlibFileBytes = std::vector<std::uint8_t>;

constexpr std::uint64_t memory_for_zlib = std::uint64_t{1} << 30;

struct DecodedZlib {
  ZlibFileBytes bytes;
  chunk_files::ChunkTotals totals;
};

DecodedZlib decode_zlib_on(stage::Executor executor, const ZlibFileBytes& file, std::uint64_t memory_bytes) {
  const chunk_files::ChunkRequest request = {
      .stage = stage::default_stage(format::codag::deflate_format, stage::Operation::decode, executor),
      .executor = executor,
      .memory_bytes = memory_bytes};
  DecodedZlib decoded;
  decoded.totals = decode_zlib_file(file, request, format::writer_to(decoded.bytes), {});
  return decoded;
}

// Bytes and who has decoded them, or what the file is refused for.
std::string zlib_result_on(stage::Executor executor, const ZlibFileBytes& file, std::uint64_t memory_bytes) {
  try {
    const DecodedZlib decoded = decode_zlib_on(executor, file, memory_bytes);
    return std::string(decoded.bytes.begin(), decoded.bytes.end()) +
           std::to_string(decoded.totals.blocks_of_stage);
  } catch (const format::FormatError& error) {
    return error.what();
  }
}

// Where there is a GPU, it does the same.
DecodedZlib decode_zlib_on_simt(const ZlibFileBytes& file, std::uint64_t memory_bytes = memory_for_zlib) {
  if (stage::is_available(stage::Executor::gpu)) {
    EXPECT_TRUE(zlib_result_on(stage::Executor::gpu, file, memory_bytes) ==
                zlib_result_on(stage::Executor::simt, file, memory_bytes));
  }
  return decode_zlib_on(stage::Executor::simt, file, memory_bytes);
}

std::string refusal_of_zlib(const ZlibFileBytes& file) {
  try {
    decode_zlib_on_simt(file);
    ADD_FAILURE() << "decoded without an error";
    return "";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 0U);
    return error.what();
  }
}

void expect_zlib_refusal(const ZlibFileBytes& file, const std::string& said) {
  const std::string message = refusal_of_zlib(file);
  EXPECT_NE(message.find(said), std::string::npos) << message;
}

// All kinds of sections, with no bytes, with matches of each kind, and of several pieces of the Adler-32.
TEST(ZlibOnDevice, AStageDecodesWhatZlibAndLibdeflateWrite) {
  for (const ZlibFileBytes& text :
       {ZlibFileBytes(), reference::test::make_text(1, 1), reference::test::make_text(70'001, 2),
        reference::test::make_random(40'000, 3), ZlibFileBytes(200'000, 0xff)}) {
    for (const unsigned level : {0U, 1U, 9U, 12U}) {
      const ZlibFileBytes file = reference::codag::encode_zlib(text, {.level = level});
      const DecodedZlib decoded = decode_zlib_on_simt(file);
      EXPECT_TRUE(decoded.bytes == text) << text.size() << " bytes, level " << level;
      EXPECT_EQ(decoded.totals.blocks_of_stage, 1U) << decoded.totals.how;
      EXPECT_EQ(decoded.totals.stream.blocks, 1U);
      EXPECT_EQ(decoded.totals.stream.input_bytes, file.size());
      EXPECT_EQ(decoded.totals.stream.output_bytes, text.size());
      EXPECT_NE(decoded.totals.how.find("Adler-32 checked on simt, "), std::string::npos);
    }
    const ZlibFileBytes fixed = reference::codag::encode_zlib(text, {.level = 6, .strategy = 4});
    EXPECT_TRUE(decode_zlib_on_simt(fixed).bytes == text);
  }
}

TEST(ZlibOnDevice, ALargeStreamIsDecodedInPieces) {
  const ZlibFileBytes text = reference::test::make_text(2'500'000, 5);
  ZlibFileBytes file = reference::codag::encode_zlib(text, {.level = 6});
  ASSERT_GT(file.size(), large_member_bytes);
  const DecodedZlib decoded = decode_zlib_on_simt(file);
  EXPECT_TRUE(decoded.bytes == text);
  EXPECT_NE(decoded.totals.how.find("in pieces by codag/10_one_member"), std::string::npos)
      << decoded.totals.how;
  file.back() ^= 1;
  expect_zlib_refusal(file, "Adler-32");
}

TEST(ZlibOnDevice, TheSizeOfAStreamIsCounted) {
  const ZlibFileBytes text = reference::test::make_text(5000, 4);
  const ZlibFileBytes stream = reference::codag::encode_deflate(text, {.level = 6}, 10'000);
  const DeflateSize size = size_of_deflate(stage::Executor::simt, stream, format::max_block_bytes);
  EXPECT_EQ(size.output_bytes, text.size());
  EXPECT_EQ(size.status, 0U);
  EXPECT_EQ(size_of_deflate(stage::Executor::simt, stream, 5000).status, 0U);
  EXPECT_EQ(format::codag::deflate_status_of(size_of_deflate(stage::Executor::simt, stream, 4999).status),
            format::codag::DeflateStatus::output_too_long);
}

TEST(ZlibOnDevice, ZlibDecodesWhatNeedsMoreMemory) {
  const ZlibFileBytes text = reference::test::make_text(30'000, 5);
  const ZlibFileBytes file = reference::codag::encode_zlib(text, {.level = 6});
  // Too few for the stream, and for what it decodes to.
  for (const std::uint64_t memory_bytes : {std::uint64_t{1000}, std::uint64_t{30'000}}) {
    const DecodedZlib decoded = decode_zlib_on_simt(file, memory_bytes);
    EXPECT_TRUE(decoded.bytes == text);
    EXPECT_EQ(decoded.totals.blocks_of_stage, 0U);
    EXPECT_EQ(decoded.totals.stream.blocks, 1U);
    EXPECT_EQ(decoded.totals.how, "decoded by zlib, since it needs more memory than is allowed, ");
    EXPECT_EQ(decoded.totals.numbers.front().second, 1U);
  }
}

// Stages take payloads up to a size that follows from that of their output.
TEST(ZlibOnDevice, ZlibDecodesAStreamOfEmptySections) {
  ZlibFileBytes file = {0x78, 0x9c};
  for (int i = 0; i < 300; ++i) file.insert(file.end(), {0, 0, 0, 0xff, 0xff});
  file.insert(file.end(), {1, 0, 0, 0xff, 0xff, 0, 0, 0, 1});
  const DecodedZlib decoded = decode_zlib_on_simt(file);
  EXPECT_TRUE(decoded.bytes.empty());
  EXPECT_EQ(decoded.totals.blocks_of_stage, 0U) << decoded.totals.how;
}

TEST(ZlibOnDevice, DamageIsNamed) {
  const ZlibFileBytes text = reference::test::make_text(2000, 7);
  const ZlibFileBytes good = reference::codag::encode_zlib(text, {.level = 6});
  for (std::size_t byte = good.size() - 4; byte < good.size(); ++byte) {
    ZlibFileBytes file = good;
    file[byte] ^= 4;
    expect_zlib_refusal(file, "Adler-32: is not that of the decompressed bytes, at byte " +
                                  std::to_string(good.size() - 4) + " of the file");
  }
  ZlibFileBytes file = good;
  file[1] ^= 1;
  expect_zlib_refusal(file, "FCHECK: is not that of a header of zlib");
  file = good;
  file[1] = 0xbb;
  expect_zlib_refusal(file, "FDICT: is set: the stream needs a dictionary");
  file = good;
  file[2] = 7;
  expect_zlib_refusal(file, "block type: is 3, which is reserved");
  file = good;
  file.insert(file.end(), good.begin(), good.end());
  expect_zlib_refusal(file, "stream: is followed by other bytes");
  file = good;
  file.push_back(0);
  expect_zlib_refusal(file, "stream: is followed by other bytes");
}

TEST(ZlibOnDevice, FilesCutAtEveryByteAreRefused) {
  const ZlibFileBytes file = reference::codag::encode_zlib(reference::test::make_text(60, 10), {.level = 6});
  for (std::size_t size = 0; size < file.size(); ++size) {
    expect_zlib_refusal(ZlibFileBytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)),
                        "is cut short");
  }
}

// Nothing if the file is refused.
template <typename Decode>
std::optional<ZlibFileBytes> zlib_bytes_or_refused(const Decode& decode) {
  try {
    return decode();
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

TEST(ZlibOnDevice, ABitThatIsWrongIsFoundWhereZlibFindsIt) {
  ZlibFileBytes file = reference::codag::encode_zlib(reference::test::make_text(50, 11), {.level = 6});
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const auto mask = static_cast<std::uint8_t>(1U << bit % 8);
    file[bit / 8] ^= mask;
    const auto by_zlib = zlib_bytes_or_refused([&] {
      ZlibFileBytes bytes;
      reference::codag::decode_zlib(format::reader_of(file), format::writer_to(bytes), {});
      return bytes;
    });
    EXPECT_TRUE(zlib_bytes_or_refused([&] { return decode_zlib_on_simt(file).bytes; }) == by_zlib)
        << "bit " << bit;
    file[bit / 8] ^= mask;
  }
}

}  // namespace
}  // namespace gsst::codag::gzip
