#include "search/codes/frame_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "search/codes/find_in_text_test.hpp"
#include "stages/suite/test_sample.hpp"

// Frames, searched on their codes, against comparing in the text.
namespace gsst::search::codes {
namespace {

using test::find_in_text;
using test::Positions;
using test::Text;

Positions find_in(const Text& frame, const Literal& literal) {
  Positions found;
  find_in_frame(format::reader_of(frame), literal,
                [&](std::uint64_t position) { found.push_back(position); });
  return found;
}

Text part_of(const Text& text, std::size_t begin, std::size_t bytes) {
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(std::min(begin, text.size()));
  return {first,
          first + static_cast<std::ptrdiff_t>(std::min(bytes, static_cast<std::size_t>(text.end() - first)))};
}

Text random_part(const Text& text, std::size_t most_bytes, std::mt19937_64& random) {
  const std::size_t bytes = 1 + random() % std::min(most_bytes, text.size());
  Text part = part_of(text, random() % (text.size() - bytes + 1), bytes);
  if (random() % 4 == 0) part[random() % bytes] = static_cast<std::uint8_t>(random());
  return part;
}

// Blocks that compress and, at a third of the places, blocks that do not and are stored raw.
Text make_searched_text(std::size_t blocks, std::size_t block_bytes) {
  Text text;
  for (std::size_t block = 0; block < blocks; ++block) {
    const Text part = block % 3 == 2 ? reference::test::make_random(block_bytes, block)
                                     : reference::test::make_text(block_bytes, 3 + block % 2);
    text.insert(text.end(), part.begin(), part.end());
  }
  text.resize(text.size() - block_bytes / 3);
  return text;
}

TEST(FrameSearch, FindsMatchesInAndOverBlocks) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  std::mt19937_64 random(3);
  // Patterns are longer than the smallest blocks.
  for (const std::size_t block_bytes : {64u, 1000u, 8192u}) {
    const Text text = make_searched_text(9, block_bytes);
    for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
      for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
        if (!sample.has(choice++)) continue;
        SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(codes_per_lane) +
                     " codes a lane, blocks of " + std::to_string(block_bytes));
        const Text frame = reference::compress(text, {.format = format::BlockFormat::tiles,
                                                      .block_bytes = block_bytes,
                                                      .code_bits = code_bits,
                                                      .codes_per_lane = codes_per_lane,
                                                      .level = 1,
                                                      .threads = 1});
        for (std::size_t border = block_bytes; border < text.size(); border += block_bytes) {
          for (const std::size_t before : {1u, 2u, 7u}) {
            const Text over = part_of(text, border - before, 8);
            ASSERT_EQ(find_in(frame, Literal(over)), find_in_text(text, over, false)) << "border " << border;
          }
        }
        for (unsigned i = 0; i < 30; ++i) {
          const Text pattern = random_part(text, i % 5 == 0 ? 4096 : 20, random);
          const bool ignore_case = i % 3 == 0;
          ASSERT_EQ(find_in(frame, Literal(pattern, ignore_case)), find_in_text(text, pattern, ignore_case))
              << "pattern " << i;
        }
      }
    }
  }
}

TEST(FrameSearch, AwkwardTexts) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  for (const reference::test::NamedInput& input : reference::test::awkward_inputs()) {
    SCOPED_TRACE(input.name);
    for (const std::uint32_t code_bits : {8u, 12u}) {
      if (!sample.has(choice++)) continue;
      const Text frame = reference::compress(
          input.bytes,
          {.format = format::BlockFormat::tiles, .code_bits = code_bits, .level = 1, .threads = 1});
      for (const Text& pattern : {Text{0}, Text{0xff}, Text{0, 0}, Text{0xff, 0xff, 0xff}, Text{'a'},
                                  Text(12, 0), Text(40, 0xff)}) {
        ASSERT_EQ(find_in(frame, Literal(pattern)), find_in_text(input.bytes, pattern, false));
      }
      if (input.bytes.empty()) continue;
      std::mt19937_64 random(input.bytes.size());
      for (unsigned i = 0; i < 4; ++i) {
        const Text pattern = random_part(input.bytes, 30, random);
        ASSERT_EQ(find_in(frame, Literal(pattern)), find_in_text(input.bytes, pattern, false));
      }
    }
  }
}

