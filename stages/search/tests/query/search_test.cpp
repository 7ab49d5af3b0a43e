#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/test_frames.hpp"
#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tiles_block_test.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/tests/query/run_search.hpp"
#include "stages/suite/test_sample.hpp"

// Stages that search format tiles find what memmem() finds in the decoded text.
namespace gsst::search::kernels {
namespace {

using reference::test::all_tile_codes;
using reference::test::TileCodes;
using stage::Executor;

SearchedText part_of_text(const SearchedText& text, std::size_t begin, std::size_t bytes) {
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(std::min(begin, text.size()));
  return {first,
          first + static_cast<std::ptrdiff_t>(std::min(bytes, static_cast<std::size_t>(text.end() - first)))};
}

// A part of `text`, one in four with a byte changed.
SearchedText random_pattern(const SearchedText& text, std::size_t most_bytes, std::mt19937_64& random) {
  const std::size_t bytes = 1 + random() % std::min(most_bytes, text.size());
  SearchedText part = part_of_text(text, random() % (text.size() - bytes + 1), bytes);
  if (random() % 4 == 0) part[random() % bytes] = static_cast<std::uint8_t>(random());
  return part;
}

// Blocks that compress and, at a third of the places, blocks that do not and are stored raw.
SearchedText text_of_blocks(std::size_t blocks, std::size_t block_bytes) {
  SearchedText text;
  for (std::size_t block = 0; block < blocks; ++block) {
    const SearchedText part = block % 3 == 2 ? reference::test::make_random(block_bytes, block)
                                             : reference::test::make_text(block_bytes, 3 + block % 2);
    text.insert(text.end(), part.begin(), part.end());
  }
  text.resize(text.size() - block_bytes / 3);
  return text;
}

struct CodesOfFrame {
  std::uint32_t code_bits;
  std::uint32_t codes_per_lane;
  std::uint32_t strip_codes = 0;
  std::size_t block_bytes = std::size_t{4} << 20;
};

SearchedText frame_of(const SearchedText& text, const CodesOfFrame& codes) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = codes.block_bytes,
                                    .code_bits = codes.code_bits,
                                    .codes_per_lane = codes.codes_per_lane,
                                    .strip_codes = codes.strip_codes,
                                    .level = 1,
                                    .threads = 1});
}

std::string described(const CodesOfFrame& codes) {
  return std::to_string(codes.code_bits) + " bits, " + std::to_string(codes.codes_per_lane) +
         " codes a lane, blocks of " + std::to_string(codes.block_bytes);
}

// A block of a frame of format tiles, with its text.
struct BlockWithText {
  SearchedText payload;
  SearchedText text;
};

SearchedText frame_of_blocks(const std::vector<BlockWithText>& blocks) {
  SearchedText bytes;
  std::size_t block_size = 1;
  for (const BlockWithText& block : blocks) block_size = std::max(block_size, block.text.size());
  format::append(bytes, format::build_frame_header({.format = format::BlockFormat::tiles,
                                                    .block_size = static_cast<std::uint32_t>(block_size),
                                                    .split_count = 1}));
  format::FrameIndex index;
  for (const BlockWithText& block : blocks) {
    const format::BlockRecord record{.layout = format::BlockLayout::wide,
                                     .payload_bytes = static_cast<std::uint32_t>(block.payload.size()),
                                     .uncompressed_bytes = static_cast<std::uint32_t>(block.text.size()),
                                     .checksum = format::checksum(block.text)};
    format::append_block(index, record);
    format::append(bytes, format::build_block_record(record));
    format::append(bytes, block.payload);
  }
  format::append(bytes, format::build_frame_end(index));
  return bytes;
}

// What the codes put out, in strips of `strip_codes` codes.
SearchedText text_of_codes(const format::TileTable& table, const std::vector<std::uint16_t>& codes,
                           std::size_t strip_codes) {
  SearchedText text;
  std::uint64_t waiting = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i % strip_codes == 0) waiting = 0;
    waiting |= table.symbols[codes[i]];
    const unsigned length = table.length(codes[i]);
    for (unsigned byte = 0; byte < length; ++byte) {
      text.push_back(static_cast<std::uint8_t>(waiting >> (8 * byte)));
    }
    if (length != 0) waiting = 0;
  }
  return text;
}

