#include "cpu/tiles/block_decoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/instruction_set_test.hpp"
#include "cpu/tiles/strip_loop.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/tiles_block_test.hpp"

// Every instruction set of this processor against the decoder of reference_cpu.
namespace gsst::cpu::tiles {
namespace {

using format::TilesHeader;
using reference::test::all_tile_codes;
using reference::test::TileCodes;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t block_number = 7;
constexpr std::uint64_t first_seed = 1;

// Symbols of random bytes in classes of random lengths, unused ones among them.
format::TileTable random_table(const TileCodes& kind, std::mt19937_64& random) {
  format::TileTable table = format::make_literal_tile_table(kind.code_bits, kind.escape_free);
  const std::uint32_t fixed = format::literal_class_count(kind.code_bits, kind.escape_free);
  const std::uint32_t class_codes = (1u << kind.code_bits) / format::length_class_count;
  const bool all_long = random() % 4 == 0;
  for (std::uint32_t i = fixed; i < format::length_class_count; ++i) {
    table.class_lengths[i] = all_long ? 8 : static_cast<std::uint8_t>(random() % 9);
  }
  for (std::uint32_t code = fixed * class_codes; code < table.symbols.size(); ++code) {
    const unsigned length = table.length(code);
    table.symbols[code] = length == 0 ? 0 : random() >> (64 - 8 * length);
  }
  return table;
}

// Codes that follow each other as a writer's do: second halves after first halves and nowhere else.
enum class Order { as_written, any };

std::vector<std::uint16_t> random_codes(const TileCodes& kind, std::size_t count, Order order,
                                        std::mt19937_64& random) {
  std::vector<std::uint16_t> codes(count);
  bool waits = false;
  for (std::uint16_t& code : codes) {
    code = static_cast<std::uint16_t>(random() % (1u << kind.code_bits));
    if (order == Order::any || kind.escape_free) continue;
    // Halves are a quarter of the codes.
    if (waits) {
      code = static_cast<std::uint16_t>(16 + code % 16);
    } else if (code < 32 && random() % 2 == 0) {
      code = static_cast<std::uint16_t>(code + 32);
    } else if (code < 80) {
      code = static_cast<std::uint16_t>(code % 16);
    }
    waits = code < 16;
  }
  return codes;
}

// A block of these codes, whose strips have the bytes that their codes decode to.
Bytes build_block(const TileCodes& kind, std::uint32_t codes_per_lane, std::uint32_t tiles_per_strip,
                  const format::TileTable& table, std::span<const std::uint16_t> codes) {
  return reference::test::tiles_block_of({.code_bits = kind.code_bits, .codes_per_lane = codes_per_lane},
                                         tiles_per_strip, table, codes);
}

// What a decoder made: its bytes, or the error's text.
struct Decoded {
  Bytes bytes;
  std::string error;