TEST(FrameSearch, CountsWhatItSearched) {
  const Text text = make_searched_text(5, 4096);
  const Text frame = reference::compress(
      text, {.format = format::BlockFormat::tiles, .block_bytes = 4096, .level = 1, .threads = 1});
  const format::StreamTotals totals =
      find_in_frame(format::reader_of(frame), Literal(Text{'x'}), [](std::uint64_t) {});
  EXPECT_EQ(totals.blocks, 5u);
  EXPECT_EQ(totals.output_bytes, text.size());
  EXPECT_EQ(totals.input_bytes, frame.size());
}

TEST(FrameSearch, RefusesAnotherFormat) {
  const Text frame = reference::compress(reference::test::make_text(1000, 1),
                                         {.format = format::BlockFormat::splits, .threads = 1});
  EXPECT_THROW(find_in(frame, Literal(Text{'a'})), std::invalid_argument);
}

// Frames with bytes changed anywhere or cut short: an error, or places in the text.
TEST(FrameSearch, DamagedFrames) {
  const Text text = make_searched_text(7, 4096);
  std::vector<Text> frames;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    frames.push_back(reference::compress(text, {.format = format::BlockFormat::tiles,
                                                .block_bytes = 4096,
                                                .code_bits = code_bits,
                                                .level = 1,
                                                .threads = 1}));
  }
  const gsst::test::TestSample sample = gsst::test::test_sample();
  for (std::uint64_t seed = 1; seed <= 900; ++seed) {
    if (!sample.has(seed)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Text frame = frames[seed % frames.size()];
    for (std::uint64_t hits = random() % 3 + 1; hits != 0; --hits) {
      frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
    }
    if (seed % 3 == 0) frame[random() % 150] = static_cast<std::uint8_t>(random());
    if (seed % 7 == 0) frame.resize(random() % frame.size());
    const Text pattern = random_part(text, 12, random);
    Positions found;
    try {
      const format::StreamTotals totals =
          find_in_frame(format::reader_of(frame), Literal(pattern),
                        [&](std::uint64_t position) { found.push_back(position); });
      for (const std::uint64_t position : found) {
        ASSERT_LE(position + pattern.size(), totals.output_bytes);
      }
    } catch (const format::FormatError&) {
    } catch (const std::invalid_argument&) {
    }
  }
}

// Each column with codes of one width, which take turns.
TEST(FrameSearch, FindsPartsOfDbtext) {
  const auto columns = reference::test::dbtext_columns();
  if (columns.empty()) GTEST_SKIP() << reference::test::dbtext_is_missing;
  const gsst::test::TestSample sample = gsst::test::test_sample();
  constexpr std::array<std::uint32_t, 3> widths = {8, 10, 12};
  std::size_t choice = 0;
  for (const auto& [name, path] : columns) {
    const std::size_t column = choice++;
    if (!sample.has(column)) continue;
    const std::uint32_t code_bits = widths[column % widths.size()];
    SCOPED_TRACE(name + ", " + std::to_string(code_bits) + " bits");
    Text text = reference::test::read_file(path);
    text.resize(std::min<std::size_t>(text.size(), 100000));
    const Text frame = reference::compress(text, {.format = format::BlockFormat::tiles,
                                                  .block_bytes = 40000,
                                                  .code_bits = code_bits,
                                                  .level = 1,
                                                  .threads = 1});
    std::mt19937_64 random(17);
    for (unsigned i = 0; i < 20; ++i) {
      const Text pattern = random_part(text, i % 6 == 0 ? 4096 : 16, random);
      const bool ignore_case = i % 4 == 0;
      ASSERT_EQ(find_in(frame, Literal(pattern, ignore_case)), find_in_text(text, pattern, ignore_case))
          << "pattern " << i;
    }
  }
}

}  // namespace
}  // namespace gsst::search::codes