class SearchTest : public testing::TestWithParam<stage::StageCase> {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases =
        stage::stage_cases(stage::Operation::query, format::BlockFormat::tiles);
    return cases;
  }

protected:
  static bool is_under_tool() { return !gsst::test::test_sample().is_whole(); }
  static bool is_slow() { return GetParam().executor == Executor::simt || is_under_tool(); }

  // Positions, with room for a few more than there are, and the count alone. Under a tool they take turns: it
  // looks at accesses, and those to codes are the same.
  void expect_found(const SearchedText& frame, const SearchedText& text, const SearchedText& wanted,
                    std::size_t shift = 0, const stage::ParameterValues& parameters = {}) {
    const SearchedText pattern = short_enough(wanted);
    const FoundPositions expected = positions_in_text(text, pattern);
    SCOPED_TRACE("pattern of " + std::to_string(pattern.size()) + " bytes with " +
                 std::to_string(expected.size()) + " matches, address + " + std::to_string(shift));
    const bool is_even = searched_++ % 2 == 0;
    if (is_even || !is_under_tool()) {
      const SearchResult found =
          run_search(GetParam(), frame, pattern, expected.size() + 3, shift, parameters);
      ASSERT_FALSE(found.outcome.problem) << found.outcome.problem->description;
      ASSERT_EQ(found.outcome.count, expected.size());
      ASSERT_TRUE(found.outcome.is_complete);
      ASSERT_EQ(found.positions, expected);
      ASSERT_FALSE(found.has_left_memory);
    }
    if (is_even && is_under_tool()) return;
    expect_counted(frame, expected.size(), pattern, shift, parameters);
  }

  void expect_counted(const SearchedText& frame, std::size_t expected, const SearchedText& pattern,
                      std::size_t shift, const stage::ParameterValues& parameters) {
    const SearchResult counted = run_search(GetParam(), frame, pattern, 0, shift, parameters);
    ASSERT_FALSE(counted.outcome.problem);
    ASSERT_EQ(counted.outcome.count, expected);
    ASSERT_TRUE(counted.outcome.is_complete);
    ASSERT_FALSE(counted.has_left_memory);
  }

private:
  // What the stage can search for of a pattern: an automaton has a state for each byte.
  static SearchedText short_enough(const SearchedText& pattern) {
    constexpr std::size_t most_automaton_bytes = 63;
    const bool is_automaton_stage = GetParam().stage == "search/07_automaton";
    return is_automaton_stage ? part_of_text(pattern, 0, most_automaton_bytes) : pattern;
  }

  unsigned searched_ = 0;
};

INSTANTIATE_TEST_SUITE_P(AllStages, SearchTest, testing::ValuesIn(SearchTest::cases()), stage::case_name);

// Patterns are longer than the smallest blocks.
TEST_P(SearchTest, FindsMatchesInAndOverBlocks) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  constexpr std::uint64_t seed = 3;
  std::mt19937_64 random(seed);
  for (const std::size_t block_bytes : {64u, 1000u, 8192u}) {
    const SearchedText text = text_of_blocks(9, block_bytes);
    for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
      for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
        if (!sample.has(choice++)) continue;
        const CodesOfFrame codes{
            .code_bits = code_bits, .codes_per_lane = codes_per_lane, .block_bytes = block_bytes};
        SCOPED_TRACE(described(codes) + ", seed " + std::to_string(seed));
        const SearchedText frame = frame_of(text, codes);
        // Some are between blocks that compress, at others one is raw.
        const std::size_t step = is_slow() ? 4 * block_bytes : block_bytes;
        for (std::size_t border = block_bytes; border < text.size(); border += step) {
          const std::size_t before = std::array{1, 2, 7}[random() % 3];
          ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, part_of_text(text, border - before, 8)))
              << "border " << border;
        }
        for (unsigned i = 0; i < (is_slow() ? 3 : 10); ++i) {
          const SearchedText pattern = random_pattern(text, i == 0 ? 4096 : 20, random);
          ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, pattern, i % 3)) << "pattern " << i;
        }
      }
    }
  }
}