  bool operator==(const Decoded&) const = default;
};

// Calls decode(output) with memory between bytes that nobody may change, and of exactly `bytes` bytes, which
// AddressSanitizer watches.
template <typename Decode>
Decoded decode_guarded(std::size_t bytes, const Decode& decode) {
  constexpr std::size_t guard_bytes = 1024;
  constexpr std::uint8_t guard = 0xa5;
  const Bytes untouched(guard_bytes, guard);
  Decoded decoded;
  for (const std::size_t guards : {guard_bytes, std::size_t{0}}) {
    const auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(bytes + 2 * guards);
    const std::span<std::uint8_t> all(memory.get(), bytes + 2 * guards);
    std::memset(all.data(), guard, all.size());
    Decoded now;
    try {
      decode(all.subspan(guards, bytes));
      now.bytes.assign(all.begin() + static_cast<std::ptrdiff_t>(guards),
                       all.end() - static_cast<std::ptrdiff_t>(guards));
    } catch (const format::FormatError& error) {
      now.error = error.what();
    }
    EXPECT_EQ(std::memcmp(all.data(), untouched.data(), guards), 0) << "written before the output";
    EXPECT_EQ(std::memcmp(all.data() + guards + bytes, untouched.data(), guards), 0)
        << "written past the output";
    if (guards != 0) {
      decoded = now;
    } else {
      EXPECT_TRUE(decoded == now) << "two decodings differ";
    }
  }
  return decoded;
}

Decoded decode_by_oracle(const Bytes& block, unsigned threads = 1) {
  const TilesHeader header(block.data());
  return decode_guarded(header.uncompressed_bytes(), [&](std::span<std::uint8_t> output) {
    reference::decode_tiles(header, output, block_number, threads);
  });
}

class TilesOnCpuTest : public InstructionSetTest {
protected:
  void expect_whole_as_the_oracle(const Bytes& block, unsigned threads) {
    // Of exactly the block's bytes: a vector may have room for more.
    const auto exact = std::make_unique_for_overwrite<std::uint8_t[]>(block.size());
    std::ranges::copy(block, exact.get());
    const TilesHeader header(exact.get());
    const Decoded expected = decode_by_oracle(block);
    const BlockDecoder decoder(header, header, instructions());
    const Decoded decoded = decode_guarded(header.uncompressed_bytes(), [&](std::span<std::uint8_t> output) {
      decoder.decode_all(output, block_number, threads);
    });
    ASSERT_EQ(decoded.error, expected.error) << threads << " threads";
    ASSERT_TRUE(decoded.bytes == expected.bytes) << threads << " threads";
  }

