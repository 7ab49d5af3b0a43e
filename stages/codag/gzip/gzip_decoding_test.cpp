#include "stages/codag/gzip/gzip_decoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/codag/deflate.hpp"
#include "common/format/error.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codag/gzip_file.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"

// What the executor makes of a file is what zlib makes of it.
namespace gsst::codag::gzip {
namespace {

using GzipBytes = std::vector<std::uint8_t>;

constexpr std::uint64_t much_memory = std::uint64_t{1} << 30;

GzipBytes all_of_parts(const std::vector<GzipBytes>& parts) {
  GzipBytes bytes;
  for (const GzipBytes& part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

GzipBytes plain_member(const GzipBytes& text, unsigned level = 6) {
  return reference::codag::encode_gzip_member(text, {.level = level});
}

// With an extra field that says the member's size, after one that says something else.
GzipBytes sized_member(const GzipBytes& text, unsigned level = 6) {
  GzipBytes member = plain_member(text, level);
  GzipBytes extra = {13, 0, 'B', 'D', 3, 0, 1, 2, 3, 'B', 'C', 2, 0, 0, 0};
  format::store_little_endian<2>(extra.data() + 13, member.size() + extra.size() - 1);
  member[3] = 4;
  member.insert(member.begin() + 10, extra.begin(), extra.end());
  return member;
}

struct Decoded {
  GzipBytes bytes;
  chunk_files::ChunkTotals totals;

  std::uint64_t number(const std::string& name) const {
    const auto found = std::ranges::find(totals.numbers, name, [](const auto& pair) { return pair.first; });
    return found == totals.numbers.end() ? ~std::uint64_t{0} : found->second;
  }
};

Decoded decode_on(stage::Executor executor, const GzipBytes& file, std::uint64_t memory_bytes) {
  const chunk_files::ChunkRequest request = {
      .stage = stage::default_stage(format::codag::deflate_format, stage::Operation::decode, executor),
      .executor = executor,
      .memory_bytes = memory_bytes};
  Decoded decoded;
  decoded.totals = decode_gzip_file(file, request, format::writer_to(decoded.bytes), {});
  return decoded;
}

// Bytes and numbers of members, or what the file is refused for.
std::string result_on(stage::Executor executor, const GzipBytes& file, std::uint64_t memory_bytes) {
  try {
    const Decoded decoded = decode_on(executor, file, memory_bytes);
    std::string result(decoded.bytes.begin(), decoded.bytes.end());
    for (const auto& [name, number] : decoded.totals.numbers) result += ' ' + std::to_string(number);
    return result;
  } catch (const format::FormatError& error) {
    return error.what();
  }
}

// Where there is a GPU, it does the same.
Decoded decode_on_simt(const GzipBytes& file, std::uint64_t memory_bytes = much_memory) {
  if (stage::is_available(stage::Executor::gpu)) {
    EXPECT_TRUE(result_on(stage::Executor::gpu, file, memory_bytes) ==
                result_on(stage::Executor::simt, file, memory_bytes));
  }
  return decode_on(stage::Executor::simt, file, memory_bytes);
}

// Of these members, so many have a size, are found by their headers and are left to zlib.
void expect_members(const Decoded& decoded, std::uint64_t sized, std::uint64_t found, std::uint64_t by_zlib) {
  EXPECT_EQ(decoded.number("members_with_size"), sized) << decoded.totals.how;
  EXPECT_EQ(decoded.number("members_found"), found) << decoded.totals.how;
  EXPECT_EQ(decoded.number("members_by_zlib"), by_zlib) << decoded.totals.how;
  EXPECT_EQ(decoded.totals.stream.blocks, sized + found + by_zlib);
  EXPECT_EQ(decoded.totals.stream.output_bytes, decoded.bytes.size());
}

struct Refusal {
  std::optional<std::uint64_t> member;
  std::string message;
};

// What a file is refused for.
Refusal refusal_of(const GzipBytes& file) {
  try {
    decode_on_simt(file);
    ADD_FAILURE() << "decoded without an error";
  } catch (const format::FormatError& error) {
    return {.member = error.block(), .message = error.what()};
  }
  return {};
}

void expect_refusal(const GzipBytes& file, std::uint64_t member, const std::string& said) {
  const Refusal refusal = refusal_of(file);
  EXPECT_EQ(refusal.member, member) << refusal.message;
  EXPECT_NE(refusal.message.find(said), std::string::npos) << refusal.message;
}

TEST(GzipOnDevice, MembersThatSayTheirSizeAreUnits) {
  const GzipBytes text = reference::test::make_text(20'000, 1);
  const GzipBytes noise = reference::test::make_random(3000, 2);
  const GzipBytes file =
      all_of_parts({sized_member({}), sized_member(text, 9), sized_member(noise, 0), sized_member({}),
                    sized_member(text, 1), sized_member({}), GzipBytes(70)});
  const Decoded decoded = decode_on_simt(file);
  EXPECT_TRUE(decoded.bytes == all_of_parts({text, noise, text}));
  EXPECT_EQ(decoded.totals.stream.input_bytes, file.size());
  EXPECT_EQ(decoded.totals.how, "6 members with a stated size, CRC-32 checked on simt, ");
  expect_members(decoded, 6, 0, 0);
}

TEST(GzipOnDevice, OtherMembersAreFoundByTheirHeaders) {
  const GzipBytes text = reference::test::make_text(20'000, 3);
  // One that holds a file of gzip as it is.
  const GzipBytes nested = plain_member(all_of_parts({plain_member(text), plain_member(text)}), 0);
  const Decoded single = decode_on_simt(plain_member(text));
  EXPECT_TRUE(single.bytes == text);
  expect_members(single, 0, 1, 0);
  const Decoded several = decode_on_simt(
      all_of_parts({plain_member(text), plain_member({}), sized_member(text), plain_member(text, 12)}));
  EXPECT_TRUE(several.bytes == all_of_parts({text, text, text}));
  expect_members(several, 1, 3, 0);
  const Decoded with_nested = decode_on_simt(all_of_parts({sized_member(text), nested, plain_member(text)}));
  EXPECT_TRUE(with_nested.bytes == all_of_parts({text, plain_member(text), plain_member(text), text}));
  expect_members(with_nested, 1, 0, 2);
  EXPECT_NE(with_nested.totals.how.find("from member 1 on decoded by zlib, since "), std::string::npos)
      << with_nested.totals.how;
}

TEST(GzipOnDevice, HeadersMayHaveAllTheirFields) {
  const GzipBytes text = reference::test::make_text(1000, 4);
  GzipBytes member = plain_member(text);
  const GzipBytes fields = {3, 0, 'x', 'y', 'z', 'n', 'a', 'm', 'e', 0, 'c', 0};
  member.insert(member.begin() + 10, fields.begin(), fields.end());
  member[3] = 4 | 8 | 16 | 1;
  const Decoded decoded = decode_on_simt(all_of_parts({member, member}));
  EXPECT_TRUE(decoded.bytes == all_of_parts({text, text}));
  expect_members(decoded, 0, 2, 0);
}

TEST(GzipOnDevice, TheChecksumOfAHeaderIsCompared) {
  constexpr std::size_t checksum = 16;
  const GzipBytes text = reference::test::make_text(1000, 12);
  GzipBytes member = plain_member(text);
  const GzipBytes name_and_checksum = {'n', 'a', 'm', 'e', 's', 0, 0, 0};
  member.insert(member.begin() + 10, name_and_checksum.begin(), name_and_checksum.end());
  member[3] = 8 | 2;
  // A member's trailer has the CRC-32 of what is in it.
  const GzipBytes with_header = plain_member(GzipBytes(member.begin(), member.begin() + checksum));
  std::copy_n(with_header.end() - 8, 2, member.begin() + checksum);
  const Decoded decoded = decode_on_simt(all_of_parts({member, member}));
  EXPECT_TRUE(decoded.bytes == all_of_parts({text, text}));
  expect_members(decoded, 0, 2, 0);
  EXPECT_EQ(decoded.totals.blocks_of_stage, 2U);
  for (const std::size_t byte : {std::size_t{4}, std::size_t{12}, checksum, checksum + 1}) {
    GzipBytes damaged = member;
    damaged[byte] ^= 1;
    expect_refusal(all_of_parts({member, damaged, member}), 1, "header crc mismatch, at byte ");
  }
}

TEST(GzipOnDevice, PaddingAfterAMemberWithoutASizeIsLeftToZlib) {
  const GzipBytes text = reference::test::make_text(9000, 5);
  const Decoded decoded =
      decode_on_simt(all_of_parts({plain_member(text), plain_member(text), GzipBytes(9)}));
  EXPECT_TRUE(decoded.bytes == all_of_parts({text, text}));
  expect_members(decoded, 0, 1, 1);
}

TEST(GzipOnDevice, BatchesFitTheMemory) {
  const GzipBytes text = reference::test::make_text(3000, 6);
  const GzipBytes file = all_of_parts(std::vector<GzipBytes>(5, sized_member(text)));
  const Decoded decoded = decode_on_simt(file, 15'000);
  EXPECT_TRUE(decoded.bytes == all_of_parts(std::vector<GzipBytes>(5, text)));
  expect_members(decoded, 5, 0, 0);
  const Decoded by_zlib = decode_on_simt(file, 3000);
  EXPECT_TRUE(by_zlib.bytes == decoded.bytes);
  expect_members(by_zlib, 0, 0, 5);
  EXPECT_EQ(by_zlib.totals.blocks_of_stage, 0U);
  EXPECT_NE(by_zlib.totals.how.find("more memory"), std::string::npos) << by_zlib.totals.how;
}

TEST(GzipOnDevice, ALargeMemberIsSaidToBeSlow) {
  const Decoded decoded = decode_on_simt(plain_member(GzipBytes((std::size_t{1} << 20) + 1)));
  EXPECT_NE(decoded.totals.how.find("1048577 bytes in one chunk, which is slow"), std::string::npos)
      << decoded.totals.how;
  EXPECT_EQ(decoded.number("members_cut"), 0U);
}

TEST(GzipOnDevice, ALargeMemberIsCutInPieces) {
  const GzipBytes text = reference::test::make_text(2'500'000, 13);
  const GzipBytes member = plain_member(text);
  ASSERT_GT(member.size(), large_member_bytes);
  const Decoded decoded = decode_on_simt(all_of_parts({plain_member({7}), member}));
  EXPECT_TRUE(decoded.bytes == all_of_parts({{7}, text}));
  expect_members(decoded, 0, 2, 0);
  EXPECT_EQ(decoded.number("members_cut"), 1U);
  EXPECT_NE(decoded.totals.how.find(
                "1 member of 262144 compressed bytes or more in pieces, by stage codag/10_one_member"),
            std::string::npos)
      << decoded.totals.how;
  // The planes need memory. Without them a warp decodes the member.
  const Decoded in_one_chunk = decode_on_simt(member, text.size() + member.size() + 65'536);
  EXPECT_TRUE(in_one_chunk.bytes == text);
  expect_members(in_one_chunk, 0, 1, 0);
  EXPECT_EQ(in_one_chunk.number("members_cut"), 0U);
  // A bit of the middle, and one of the CRC-32: zlib names the mistake.
  for (const std::size_t byte : {member.size() / 2, member.size() - 8}) {
    GzipBytes damaged = member;
    damaged[byte] ^= 1;
    expect_refusal(damaged, 0, "inco");
  }
}

// A stage that was asked for, and is not the default, decodes all.
TEST(GzipOnDevice, ANamedStageIsNotReplaced) {
  const GzipBytes text = reference::test::make_text(2'500'000, 14);
  const GzipBytes member = plain_member(text);
  GzipBytes bytes;
  const chunk_files::ChunkTotals totals =
      decode_gzip_file(member,
                       {.stage = stage::find_stage("codag/05_writes_deflate", stage::Operation::decode),
                        .executor = stage::Executor::simt,
                        .memory_bytes = much_memory},
                       format::writer_to(bytes), {});
  EXPECT_TRUE(bytes == text);
  EXPECT_NE(totals.how.find("in one chunk"), std::string::npos) << totals.how;
}

TEST(GzipOnDevice, DamageIsFoundWithItsMemberAndByte) {
  const GzipBytes text = reference::test::make_text(2000, 7);
  const GzipBytes good = sized_member(text);
  const auto place = [&](std::uint64_t bytes) {
    return "at byte " + std::to_string(good.size() + bytes) + " of the file";
  };
  for (const bool is_sized : {true, false}) {
    const GzipBytes member = is_sized ? good : plain_member(text);
    const auto damaged = [&](std::ptrdiff_t byte) {
      GzipBytes bytes = member;
      bytes[static_cast<std::size_t>(byte < 0 ? byte + static_cast<std::ptrdiff_t>(member.size()) : byte)] ^=
          4;
      return all_of_parts({good, bytes, good});
    };
    expect_refusal(damaged(-8), 1, is_sized ? place(member.size() - 8) : "incorrect data check");
    expect_refusal(damaged(-3), 1, is_sized ? "than stated" : "incorrect length check");
    expect_refusal(damaged(0), 1, "incorrect header check, at byte ");
    // The first block's type.
    const std::ptrdiff_t stream = is_sized ? 25 : 10;
    expect_refusal(damaged(stream), 1,
                   is_sized ? "which begins at byte " + std::to_string(good.size() + 25) : "invalid");
  }
  expect_refusal(all_of_parts({good, {1, 2, 3}}), 1, "incorrect header check");
  expect_refusal(all_of_parts({good, {0, 0, 1}}), 1, "padding: is followed by other bytes, " + place(2));
  expect_refusal({}, 0, "cut short");
}

// A size that would be four gigabytes is no reason to ask for so much memory.
TEST(GzipOnDevice, SizesThatNoStreamHasAreNotBelieved) {
  GzipBytes file = sized_member(reference::test::make_text(2000, 8));
  std::fill(file.end() - 4, file.end(), std::uint8_t{0xff});
  expect_refusal(file, 0, "incorrect length check");
}

// Also where a size says another place: what is between is then no member.
TEST(GzipOnDevice, SizesInHeadersMayBeWrong) {
  const GzipBytes text = reference::test::make_text(2000, 9);
  for (const int difference : {-30, -1, 1, 20'000}) {
    GzipBytes member = sized_member(text);
    format::store_little_endian<2>(member.data() + 23, format::load_little_endian<2>(member.data() + 23) +
                                                           static_cast<std::uint64_t>(difference));
    // Right or refused, never wrong.
    try {
      EXPECT_TRUE(decode_on_simt(all_of_parts({member, sized_member(text)})).bytes ==
                  all_of_parts({text, text}));
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.block(), 0U) << error.what();
    }
  }
}

// Nothing if the file is refused.
std::optional<GzipBytes> decoded_or_refused(const std::function<GzipBytes()>& decode) {
  try {
    return decode();
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

TEST(GzipOnDevice, ABitThatIsWrongIsFoundWhereZlibFindsIt) {
  const GzipBytes text = reference::test::make_text(50, 11);
  for (const bool is_sized : {true, false}) {
    GzipBytes file = is_sized ? all_of_parts({sized_member(text), sized_member(text)})
                              : all_of_parts({plain_member(text), plain_member(text)});
    // Of the first member's header, its stream and its trailer.
    for (std::size_t byte = 0; byte < file.size() / 2; ++byte) {
      const auto bit = static_cast<std::uint8_t>(1U << byte * 5 % 8);
      file[byte] ^= bit;
      const auto by_zlib = decoded_or_refused([&] {
        GzipBytes bytes;
        reference::codag::decode_gzip(format::reader_of(file), format::writer_to(bytes), {}, {});
        return bytes;
      });
      const auto on_simt = decoded_or_refused([&] { return decode_on_simt(file).bytes; });
      // Wrong sizes in headers are refused although zlib does not look at them.
      if (on_simt || !is_sized) {
        EXPECT_TRUE(on_simt == by_zlib) << "byte " << byte;
      }
      file[byte] ^= bit;
    }
  }
}

TEST(GzipOnDevice, FilesCutAtEveryByteAreRefused) {
  const GzipBytes text = reference::test::make_text(60, 10);
  for (const bool is_sized : {true, false}) {
    const auto member = [&](const GzipBytes& bytes) {
      return is_sized ? sized_member(bytes) : plain_member(bytes);
    };
    const GzipBytes first = member(text);
    const GzipBytes file = all_of_parts({first, member({})});
    for (std::size_t size = 0; size < file.size(); ++size) {
      if (size == first.size()) continue;
      const Refusal refusal =
          refusal_of(GzipBytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
      EXPECT_EQ(refusal.member, size < first.size() ? 0U : 1U) << size << ": " << refusal.message;
    }
  }
}

}  // namespace
}  // namespace gsst::codag::gzip