// More tiles than a warp takes at once, and strips of one tile and of several.
TEST_P(SearchTest, FindsMatchesInLargeBlocks) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  constexpr std::uint64_t seed = 5;
  std::mt19937_64 random(seed);
  SearchedText text = reference::test::make_text(is_slow() ? 120'000 : 4'000'000, seed);
  const SearchedText rare = {'z', 'z', 'q', 'x', 'y', 'z'};
  for (std::size_t i = 0; i < 12; ++i) {
    std::ranges::copy(rare, text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() - 6)));
  }
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 32u}) {
      // One of them in every sample: blocks of several pieces are nowhere else.
      const bool is_first = choice == 0;
      if (!sample.has(choice++) && !is_first) continue;
      const CodesOfFrame codes{.code_bits = code_bits,
                               .codes_per_lane = codes_per_lane,
                               .strip_codes = codes_per_lane == 16 ? 512u : 2048u,
                               .block_bytes = text.size() / 2};
      SCOPED_TRACE(described(codes) + ", seed " + std::to_string(seed));
      const SearchedText frame = frame_of(text, codes);
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, rare));
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, {'z', 'z', 'q', 'x'}));
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, {'e'}));
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, {'e', ' '}));
      for (const std::size_t bytes : {3u, 8u, 15u, 40u}) {
        ASSERT_NO_FATAL_FAILURE(
            expect_found(frame, text, part_of_text(text, random() % (text.size() - bytes), bytes)));
      }
    }
  }
}

TEST_P(SearchTest, SearchesAwkwardTexts) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  for (const reference::test::NamedInput& input : reference::test::awkward_inputs()) {
    for (const std::uint32_t code_bits : {8u, 12u}) {
      if (!sample.has(choice++)) continue;
      SearchedText text = input.bytes;
      stage::shorten_where_slow(GetParam().executor, text, 5000);
      const CodesOfFrame codes{.code_bits = code_bits, .codes_per_lane = 0, .block_bytes = 1777};
      SCOPED_TRACE(input.name + ", " + described(codes));
      const SearchedText frame = frame_of(text, codes);
      const std::array patterns = {
          SearchedText{0},   SearchedText{0xff},  SearchedText{0, 0},    SearchedText{0xff, 0xff, 0xff},
          SearchedText{'a'}, SearchedText(12, 0), SearchedText(40, 0xff)};
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        // Under a tool every text has other ones.
        if (is_under_tool() && (i + choice) % 3 != 0) continue;
        ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, patterns[i]));
      }
      if (text.empty()) continue;
      std::mt19937_64 random(text.size());
      for (unsigned i = 0; i < (is_under_tool() ? 2 : 4); ++i) {
        ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, random_pattern(text, 30, random)));
      }
    }
  }
}

// Tables in which parts of a pattern are everywhere, and codes without output anywhere but not many in a row.
// Blocks share a table, or have their own.
TEST_P(SearchTest, SearchesMadeUpCodes) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  for (const TileCodes& kind : all_tile_codes) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        if (!sample.has(choice++)) continue;
        SCOPED_TRACE(reference::test::describe(kind, codes_per_lane) + ", seed " + std::to_string(seed));
        std::mt19937_64 random(seed);
        const SearchedText alphabet = {'a', 'b', 0};
        format::TileTable table = format::make_literal_tile_table(kind.code_bits, kind.escape_free);
        const std::uint32_t fixed = format::literal_class_count(kind.code_bits, kind.escape_free);
        const std::uint32_t class_codes = (1u << kind.code_bits) / format::length_class_count;
        std::vector<BlockWithText> blocks;
        for (unsigned number = 0; number < 5; ++number) {
          const bool is_shared = number == 1 || number == 4;
          for (std::uint32_t i = fixed; i < format::length_class_count && !is_shared; ++i) {
            table.class_lengths[i] = static_cast<std::uint8_t>(1 + random() % 8);
            if (seed == 2 && i == 7) table.class_lengths[i] = 0;
          }
          // So that a block can have any number of bytes.
          table.class_lengths[15] = 1;
          for (std::uint32_t code = fixed * class_codes; code < table.symbols.size() && !is_shared; ++code) {
            table.symbols[code] = 0;
            for (unsigned byte = 0; byte < table.length(code); ++byte) {
              table.symbols[code] |= std::uint64_t{alphabet[random() % alphabet.size()]} << (8 * byte);
            }
          }
          // All blocks but the last of a frame have the same number of bytes.
          const std::size_t block_bytes = number == 4 ? 700 : 5000;
          std::vector<std::uint16_t> codes;
          for (std::size_t bytes = 0; bytes != block_bytes;) {
            auto code = static_cast<std::uint16_t>(random() % table.symbols.size());
            // Letters as literals, so that patterns cross from literals to symbols.
            if (kind.code_bits != 8 && random() % 4 == 0) code = alphabet[random() % alphabet.size()];
            if (bytes + table.length(code) > block_bytes) continue;
            codes.push_back(code);
            bytes += table.length(code);
          }
          const std::uint32_t tiles_per_strip = 1 + number;
          blocks.push_back(
              {.payload = reference::test::tiles_block_of(
                   {.code_bits = kind.code_bits, .codes_per_lane = codes_per_lane}, tiles_per_strip, table,
                   codes),
               .text = text_of_codes(table, codes, std::size_t{32} * codes_per_lane * tiles_per_strip)});
          if (is_shared) format::share_table(blocks.back().payload, 1);
        }
        const SearchedText frame = frame_of_blocks(blocks);
        SearchedText text;
        for (const BlockWithText& block : blocks) format::append(text, block.text);
        ASSERT_EQ(reference::decompress_frame(frame, 1), text);
        for (unsigned i = 0; i < (is_under_tool() ? 4 : 8); ++i) {
          ASSERT_NO_FATAL_FAILURE(
              expect_found(frame, text, random_pattern(text, i == 0 ? 2000 : 14, random), i));
        }
      }
    }
  }
}

