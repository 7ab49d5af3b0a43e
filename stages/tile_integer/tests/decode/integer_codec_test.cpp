#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/dfor_block.hpp"
#include "reference_cpu/tile_integer/for_block.hpp"
#include "reference_cpu/tile_integer/ifor_block.hpp"
#include "reference_cpu/tile_integer/ofor_block.hpp"
#include "reference_cpu/tile_integer/rfor_block.hpp"
#include "reference_cpu/tile_integer/vfor_block.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// What the oracles of all formats of the series have in common.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::shape_of;
using format::tile_integer::Type;

constexpr std::uint64_t seed_of_codecs = 2028;

struct CodecCase {
  const char* name;
  format::BlockFormat format;
  Packing packing;
  ValueBytes (*encode)(std::span<const std::uint8_t> block, Type type);
  ValueBytes (*decode)(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes);
};

class IntegerCodecTest : public testing::TestWithParam<CodecCase> {
protected:
  static const reference::Codec& codec() { return reference::codec_of(GetParam().format); }

  static void check(const ValueBytes& payload, std::size_t uncompressed_bytes, std::uint64_t block) {
    format::tile_integer::check_for_payload(payload, static_cast<std::uint32_t>(uncompressed_bytes), block,
                                            GetParam().packing);
  }

  static ValueBytes decode(const ValueBytes& payload, std::size_t uncompressed_bytes) {
    return GetParam().decode(payload, static_cast<std::uint32_t>(uncompressed_bytes));
  }
};

INSTANTIATE_TEST_SUITE_P(AllFormats, IntegerCodecTest,
                         testing::Values(CodecCase{.name = "for",
                                                   .format = format::tile_integer::for_format,
                                                   .packing = Packing::values,
                                                   .encode = reference::tile_integer::encode_for,
                                                   .decode = reference::tile_integer::decode_for},
                                         CodecCase{.name = "dfor",
                                                   .format = format::tile_integer::dfor_format,
                                                   .packing = Packing::chains,
                                                   .encode = reference::tile_integer::encode_dfor,
                                                   .decode = reference::tile_integer::decode_dfor},
                                         CodecCase{.name = "rfor",
                                                   .format = format::tile_integer::rfor_format,
                                                   .packing = Packing::runs,
                                                   .encode = reference::tile_integer::encode_rfor,
                                                   .decode = reference::tile_integer::decode_rfor},
                                         CodecCase{.name = "ifor",
                                                   .format = format::tile_integer::ifor_format,
                                                   .packing = Packing::interleaved,
                                                   .encode = reference::tile_integer::encode_ifor,
                                                   .decode = reference::tile_integer::decode_ifor},
                                         CodecCase{.name = "vfor",
                                                   .format = format::tile_integer::vfor_format,
                                                   .packing = Packing::vertical,
                                                   .encode = reference::tile_integer::encode_vfor,
                                                   .decode = reference::tile_integer::decode_vfor},
                                         CodecCase{.name = "ofor",
                                                   .format = format::tile_integer::ofor_format,
                                                   .packing = Packing::one_width,
                                                   .encode = reference::tile_integer::encode_ofor,
                                                   .decode = reference::tile_integer::decode_for}),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Runs of 1, 2, 3, 4 and 6 values of up to `width` bits, 2 or more, which differ from their neighbours.
// 512 values are 160 runs.
Values runs_of_width(std::size_t count, unsigned width, std::mt19937_64& random) {
  constexpr std::array<std::size_t, 5> cycle = {1, 2, 3, 4, 6};
  Values values;
  std::uint64_t value = 0;
  for (std::size_t run = 0; values.size() < count; ++run) {
    std::uint64_t next = lowest_bits(random(), width);
    if (next == value) next ^= 1;
    value = next;
    values.insert(values.end(), cycle[run % cycle.size()], value);
  }
  values.resize(count);
  return values;
}

TEST_P(IntegerCodecTest, FilesSayTheirTypeAndDecodeWithoutIt) {
  std::mt19937_64 random(seed_of_codecs);
  for (const Type type : all_types) {
    SCOPED_TRACE(std::string(shape_of(type).name));
    const ValueBytes input = bytes_of(runs_of_width(5000, 3, random), type);
    const ValueBytes file = reference::encode_file(
        codec(), input,
        {.block_bytes = 8192, .options = {{"type", static_cast<std::uint64_t>(type)}}, .threads = 2});
    EXPECT_LT(file.size(), input.size());
    EXPECT_TRUE(reference::decode_file(codec(), file, 2) == input);
  }
}

TEST_P(IntegerCodecTest, ABlockThatDoesNotGetSmallerIsRaw) {
  std::mt19937_64 random(seed_of_codecs);
  ValueBytes input(4001);
  for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random());
  const ValueBytes file = reference::encode_file(codec(), input, {.threads = 1});
  // Header, two records, raw bytes with padding, the entry, totals and the trailer.
  EXPECT_EQ(file.size(), 40 + 24 + format::padded_payload_bytes(input.size(), 16) + 24 + 40 + 16 + 24);
  EXPECT_TRUE(reference::decode_file(codec(), file, 1) == input);
}