  // All strips at once and each by itself are what the oracle makes of them.
  void expect_as_the_oracle(const Bytes& block) {
    for (const unsigned threads : {1u, 3u}) {
      ASSERT_NO_FATAL_FAILURE(expect_whole_as_the_oracle(block, threads));
    }
    const TilesHeader header(block.data());
    const BlockDecoder decoder(header, header, instructions());
    const format::TileTable table = format::read_tile_table(TilesHeader(block.data()));
    for (std::uint32_t strip = 0; strip < header.strip_count(); ++strip) {
      const std::size_t bytes = header.strip_output(strip + 1) - header.strip_output(strip);
      const Decoded expected_strip = decode_guarded(bytes, [&](std::span<std::uint8_t> output) {
        reference::decode_strip(TilesHeader(block.data()), table, strip, output, block_number);
      });
      const Decoded decoded = decode_guarded(
          bytes, [&](std::span<std::uint8_t> output) { decoder.decode_strip(strip, output, block_number); });
      ASSERT_EQ(decoded.error, expected_strip.error) << "strip " << strip;
      ASSERT_TRUE(decoded.bytes == expected_strip.bytes) << "strip " << strip;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(InstructionSets, TilesOnCpuTest, testing::Values("portable", "avx2", "avx512"),
                         [](const testing::TestParamInfo<const char*>& set) { return set.param; });

// The sets that the tests name are all that there are.
TEST(TilesOnCpu, HasNoOtherInstructionSets) {
  for (const InstructionSet& set : instruction_sets()) {
    EXPECT_TRUE(set.name == "portable" || set.name == "avx2" || set.name == "avx512") << set.name;
  }
}

// Every number of codes around the borders of groups, batches, tiles and strips.
TEST_P(TilesOnCpuTest, EveryShapeAtEveryBorder) {
  std::uint64_t seed = first_seed;
  for (const TileCodes& kind : all_tile_codes) {
    for (const std::uint32_t lane : format::tile_codes_per_lane) {
      for (const std::uint32_t tiles_per_strip : {1u, 2u, 5u}) {
        const std::size_t tile = std::size_t{format::tile_lanes} * lane;
        const std::size_t strip = tile * tiles_per_strip;
        for (const std::size_t count :
             {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{batch_codes - 1},
              std::size_t{batch_codes}, std::size_t{batch_codes + 1}, tile - 1, tile, tile + 1, strip - 64,
              strip, strip + 1, strip + 64, 2 * strip - 1, 3 * strip, 3 * strip + tile / 2}) {
          SCOPED_TRACE(describe(kind, lane) + ", " + std::to_string(tiles_per_strip) + " tiles a strip, " +
                       std::to_string(count) + " codes, seed " + std::to_string(seed));
          std::mt19937_64 random(seed++);
          const format::TileTable table = random_table(kind, random);
          const auto codes = random_codes(kind, count, Order::as_written, random);
          expect_as_the_oracle(build_block(kind, lane, tiles_per_strip, table, codes));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Codes that decoders have to take although no encoder writes them: halves that stand alone, first halves in
// a row, before and after unused codes, at the end of strips.
TEST_P(TilesOnCpuTest, HalvesInAnyOrder) {
  constexpr TileCodes kind{8, false};
  for (std::uint64_t seed = first_seed; seed < first_seed + 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    format::TileTable table = random_table(kind, random);
    // Codes 32 to 47 are unused.
    table.class_lengths[2] = 0;
    std::fill_n(table.symbols.begin() + 32, 16, 0);
    const std::size_t count = 1 + random() % 3000;
    auto codes = random_codes(kind, count, seed % 2 == 0 ? Order::any : Order::as_written, random);
    // One odd code in many good ones, or nothing but halves and unused codes.
    if (seed % 4 == 1) codes[random() % count] = static_cast<std::uint16_t>(random() % 16);
    if (seed % 4 == 2) {
      for (std::uint16_t& code : codes) code %= 48;
    }
    expect_as_the_oracle(build_block(kind, 16 + 8 * static_cast<std::uint32_t>(seed % 3), 1, table, codes));
    if (HasFatalFailure()) return;
  }
}

// Each code of a table, first half and second half at every place of a group.
TEST_P(TilesOnCpuTest, EveryCodeAtEveryPlaceOfAGroup) {
  for (const TileCodes& kind : all_tile_codes) {
    SCOPED_TRACE(describe(kind, 16));
    std::mt19937_64 random(first_seed);
    const format::TileTable table = random_table(kind, random);
    const std::uint32_t code_count = 1u << kind.code_bits;
    for (std::uint32_t shift = 0; shift < 64; shift += kind.code_bits == 12 ? 7 : 1) {
      std::vector<std::uint16_t> codes(shift, 40);
      for (std::uint32_t code = 0; code < code_count; ++code) {
        if (kind.escape_free || code >= 32) {
          codes.push_back(static_cast<std::uint16_t>(code));
          continue;
        }
        codes.push_back(static_cast<std::uint16_t>(code / 2));
        codes.push_back(static_cast<std::uint16_t>(16 + (code * 7 + shift) % 16));
      }
      expect_as_the_oracle(build_block(kind, 16, 1, table, codes));
      if (HasFatalFailure()) return;
    }
  }
}

// A literal byte, and halves that no encoder writes, at every place around groups, batches, tiles and strips.
TEST_P(TilesOnCpuTest, HalvesAtEveryPlace) {
  constexpr TileCodes kind{8, false};
  constexpr std::uint32_t lane = 16;
  constexpr std::uint32_t tile = format::tile_lanes * lane;
  static_assert(tile == 2 * batch_codes);
  std::mt19937_64 random(first_seed);
  format::TileTable table = random_table(kind, random);
  // Codes 240 to 255 are unused: a first half stays over them.
  table.class_lengths[15] = 0;
  std::fill_n(table.symbols.begin() + 240, 16, 0);
  const std::vector<std::vector<std::uint16_t>> insertions = {
      {9, 23}, {9}, {23}, {9, 100}, {9, 12, 23}, {0, 23}, {0, 100}, {9, 250, 23}, {9, 250, 250, 100}};
  for (std::size_t place = 0; place < std::size_t{2} * tile; ++place) {
    // All places next to a border, some of the others.
    if (place % group_codes > 3 && place % group_codes < group_codes - 4 && place % 7 != 0) continue;
    const std::vector<std::uint16_t>& inserted = insertions[random() % insertions.size()];
    SCOPED_TRACE("place " + std::to_string(place) + ", first code " + std::to_string(inserted.front()) +
                 ", " + std::to_string(inserted.size()) + " codes");
    std::vector<std::uint16_t> codes(2 * tile + 70);
    for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(32 + random() % 208);
    std::ranges::copy(inserted, codes.begin() + static_cast<std::ptrdiff_t>(place));
    expect_as_the_oracle(build_block(kind, lane, 1, table, codes));
    if (HasFatalFailure()) return;
  }
}

TEST_P(TilesOnCpuTest, BlocksOfTheEncoder) {
  for (const reference::test::NamedInput& input : reference::test::awkward_inputs()) {
    if (input.bytes.empty() || input.bytes.size() > 50'000) continue;
    for (const std::uint32_t bits : format::tile_code_bits) {
      SCOPED_TRACE(input.name + ", " + std::to_string(bits) + " bits");
      const Bytes frame = reference::compress(
          input.bytes, {.format = format::BlockFormat::tiles, .code_bits = bits, .level = 1, .threads = 1});
      const format::FrameView view = format::parse_frame(frame);
      for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
        if (view.index.entries[block].record.layout == format::BlockLayout::raw) continue;
        const auto payload = view.payload(block);
        expect_as_the_oracle({payload.begin(), payload.end()});
      }
      if (HasFatalFailure()) return;
    }
  }
}

// Changes some bytes of `block`; its size stays.
void damage(Bytes& block, std::mt19937_64& random) {
  const TilesHeader header(block.data());
  const std::size_t codes_begin = format::tiles_header_bytes;
  const auto codes_end = static_cast<std::size_t>(header.strip_outputs() - block.data());
  for (std::uint64_t hits = random() % 4 + 1; hits != 0; --hits) {
    // Mostly codes, else a byte anywhere, seldom a field of the header.
    std::size_t at = codes_begin + random() % (codes_end - codes_begin);
    if (random() % 4 == 0) at = random() % block.size();
    if (random() % 8 == 0) at = random() % codes_begin;
    switch (random() % 3) {
      case 0:
        block[at] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        block[at] = static_cast<std::uint8_t>(block[at] ^ (1u << (random() % 8)));
        break;
      default:
        block[at] = static_cast<std::uint8_t>(random() % 48);
        break;
    }
  }
}

// What the checks before decoding let through decodes as the oracle decodes it, or gives the same error.
TEST_P(TilesOnCpuTest, DamagedBlocks) {
  constexpr std::uint64_t damaged_copies = 100;
  std::uint64_t refused = 0;
  std::uint64_t wrong = 0;
  std::uint64_t right = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 60; ++seed) {
    std::mt19937_64 random(seed);
    const TileCodes& kind = all_tile_codes[seed % all_tile_codes.size()];
    const std::uint32_t lane = format::tile_codes_per_lane[seed / 4 % 3];
    const format::TileTable table = random_table(kind, random);
    const auto codes = random_codes(kind, 1 + random() % 2500, Order::as_written, random);
    const Bytes good = build_block(kind, lane, 1 + static_cast<std::uint32_t>(seed % 2), table, codes);
    const std::uint32_t bytes = TilesHeader(good.data()).uncompressed_bytes();
    for (std::uint64_t copy = 0; copy < damaged_copies; ++copy) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", copy " + std::to_string(copy));
      Bytes block = good;
      damage(block, random);
      try {
        format::check_tiles_block(block, bytes, block_number);
      } catch (const format::FormatError&) {
        ++refused;
        continue;
      }
      expect_whole_as_the_oracle(block, 1 + static_cast<unsigned>(copy % 2));
      if (HasFatalFailure()) return;
      (decode_by_oracle(block).error.empty() ? right : wrong) += 1;
    }
  }
  // The test is about all three.
  EXPECT_GT(refused, 25u);
  EXPECT_GT(wrong, 1250u);
  EXPECT_GT(right, 250u);
}

TEST_P(TilesOnCpuTest, NamesTheStripWhoseCodesDoNotFit) {
  constexpr TileCodes kind{12, true};
  std::mt19937_64 random(first_seed);
  const format::TileTable table = random_table(kind, random);
  Bytes block =
      build_block(kind, 16, 1, table, random_codes(kind, std::size_t{512} * 6, Order::as_written, random));
  // Another class for a code of strip 4.
  const TilesHeader header(block.data());
  const std::uint32_t rest = 4 * header.shape().bytes() + format::tiles_header_bytes + 512 + 100;
  const auto length_of = [&](unsigned nibble) { return table.class_lengths[nibble]; };
  const unsigned now = block[rest] & 15u;
  unsigned other = 0;
  while (length_of(other) == length_of(now)) ++other;
  block[rest] = static_cast<std::uint8_t>((block[rest] & 0xf0u) | other);
  Bytes output(header.uncompressed_bytes());
  try {
    BlockDecoder(header, header, instructions()).decode_all(output, block_number, 2);
    FAIL() << "no error";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), block_number);
    EXPECT_EQ(error.field(), "codes of strip 4");
  }
}

Bytes decode_each_block(const Bytes& frame, bool by_oracle) {
  const format::FrameView view = format::parse_frame(frame);
  Bytes output(view.index.uncompressed_bytes);
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::IndexEntry& entry = view.index.entries[block];
    const auto place = std::span(output).subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes);
    const format::BlockView parsed = format::parse_block(view, block);
    const std::span<const std::uint8_t> table = parsed.layout == format::BlockLayout::raw
                                                    ? std::span<const std::uint8_t>()
                                                    : format::find_table(view, block);
    by_oracle ? reference::decode_block(parsed, place, block, 1, table)
              : decode_block(parsed, place, block, 1, table);
  }
  return output;
}

// Text and random bytes by turns: blocks that share a table and raw ones.
TEST(TilesOnCpu, SharedTablesAndRawBlocks) {
  constexpr std::uint64_t block_bytes = 16'384;
  Bytes input;
  for (std::uint64_t block = 0; block < 12; ++block) {
    const Bytes part = block % 4 == 2 ? reference::test::make_random(block_bytes, block)
                                      : reference::test::make_text(block_bytes, 3);
    input.insert(input.end(), part.begin(), part.end());
  }
  for (const std::uint32_t bits : format::tile_code_bits) {
    SCOPED_TRACE(std::to_string(bits) + " bits");
    const Bytes frame = reference::compress(input, {.format = format::BlockFormat::tiles,
                                                    .block_bytes = block_bytes,
                                                    .code_bits = bits,
                                                    .level = 1,
                                                    .threads = 1});
    const format::FrameView view = format::parse_frame(frame);
    std::size_t raw = 0;
    std::size_t shared = 0;
    for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
      const bool is_raw = view.index.entries[block].record.layout == format::BlockLayout::raw;
      raw += is_raw ? 1 : 0;
      shared += !is_raw && TilesHeader(view.payload(block).data()).dictionary_id() != 0 ? 1 : 0;
    }
    EXPECT_GT(raw, 0u);
    EXPECT_GT(shared, 0u);
    EXPECT_TRUE(decode_each_block(frame, false) == input);
    EXPECT_TRUE(decode_each_block(frame, true) == input);
  }
}

TEST(TilesOnCpu, RefusesWhatTheCallerHasMixedUp) {
  const Bytes input = reference::test::make_text(50'000, 1);
  const Bytes frame = reference::compress(input, {.format = format::BlockFormat::tiles,
                                                  .block_bytes = 16'384,
                                                  .code_bits = 8,
                                                  .level = 1,
                                                  .threads = 1});
  const format::FrameView view = format::parse_frame(frame);
  Bytes output(16'384);
  const std::span<std::uint8_t> all = output;
  EXPECT_THROW(decode_block(format::parse_block(view, 0), all.first(100), 0), std::invalid_argument);
  // Block 1 names block 0's table.
  ASSERT_NE(TilesHeader(view.payload(1).data()).dictionary_id(), 0u);
  EXPECT_THROW(decode_block(format::parse_block(view, 1), all, 1), std::invalid_argument);
  const Bytes splits = reference::compress(
      input, {.format = format::BlockFormat::splits, .block_bytes = 16'384, .threads = 1});
  EXPECT_THROW(decode_block(format::parse_block(format::parse_frame(splits), 0), all, 0),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::cpu::tiles
