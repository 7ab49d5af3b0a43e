#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "common/format/codag/orc_rle_v2.hpp"
#include "common/format/codag/rle_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codag/orc_rle_v2_block.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/tests/decode/chunks.hpp"

// Format `orc_rle_v2`: its codec and its rules.
namespace gsst::codag {
namespace {

using format::codag::Problem;
using format::codag::RunKind;
using format::codag::Type;
using reference::codag::Packing;

constexpr std::uint64_t seed_of_v2 = 66;

Chunk encoded_v2(const Numbers& numbers, Type type, Packing packing = Packing::aligned) {
  return reference::codag::encode_orc_rle_v2(chunk_of(numbers, type), type, packing);
}

Chunk decoded_v2(const Chunk& payload, std::size_t bytes) {
  return reference::codag::decode_orc_rle_v2(payload, static_cast<std::uint32_t>(bytes), 3);
}

void expect_round_trip_v2(const Numbers& numbers, Type type, std::size_t rest = 0) {
  Chunk block = chunk_of(numbers, type);
  block.insert(block.end(), rest, 0xa5);
  for (const Packing packing : {Packing::aligned, Packing::tight}) {
    const Chunk payload = reference::codag::encode_orc_rle_v2(block, type, packing);
    EXPECT_EQ(format::codag::checked_type(payload, static_cast<std::uint32_t>(block.size()), 0), type);
    EXPECT_LE(payload.size(), format::codag::orc_rle_v2_rules.max_payload_bytes(1, block.size()));
    EXPECT_TRUE(decoded_v2(payload, block.size()) == block);
  }
}

// What streams have been made of.
struct CensusV2 {
  std::array<unsigned, 4> kinds{};
  std::array<std::set<unsigned>, 4> width_codes;
  std::array<std::set<unsigned>, 4> lengths;
  std::set<unsigned> patch_width_codes;
  std::set<unsigned> gap_widths;
  std::set<unsigned> base_bytes;
  std::set<unsigned> patches;
  std::set<unsigned> repeat_bytes;
};

std::size_t varint_bytes(const Chunk& payload, std::size_t place) {
  std::size_t bytes = 1;
  while (payload[place + bytes - 1] >= 128) ++bytes;
  return bytes;
}

// Counts the runs of a payload that decodes.
void count_runs_v2(const Chunk& payload, std::size_t end, CensusV2& census) {
  for (std::size_t i = 1; i < end;) {
    const unsigned first = payload[i];
    const unsigned kind = first >> 6;
    ++census.kinds.at(kind);
    if (static_cast<RunKind>(kind) == RunKind::short_repeat) {
      census.lengths[0].insert((first & 7) + 3);
      census.repeat_bytes.insert((first >> 3 & 7) + 1);
      i += 2 + (first >> 3 & 7);
      continue;
    }
    const unsigned code = first >> 1 & 31;
    const unsigned length = ((first & 1) << 8 | payload[i + 1]) + 1;
    const unsigned width = format::codag::width_of_code(code);
    census.width_codes.at(kind).insert(code);
    census.lengths.at(kind).insert(length);
    i += 2;
    if (static_cast<RunKind>(kind) == RunKind::direct) {
      i += (length * width + 7) / 8;
    } else if (static_cast<RunKind>(kind) == RunKind::delta) {
      i += varint_bytes(payload, i);
      i += varint_bytes(payload, i);
      if (code != 0 && length > 2) i += ((length - 2) * width + 7) / 8;
    } else {
      const unsigned patch_width = format::codag::width_of_code(payload[i] & 31);
      const unsigned gap_width = (payload[i + 1] >> 5) + 1;
      const unsigned patches = payload[i + 1] & 31;
      census.patch_width_codes.insert(payload[i] & 31);
      census.gap_widths.insert(gap_width);
      census.base_bytes.insert((payload[i] >> 5) + 1);
      census.patches.insert(patches);
      const unsigned entry =
          format::codag::width_of_code(format::codag::code_of_bits(gap_width + patch_width));
      i += 2 + (payload[i] >> 5) + 1 + (length * width + 7) / 8 + (patches * entry + 7) / 8;
    }
  }
}

// The numbers from `first` to `last`.
std::set<unsigned> every(unsigned first, unsigned last) {
  std::set<unsigned> numbers;
  for (unsigned number = first; number <= last; ++number) numbers.insert(number);
  return numbers;
}

// The golden files are what all decoders are tested with, so they have everything that a stream can have.
TEST(OrcRleV2Codec, GoldenFilesHaveEveryKindWidthLengthAndPatch) {
  const std::string folder = "data/golden/codag/";
  std::ifstream list(folder + "golden.json");
  CensusV2 census;
  const nlohmann::json files = nlohmann::json::parse(list);
  for (const nlohmann::json& entry : files.at("valid")) {
    if (entry.at("format") != "orc_rle_v2") continue;
    const Chunk file = reference::test::read_file(folder + entry.at("file").get<std::string>());
    for (const format::IndexEntry& block : format::parse_frame(file).index.entries) {
      if (block.record.layout == format::BlockLayout::raw) continue;
      const auto start = file.begin() + static_cast<std::ptrdiff_t>(block.payload_offset);
      const Chunk payload(start, start + static_cast<std::ptrdiff_t>(block.record.payload_bytes));
      const std::uint32_t value_bytes = format::codag::shape_of(static_cast<Type>(payload[0])).value_bytes;
      count_runs_v2(payload, payload.size() - block.record.uncompressed_bytes % value_bytes, census);
    }
  }
  for (const unsigned runs : census.kinds) EXPECT_GT(runs, 30U);
  EXPECT_EQ(census.lengths[0], every(3, 10));
  EXPECT_EQ(census.repeat_bytes, every(1, 8));
  EXPECT_EQ(census.width_codes[1], every(0, 31));
  // 64 bits are not of a patched base.
  EXPECT_EQ(census.width_codes[2], every(0, 30));
  EXPECT_EQ(census.width_codes[3], every(0, 31));
  std::set<unsigned> lengths = census.lengths[1];
  for (const std::size_t kind : {2U, 3U})
    lengths.insert(census.lengths.at(kind).begin(), census.lengths.at(kind).end());
  EXPECT_EQ(lengths, every(1, 512));
  for (const std::size_t kind : {1U, 2U, 3U}) {
    for (const unsigned length : {1U, 2U, 3U, 255U, 256U, 257U, 511U, 512U}) {
      EXPECT_TRUE(census.lengths.at(kind).contains(length)) << "kind " << kind << ", " << length << " values";
    }
  }
  EXPECT_EQ(census.patch_width_codes, every(0, 30));
  EXPECT_EQ(census.gap_widths, every(1, 8));
  EXPECT_EQ(census.base_bytes, every(1, 8));
  EXPECT_EQ(census.patches, every(0, 31));
}

TEST(OrcRleV2Codec, RunsAreThoseOfOrcsSpecification) {
  // Its four examples.
  EXPECT_EQ(encoded_v2(Numbers(5, 10000), Type::u32), stream_of(Type::u32, {0x0a, 0x27, 0x10}));
  EXPECT_EQ(encoded_v2({23713, 43806, 57005, 48879}, Type::u32),
            stream_of(Type::u32, {0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef}));
  EXPECT_EQ(encoded_v2({2, 3, 5, 7, 11, 13, 17, 19, 23, 29}, Type::u32),
            stream_of(Type::u32, {0xc6, 0x09, 0x02, 0x02, 0x22, 0x42, 0x42, 0x46}));
  const Numbers outlier = {2030, 2000, 2020, 1000000, 2040, 2050, 2060, 2070, 2080, 2090,
                           2100, 2110, 2120, 2130,    2140, 2150, 2160, 2170, 2180, 2190};
  const Chunk patched = stream_of(
      Type::i64, {0x8e, 0x13, 0x2b, 0x21, 0x07, 0xd0, 0x1e, 0x00, 0x14, 0x70, 0x28, 0x32, 0x3c, 0x46,
                  0x50, 0x5a, 0x64, 0x6e, 0x78, 0x82, 0x8c, 0x96, 0xa0, 0xaa, 0xb4, 0xbe, 0xfc, 0xe8});
  EXPECT_EQ(encoded_v2(outlier, Type::i64), patched);
  EXPECT_EQ(decoded_v2(patched, 160), chunk_of(outlier, Type::i64));
}

TEST(OrcRleV2Codec, ValuesOfEveryTypeAndLengthComeBack) {
  std::mt19937_64 random(seed_of_v2);
  for (const Type type : all_value_types) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 10U, 11U, 130U, 131U, 511U, 512U, 513U}) {
      SCOPED_TRACE(std::string(format::codag::shape_of(type).name) + ", " + std::to_string(count) +
                   " values, seed " + std::to_string(seed_of_v2));
      expect_round_trip_v2(Numbers(count, random()), type, format::codag::shape_of(type).value_bytes - 1);
      expect_round_trip_v2(numbers_of(count, [&](std::size_t) { return random(); }), type);
      expect_round_trip_v2(numbers_of(count, [&](std::size_t) { return random() >> random() % 64; }), type);
      expect_round_trip_v2(numbers_of(count, [&](std::size_t i) { return i * 7 + random() % 3; }), type);
      expect_round_trip_v2(numbers_of(count,
                                      [&](std::size_t) {
                                        return random() % 30 == 0 ? random() >> random() % 64 : random() % 9;
                                      }),
                           type);
    }
  }
}