// Not in other codes. Its first bytes are the rarest.
constexpr std::string_view planted_word = "qzxjkaabb";

// A table of which every fourth code is all 'c', and the last class has the bytes of the planted word. All
// classes are used, and no code puts nothing out.
format::TileTable table_of_phases(const TileCodes& kind, std::mt19937_64& random) {
  format::TileTable table = format::make_literal_tile_table(kind.code_bits, kind.escape_free);
  const std::uint32_t fixed = format::literal_class_count(kind.code_bits, kind.escape_free);
  for (std::uint32_t i = fixed; i < format::length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(1 + random() % 8);
  }
  table.class_lengths[15] = 1;
  const std::uint32_t class_codes = (1u << kind.code_bits) / format::length_class_count;
  for (std::uint32_t code = fixed * class_codes; code < table.symbols.size(); ++code) {
    table.symbols[code] = 0;
    for (unsigned byte = 0; byte < table.length(code); ++byte) {
      const std::uint64_t letter = code % 4 == 3 ? 'c' : 'a' + random() % 2;
      table.symbols[code] |= letter << (8 * byte);
    }
  }
  for (std::uint32_t i = 0; i < planted_word.size(); ++i) {
    table.symbols[15 * class_codes + i] = static_cast<std::uint8_t>(planted_word[i]);
  }
  return table;
}

// Codes of the classes in front of the last that put 'a' and 'b' out for some tiles, with planted words, then
// hardly anything but 'c'. A planted word is over the end of each tile.
std::vector<std::uint16_t> codes_in_phases(const format::TileTable& table, std::size_t tiles,
                                           std::size_t tile_codes, std::mt19937_64& random) {
  const std::size_t class_codes = table.symbols.size() / format::length_class_count;
  const std::size_t first = class_codes * format::literal_class_count(table.code_bits, table.escape_free);
  const std::size_t last_class = 15 * class_codes;
  std::vector<std::uint16_t> codes(tiles * tile_codes);
  const auto plant = [&](std::size_t place) {
    for (std::size_t i = 0; i < planted_word.size() && place + i < codes.size(); ++i) {
      codes[place + i] = static_cast<std::uint16_t>(last_class + i);
    }
  };
  const std::size_t phase = 3 + random() % 5;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const bool is_rare = tile / phase % 2 == 1;
    for (std::size_t i = 0; i < tile_codes; ++i) {
      const auto code = static_cast<std::uint16_t>(first + random() % (last_class - first));
      codes[tile * tile_codes + i] = is_rare && random() % 200 != 0 ? code | 3 : code;
    }
    for (unsigned i = 0; i < 12 && !is_rare; ++i) {
      plant(tile * tile_codes + random() % (tile_codes - planted_word.size()));
    }
  }
  for (std::size_t tile = 1; tile < tiles; ++tile) {
    plant(tile * tile_codes - 1 - random() % (planted_word.size() - 1));
  }
  return codes;
}

