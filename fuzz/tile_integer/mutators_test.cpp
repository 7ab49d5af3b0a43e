#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "fuzz/block_oracle.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"
#include "fuzz/tile_integer/integer_payload.hpp"
#include "reference_cpu/codec.hpp"

// That the mutators' inputs are worth their time.
namespace gsst::fuzz {
namespace {

namespace integers = format::tile_integer;
using integers::Packing;

struct PackedFormat {
  format::BlockFormat format;
  Packing packing;
};

constexpr std::array<PackedFormat, 5> packed_formats = {{{integers::for_format, Packing::values},
                                                         {integers::dfor_format, Packing::chains},
                                                         {integers::rfor_format, Packing::runs},
                                                         {integers::ifor_format, Packing::interleaved},
                                                         {integers::bp_format, Packing::bits}}};

format::BlockRecord record_of_whole(const Seeds& seeds, const Block& block) {
  return {.layout = block.layout,
          .payload_bytes = static_cast<std::uint32_t>(block.bytes.size()),
          .uncompressed_bytes = static_cast<std::uint32_t>(seeds.header.block_size),
          .checksum = 0};
}

// The field for which the rules refuse `block`; empty for one that they accept, which then decodes.
std::string refused_field(const Seeds& seeds, const Block& block) {
  BlockOracle oracle(seeds.header);
  const format::BlockRecord record = record_of_whole(seeds, block);
  try {
    const format::CheckedPayload checked = oracle.check(block.bytes, record, 0);
    EXPECT_EQ(oracle.decode(block.bytes, record, checked, 0).size(), seeds.header.block_size);
    return {};
  } catch (const format::FormatError& error) {
    return error.field();
  }
}

Seeds integer_seeds(format::BlockFormat format, std::uint64_t number, std::size_t count = 12) {
  Random random(6, number);
  return mutator_of(format).make_seeds(reference::codec_of(format), count, random);
}

// Of changed blocks of a format: how many there are, and the fields for which some are refused.
struct Changed {
  std::size_t inputs = 0;
  std::size_t accepted = 0;
  std::set<std::string> refused = {};
};

Changed change_many(format::BlockFormat format) {
  Changed changed;
  for (std::uint64_t number = 0; number < 12; ++number) {
    const Seeds seeds = integer_seeds(format, number);
    Random random(7, number);
    for (std::size_t i = 0; i < 60; ++i, ++changed.inputs) {
      const std::string field = refused_field(seeds, mutator_of(format).change(seeds, random));
      if (field.empty()) {
        ++changed.accepted;
      } else {
        changed.refused.insert(field);
      }
    }
  }
  return changed;
}

TEST(FuzzTileInteger, MostInputsAreDecodedAndTheOthersBreakEveryRule) {
  const std::set<std::string> header_fields = {"type",   "reserved",      "number of values",
                                               "starts", "payload bytes", "padding"};
  for (const PackedFormat& of : packed_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(of.format)));
    std::set<std::string> expected = header_fields;
    switch (of.packing) {
      case Packing::runs:
        expected.insert({"widths", "number of runs", "lengths", "largest run block"});
        break;
      case Packing::interleaved:
        expected.insert("largest interleaved block");
        break;
      case Packing::bits:
        expected.insert("largest packed block");
        break;
      default:
        expected.insert({"widths", "largest packed block"});
    }
    const Changed changed = change_many(of.format);
    EXPECT_GT(3 * changed.accepted, 2 * changed.inputs);
    EXPECT_TRUE(std::ranges::includes(changed.refused, expected))
        << "refused for " << ::testing::PrintToString(changed.refused);
  }
}

TEST(FuzzTileInteger, MostInputsOfFormatNsfAreDecodedToo) {
  const Changed changed = change_many(integers::nsf_format);
  EXPECT_GT(3 * changed.accepted, 2 * changed.inputs);
  const std::set<std::string> expected = {"bytes of a number", "bytes of a value", "number of values",
                                          "padding",           "payload bytes",    "reserved"};
  EXPECT_TRUE(std::ranges::includes(changed.refused, expected))
      << "refused for " << ::testing::PrintToString(changed.refused);
}