TEST_P(IntegerCodecTest, BytesThatAreNoWholeValueStay) {
  std::mt19937_64 random(seed_of_codecs);
  ValueBytes any(4001);
  for (std::uint8_t& byte : any) byte = static_cast<std::uint8_t>(random());
  for (const ValueBytes& input : {ValueBytes(4001, 3), any}) {
    for (const std::uint64_t block_bytes : {1U, 3U, 1026U, 4096U}) {
      const ValueBytes file =
          reference::encode_file(codec(), input, {.block_bytes = block_bytes, .threads = 1});
      EXPECT_TRUE(reference::decode_file(codec(), file, 1) == input);
    }
  }
}

// The pipeline sizes its batches by this.
TEST_P(IntegerCodecTest, NoByteOfAPayloadDecodesToMoreThanTheRulesSay) {
  const std::uint32_t most = format::rules_of(GetParam().format).limits().max_bytes_per_code_byte;
  for (const Type type : all_types) {
    const ValueBytes block = bytes_of(Values(512 * 100, 5), type);
    EXPECT_LE(block.size(), GetParam().encode(block, type).size() * most);
  }
}

// Every byte of a payload, changed: refused, or decoded to something else. All miniblocks are full, so that
// no bit is there for nothing.
TEST_P(IntegerCodecTest, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_codecs);
  constexpr std::uint32_t usual_values = 1024;
  const std::uint32_t values =
      std::max(usual_values, format::tile_integer::values_of_unit(GetParam().packing));
  ValueBytes block = bytes_of(runs_of_width(values, 9, random), Type::i32);
  block.insert(block.end(), 3, 0xa5);
  const ValueBytes payload = GetParam().encode(block, Type::i32);
  ASSERT_NO_THROW(check(payload, block.size(), 3));
  const std::size_t first_start =
      format::tile_integer::block_shape(Type::i32, static_cast<std::uint32_t>(block.size()),
                                        format::tile_integer::values_of_unit(GetParam().packing))
          .first_start();
  // Words of values are alike: of many of them some do.
  const std::size_t step = values == usual_values ? 1 : 13;
  const auto checked_decode = [&](const ValueBytes& changed) {
    check(changed, block.size(), changed_block);
    return decode(changed, block.size());
  };
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  std::size_t refused = 0;
  // Types i32 and u32 decode alike: the type is left out.
  for (std::size_t byte = 1; byte < payload.size(); byte += byte < 4 * first_start + 4 ? 1 : step) {
    for (const unsigned change : {0x01U, 0x10U, 0x80U, 0xffU}) {
      if (byte >= 4 * first_start + 4 && !sample.has(number++)) continue;
      if (is_refused_when_changed(payload, byte, change, block, checked_decode)) ++refused;
    }
  }
  // The header and the starts at least.
  EXPECT_GE(refused, 4 * (4 * first_start - 1));
}

}  // namespace
}  // namespace gsst::tile_integer