TEST(OrcRleV2Codec, DifferencesWrapAroundTheBordersOfATypeOf64Bits) {
  constexpr std::uint64_t smallest = std::uint64_t{1} << 63;
  for (const Type type : {Type::i64, Type::u64}) {
    for (const std::uint64_t border : {smallest, std::uint64_t{0}}) {
      for (const std::uint64_t sign : {std::uint64_t{1}, ~std::uint64_t{0}}) {
        const Numbers fixed = numbers_of(40, [&](std::size_t i) { return border + sign * 1000 * (i - 20); });
        const Numbers rising = numbers_of(40, [&](std::size_t i) { return border + sign * (i * i - 99); });
        for (const Numbers& numbers : {fixed, rising}) {
          EXPECT_EQ(encoded_v2(numbers, type)[1] >> 6, 3);
          expect_round_trip_v2(numbers, type);
        }
      }
    }
    expect_round_trip_v2({smallest, smallest - 1, 0, ~std::uint64_t{0}, smallest, 1, smallest}, type);
  }
}

TEST(OrcRleV2Codec, EveryMistakeIsNamedWithItsByte) {
  const auto refused = [](const std::vector<unsigned>& stream, std::size_t values, Problem problem,
                          std::uint64_t byte) {
    expect_problem(problem, byte, [&] { return decoded_v2(stream_of(Type::i32, stream), 4 * values); });
  };
  refused({}, 1, Problem::too_few_values, 1);
  refused({0x00, 2}, 4, Problem::too_few_values, 3);
  refused({0x00, 2}, 2, Problem::too_many_values, 1);
  refused({0x00, 2, 0x41, 0xff}, 514, Problem::too_many_values, 3);
  refused({0x00, 2, 0x40}, 4, Problem::cut_run, 3);
  refused({0x18, 2, 3, 4}, 3, Problem::cut_run, 1);
  // Widths of 64 bits, and of 8 and 60.
  refused({0xbe, 0, 0, 0}, 1, Problem::width_out_of_range, 1);
  refused({0x80, 0, 31, 0}, 1, Problem::width_out_of_range, 1);
  // A patch of the first value, and one of the value after the last.
  EXPECT_EQ(decoded_v2(stream_of(Type::i32, {0x80, 0, 0, 1, 0, 0, 0x40}), 4), (Chunk{2, 0, 0, 0}));
  refused({0x80, 0, 0, 1, 0, 0, 0x80}, 1, Problem::patch_out_of_range, 1);
  refused({0xc0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2, 0}, 1, Problem::overlong_varint,
          1);
  refused({0x00, 2, 0}, 3, Problem::bytes_left, 3);
}