// Patterns that are in every tile for a while and then in hardly any, and over the borders of tiles, pieces
// and blocks; one block has whole tiles only.
TEST_P(SearchTest, FindsWhatIsFrequentInParts) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  const stage::Description& description =
      stage::find_stage(GetParam().stage, stage::Operation::query)->description;
  // One warp takes all pieces.
  const bool has_warps = std::ranges::any_of(description.parameters,
                                             [](const stage::Parameter& one) { return one.name == "warps"; });
  const stage::ParameterValues one_warp =
      has_warps ? stage::ParameterValues{{"warps", 1}} : stage::ParameterValues{};
  constexpr std::array<std::uint32_t, 3> all_codes_per_lane = {16, 24, 32};
  std::size_t choice = 0;
  std::size_t kinds = 0;
  for (const TileCodes& kind : all_tile_codes) {
    if (!kind.escape_free) continue;
    // Under a tool each kind with one number of codes: which one depends on the tool and on the kind.
    const std::uint32_t of_tool = all_codes_per_lane.at((sample.first + kinds++) % all_codes_per_lane.size());
    for (const std::uint32_t codes_per_lane : all_codes_per_lane) {
      ++choice;
      if (is_under_tool() && codes_per_lane != of_tool) continue;
      SCOPED_TRACE(reference::test::describe(kind, codes_per_lane));
      std::mt19937_64 random(choice);
      const format::TileTable table = table_of_phases(kind, random);
      const std::size_t tile_codes = std::size_t{32} * codes_per_lane;
      std::vector<std::uint16_t> codes = codes_in_phases(table, 30, tile_codes, random);
      codes.resize(codes.size() - 77);
      std::vector<BlockWithText> blocks;
      const auto second = codes.begin() + static_cast<std::ptrdiff_t>(20 * tile_codes);
      for (const std::vector<std::uint16_t>& part :
           {std::vector(codes.begin(), second), std::vector(second, codes.end())}) {
        blocks.push_back(
            {.payload = reference::test::tiles_block_of(
                 {.code_bits = kind.code_bits, .codes_per_lane = codes_per_lane}, 2, table, part),
             .text = text_of_codes(table, part, 2 * tile_codes)});
      }
      const SearchedText frame = frame_of_blocks(blocks);
      SearchedText text;
      for (const BlockWithText& block : blocks) format::append(text, block.text);
      ASSERT_EQ(reference::decompress_frame(frame, 1), text);
      const SearchedText word(planted_word.begin(), planted_word.end());
      for (const std::size_t bytes : {9u, 8u, 7u}) {
        const SearchedText begin = part_of_text(word, 0, bytes);
        ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, begin, 0, one_warp));
        // A search that counts does it in another way.
        const std::size_t matches = positions_in_text(text, begin).size();
        ASSERT_NO_FATAL_FAILURE(expect_counted(frame, matches, begin, 0, one_warp));
        ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, part_of_text(word, 9 - bytes, bytes)));
      }
      for (const std::size_t bytes : {1u, 2u, 5u, 7u, 8u, 10u}) {
        if (is_under_tool() && bytes % 3 != choice % 3) continue;
        ASSERT_NO_FATAL_FAILURE(
            expect_found(frame, text, part_of_text(text, random() % 4000, bytes), 0, one_warp));
      }
    }
  }
}