TEST(FuzzTileInteger, AcceptedBlocksHaveAllTypesAndWidthsToTheirBorders) {
  for (const PackedFormat& of : packed_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(of.format)));
    std::set<std::pair<integers::Type, std::uint32_t>> met;
    for (std::uint64_t number = 0; number < 30; ++number) {
      const Seeds seeds = integer_seeds(of.format, number);
      Random random(8, number);
      for (std::size_t i = 0; i < 40; ++i) {
        const Block block = mutator_of(of.format).change(seeds, random);
        if (block.layout == format::BlockLayout::raw || !refused_field(seeds, block).empty()) continue;
        const IntegerPayload payload = read_integer_payload(
            block.bytes, static_cast<std::uint32_t>(seeds.header.block_size), of.packing);
        for (const PackedUnit& unit : payload.units) {
          for (const std::uint8_t width : unit.values.widths) met.emplace(payload.type, width);
        }
      }
    }
    for (std::size_t type = 0; type < integers::type_count; ++type) {
      const auto of_type = static_cast<integers::Type>(type);
      const std::uint32_t most = integers::shape_of(of_type).max_width();
      for (const std::uint32_t width : {0U, 1U, most - 1, most}) {
        EXPECT_TRUE(met.contains({of_type, width})) << type << ": " << width;
      }
    }
  }
}

TEST(FuzzTileInteger, APayloadThatIsTakenApartIsPutTogetherAsItWas) {
  for (const PackedFormat& of : packed_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(of.format)));
    for (std::uint64_t number = 0; number < 6; ++number) {
      const Seeds seeds = integer_seeds(of.format, number);
      for (const Block& block : seeds.blocks) {
        if (block.layout == format::BlockLayout::raw) continue;
        IntegerPayload payload = read_integer_payload(
            block.bytes, static_cast<std::uint32_t>(seeds.header.block_size), of.packing);
        EXPECT_EQ(write_integer_payload(payload), block.bytes);
        repair_integer_payload(payload);
        EXPECT_EQ(write_integer_payload(payload), block.bytes);
      }
    }
  }
}

// Damage of any kind, as a fuzzer does it that knows no format.
void damage(std::vector<std::uint8_t>& bytes, Random& random) {
  for (std::uint32_t i = 0; i < 8; ++i) bytes[random.below(bytes.size())] = random.byte();
  if (random.one_in(3)) bytes.resize(random.below(bytes.size() + 200));
}

TEST(FuzzTileInteger, RepairsMakeDamagedBlocksOnesThatAreDecoded) {
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    const bool is_of_series = std::ranges::any_of(
        packed_formats, [&](const PackedFormat& of) { return of.format == codec->traits().format; });
    if (!is_of_series && codec->traits().format != integers::nsf_format) continue;
    SCOPED_TRACE(std::string(codec->name()));
    const PayloadMutator& mutator = mutator_of(codec->traits().format);
    std::size_t damaged = 0;
    std::size_t accepted = 0;
    for (std::uint64_t number = 0; number < 12; ++number) {
      const Seeds seeds = integer_seeds(codec->traits().format, number);
      Random random(9, number);
      const auto stated = static_cast<std::uint32_t>(seeds.header.block_size);
      for (Block block : seeds.blocks) {
        if (block.layout == format::BlockLayout::raw) continue;
        damage(block.bytes, random);
        // Of damage that has no field, nothing is made.
        const std::size_t size = block.bytes.size();
        EXPECT_EQ(mutator.repair_fields(block, seeds.header, stated, random), stated);
        if (size < integers::header_bytes) {
          EXPECT_EQ(block.bytes.size(), size);
          continue;
        }
        ++damaged;
        accepted += refused_field(seeds, block).empty() ? 1 : 0;
      }
    }
    EXPECT_GT(damaged, 20U);
    EXPECT_GT(10 * accepted, 8 * damaged);
    EXPECT_LT(accepted, damaged) << "no repair is left out";
  }
}

}  // namespace
}  // namespace gsst::fuzz