TEST(OrcRleV2Codec, EveryCutAndChangedByteKeepsWithinTheBlock) {
  std::mt19937_64 random(seed_of_v2);
  Numbers numbers = numbers_of(60, [&](std::size_t i) { return i < 8 ? 3 : random() % 700; });
  numbers[40] = 1 << 20;
  for (std::uint64_t i = 0; i < 20; ++i) numbers.push_back(1000 + i * i);
  const Chunk block = chunk_of(numbers, Type::i64);
  const Chunk payload = encoded_v2(numbers, Type::i64);
  CensusV2 census;
  count_runs_v2(payload, payload.size(), census);
  EXPECT_GT(census.kinds[0], 0U);
  EXPECT_GT(census.kinds[2], 0U);
  const auto is_refused = [&](const Chunk& changed) {
    try {
      EXPECT_EQ(decoded_v2(changed, block.size()).size(), block.size());
      return false;
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.block(), 3U);
      return true;
    }
  };
  for (std::size_t size = 1; size < payload.size(); ++size) {
    EXPECT_TRUE(is_refused(Chunk(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size))));
  }
  for (std::size_t byte = 1; byte < payload.size(); ++byte) {
    for (unsigned value = 0; value < 256; value += 5) {
      Chunk changed = payload;
      changed[byte] = static_cast<std::uint8_t>(value);
      is_refused(changed);
    }
  }
}

TEST(OrcRleV2Codec, TightWidthsAreAChoice) {
  const reference::Codec& codec = reference::codec_of(format::codag::orc_rle_v2_format);
  std::mt19937_64 random(seed_of_v2);
  const Chunk input = chunk_of(numbers_of(4000, [&](std::size_t) { return random() >> 43; }), Type::u64);
  format::CodecOptions options = {{"type", static_cast<std::uint64_t>(Type::u64)}};
  const Chunk aligned = reference::encode_file(codec, input, {.block_bytes = 8192, .options = options});
  options["packing"] = 1;
  const Chunk tight = reference::encode_file(codec, input, {.block_bytes = 8192, .options = options});
  // 24 and 21 bits.
  EXPECT_NEAR(static_cast<double>(tight.size()) / static_cast<double>(aligned.size()), 21. / 24, 0.02);
  EXPECT_TRUE(reference::decode_file(codec, aligned, 1) == input);
  EXPECT_TRUE(reference::decode_file(codec, tight, 1) == input);
}

}  // namespace
}  // namespace gsst::codag