// First halves of a byte, any number of them, in front of the second half of 'c'.
TEST_P(SearchTest, ReadsOverSomeCodesWithoutOutput) {
  const TileCodes kind{.code_bits = 8, .escape_free = false};
  format::TileTable table = format::make_literal_tile_table(kind.code_bits, kind.escape_free);
  table.class_lengths[2] = 2;
  for (std::uint32_t code = 32; code < 48; ++code) table.symbols[code] = 'a' | 'b' << 8;
  for (const std::size_t halves : {1u, 40u, 64u, 65u, 400u}) {
    std::vector<std::uint16_t> codes(500, 32);
    codes.insert(codes.end(), halves, 6);
    codes.push_back(16 + 3);
    codes.insert(codes.end(), 500, 33);
    SCOPED_TRACE(std::to_string(halves) + " halves");
    const SearchedText text = text_of_codes(table, codes, codes.size());
    const SearchedText frame =
        frame_of_blocks({{.payload = reference::test::tiles_block_of({.code_bits = 8, .codes_per_lane = 16},
                                                                     10, table, codes),
                          .text = text}});
    ASSERT_EQ(reference::decompress_frame(frame, 1), text);
    const SearchedText pattern = {'a', 'b', 'c', 'a'};
    const SearchResult found = run_search(GetParam(), frame, pattern, 10);
    EXPECT_FALSE(found.has_left_memory);
    if (halves <= most_codes_without_output || !found.outcome.problem) {
      EXPECT_FALSE(found.outcome.problem);
      EXPECT_EQ(found.positions, positions_in_text(text, pattern));
      continue;
    }
    EXPECT_EQ(found.outcome.problem->field, "codes of strip 0");
    EXPECT_EQ(found.outcome.problem->description,
              "are not searched: more than 64 codes in a row put nothing out");
  }
}

// A strip whose codes put out more or fewer bytes than it has is reported where a position is wanted.
TEST_P(SearchTest, ReportsStripsOfWrongLength) {
  for (const bool is_longer : {false, true}) {
    format::TileTable table = format::make_literal_tile_table(10, true);
    table.class_lengths[5] = 3;
    for (std::uint32_t code = 5 * 64; code < 6 * 64; ++code) table.symbols[code] = 'x' | 'y' << 8 | 'z' << 16;
    std::vector<std::uint16_t> codes(2000, 'a');
    std::ranges::fill(codes.begin() + 600, codes.begin() + 620, std::uint16_t{5 * 64});
    const SearchedText text = text_of_codes(table, codes, 512);
    SearchedText payload =
        reference::test::tiles_block_of({.code_bits = 10, .codes_per_lane = 16}, 1, table, codes);
    // In the second tile, of strip 1: the upper bits of code 200, or those of code 88, which is a symbol.
    const std::size_t tile = format::tiles_header_bytes + 640;
    payload.at(tile + (is_longer ? 200 : 88)) = is_longer ? 5 * 64 / 4 : 'a' / 4;
    const SearchedText frame = frame_of_blocks({{.payload = payload, .text = text}});
    const SearchResult found = run_search(GetParam(), frame, {'y', 'z', 'x'}, 100);
    ASSERT_TRUE(found.outcome.problem);
    EXPECT_EQ(found.outcome.problem->item, 0u);
    EXPECT_EQ(found.outcome.problem->field, "codes of strip 1");
    EXPECT_FALSE(found.outcome.is_complete);
    EXPECT_FALSE(found.has_left_memory);
  }
}

// Several tables, and codes of several widths in one frame, with every value of every parameter.
TEST_P(SearchTest, FindsTheSameWithEveryParameter) {
  constexpr std::uint64_t seed = 11;
  std::mt19937_64 random(seed);
  const SearchedText text = text_of_blocks(8, 20'000);
  const SearchedText frame = frame_of(text, {.code_bits = 0, .codes_per_lane = 0, .block_bytes = 20'000});
  const SearchedText pattern = part_of_text(text, 41'234, 9);
  for (const stage::Parameter& parameter :
       stage::find_stage(GetParam().stage, stage::Operation::query)->description.parameters) {
    for (const std::int64_t value : parameter.values) {
      SCOPED_TRACE(parameter.name + " " + std::to_string(value));
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, pattern, 0, {{parameter.name, value}}));
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, {'e'}, 1, {{parameter.name, value}}));
    }
  }
}

// A test that a GPU's host has no columns for is left out there: a skipped one would be no verification.
class SearchDbtextTest : public SearchTest {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases = SearchTest::cases();
    if (reference::test::dbtext_columns().empty()) {
      std::erase_if(cases, [](const stage::StageCase& one) { return one.executor == Executor::gpu; });
    }
    return cases;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, SearchDbtextTest, testing::ValuesIn(SearchDbtextTest::cases()),
                         stage::case_name);

// Each column with codes of one width, which take turns.
TEST_P(SearchDbtextTest, FindsPartsOfDbtext) {
  const auto columns = reference::test::dbtext_columns();
  const char* const missing = reference::test::dbtext_is_missing;
  if (columns.empty() && GetParam().executor != Executor::gpu) GTEST_SKIP() << missing;
  const gsst::test::TestSample sample = gsst::test::test_sample();
  constexpr std::array<std::uint32_t, 3> widths = {8, 10, 12};
  std::size_t choice = 0;
  for (const auto& [name, path] : columns) {
    const std::size_t column = choice++;
    if (!sample.has(column)) continue;
    SearchedText text = reference::test::read_file(path);
    text.resize(std::min<std::size_t>(text.size(), is_slow() ? 20'000 : 1'000'000));
    const CodesOfFrame codes{
        .code_bits = widths[column % widths.size()], .codes_per_lane = 0, .block_bytes = text.size() * 2 / 5};
    SCOPED_TRACE(name + ", " + described(codes));
    const SearchedText frame = frame_of(text, codes);
    constexpr std::uint64_t seed = 17;
    std::mt19937_64 random(seed);
    for (unsigned i = 0; i < 3; ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_found(frame, text, random_pattern(text, i == 0 ? 4096 : 16, random)));
    }
  }
}

TEST_P(SearchTest, SaysHowManyThereAreWithoutRoom) {
  const SearchedText text = reference::test::make_text(20'000, 1);
  const SearchedText frame = frame_of(text, {.code_bits = 10, .codes_per_lane = 32});
  const SearchedText pattern = {'e'};
  const std::uint64_t count = positions_in_text(text, pattern).size();
  ASSERT_GT(count, 1u);
  for (const std::uint64_t room : {std::uint64_t{1}, count - 1, count}) {
    const SearchResult found = run_search(GetParam(), frame, pattern, room);
    EXPECT_FALSE(found.outcome.problem);
    EXPECT_EQ(found.outcome.count, count);
    EXPECT_EQ(found.outcome.is_complete, room == count);
    EXPECT_FALSE(found.has_left_memory);
  }
}

TEST_P(SearchTest, RefusesWhatItCannotSearch) {
  const SearchedText text = reference::test::make_text(1000, 1);
  const SearchedText frame = frame_of(text, {.code_bits = 8, .codes_per_lane = 32});
  const auto expect_refused = [](const std::vector<SearchedText>& frames, const std::string& question) {
    stage::QuerySubject subject{.frames = {}, .question = question, .output_bytes = 0};
    for (const SearchedText& one : frames) subject.frames.push_back(stage::frame_shape(one));
    EXPECT_THROW(stage::find_stage(GetParam().stage, stage::Operation::query)
                     ->query.at(GetParam().executor)
                     .make(subject),
                 std::invalid_argument);
  };
  expect_refused({frame}, "");
  expect_refused({frame}, std::string(4097, 'a'));
  expect_refused({frame, frame}, "a");
  expect_refused({}, "a");
  expect_refused({reference::compress(text, {.format = format::BlockFormat::splits, .threads = 1})}, "a");
}

// Frames with bytes changed anywhere: refused, a problem, or positions. A problem is one of the frame's.
TEST_P(SearchTest, DamagedFrames) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  const SearchedText text = text_of_blocks(7, 4096);
  std::vector<SearchedText> frames;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    frames.push_back(frame_of(text, {.code_bits = code_bits, .codes_per_lane = 16, .block_bytes = 4096}));
  }
  unsigned searched = 0;
  const std::uint64_t seeds = GetParam().executor == Executor::simt ? 150 : sample.size(900, 450);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (!sample.has(seed)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    SearchedText frame = frames[seed % frames.size()];
    for (std::uint64_t hits = random() % 3 + 1; hits != 0; --hits) {
      frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
    }
    const SearchedText pattern = random_pattern(text, 12, random);
    try {
      const std::uint64_t room = seed % 4 == 0 ? 0 : text.size();
      const SearchResult found = run_search(GetParam(), frame, pattern, room);
      ++searched;
      ASSERT_FALSE(found.has_left_memory);
    } catch (const format::FormatError&) {
    } catch (const std::invalid_argument&) {
    }
  }
  if (sample.is_whole()) {
    EXPECT_GT(searched, seeds / 10);
  }
}

}  // namespace
}  // namespace gsst::search::kernels
