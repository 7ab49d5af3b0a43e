#include "common/format/tile_integer/run_block_check.hpp"

#include <string>

#include "common/format/error.hpp"
#include "common/format/field_checks.hpp"
#include "common/format/part_size.hpp"
#include "common/format/tile_integer/payload_checks.hpp"

namespace gsst::format::tile_integer {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

// Where the parts of a stream are, in words of the payload.
struct Stream {
  std::uint64_t widths;
  std::uint64_t first_miniblock;
  std::uint64_t end;
};

// What one of the two streams may be.
struct StreamRules {
  std::uint32_t reference_words;
  std::uint32_t max_width;
  Place place;
};

std::uint32_t checked_run_count(ByteSpan payload, std::uint64_t start, const RunBlock& run_block,
                                std::uint64_t block) {
  const Place place = {.what = "run block", .number = run_block.number};
  if ((start + 1) * word_bytes > payload.size()) {
    throw_cut(payload, "the number of runs" + place.text(), block);
  }
  const std::uint32_t runs = word_at(payload, start);
  if (runs >= 1 && runs <= run_block.values) return runs;
  throw FormatError(
      block, "number of runs",
      "is " + std::to_string(runs) + place.text() + ", expected 1 to " + std::to_string(run_block.values));
}

// The stream at word `start`, whose widths are checked. The payload may end before its miniblocks.
Stream checked_stream(ByteSpan payload, std::uint64_t start, std::uint32_t miniblocks,
                      const StreamRules& rules, std::uint64_t block) {
  const std::uint64_t widths = start + rules.reference_words;
  const std::uint64_t first_miniblock = widths + words_of_widths(miniblocks);
  if (first_miniblock * word_bytes > payload.size()) {
    throw_cut(payload, "the reference and the widths" + rules.place.text(), block);
  }
  const ByteSpan bytes =
      payload.subspan(widths * word_bytes, std::size_t{words_of_widths(miniblocks)} * word_bytes);
  const std::uint32_t words =
      checked_miniblock_words(bytes.first(miniblocks), rules.max_width, rules.place, block);
  check_zero(bytes.subspan(miniblocks), "widths", block);
  return {.widths = widths, .first_miniblock = first_miniblock, .end = first_miniblock + words};
}

// The `width` bits, at most 9, from bit `bit` on of the words from number `word` on.
std::uint32_t length_bits(ByteSpan payload, std::uint64_t word, std::uint32_t bit, std::uint32_t width) {
  if (width == 0) return 0;
  const std::uint32_t shift = bit % 32;
  std::uint64_t bits = word_at(payload, word + bit / 32);
  // The next word may not be there where it has none of the bits.
  if (shift + width > 32) bits |= std::uint64_t{word_at(payload, word + bit / 32 + 1)} << 32;
  return static_cast<std::uint32_t>(bits >> shift) & ((std::uint32_t{1} << width) - 1);
}

void check_length(std::uint32_t length, std::uint32_t run, const RunBlock& run_block, const Place& place,
                  std::uint64_t block) {
  if (length >= 1 && length <= run_block.values) return;
  throw FormatError(block, "lengths",
                    "say " + std::to_string(length) + " for run " + std::to_string(run) + place.text() +
                        ", expected 1 to " + std::to_string(run_block.values));
}

// The lengths of a stream that the payload has whole.
void check_lengths(ByteSpan payload, const Stream& lengths, std::uint32_t runs, const RunBlock& run_block,
                   std::uint64_t block) {
  const Place place = {.what = "run block", .number = run_block.number};
  const std::uint32_t reference = word_at(payload, lengths.widths - length_reference_words);
  std::uint64_t miniblock = lengths.first_miniblock;
  std::uint32_t sum = 0;
  for (std::uint32_t run = 0; run < runs; ++run) {
    const std::uint32_t width = payload[lengths.widths * word_bytes + run / miniblock_values];
    const std::uint32_t length =
        reference + length_bits(payload, miniblock, run % miniblock_values * width, width);
    check_length(length, run, run_block, place, block);
    sum += length;
    if (run % miniblock_values == miniblock_values - 1) miniblock += width;
  }
  if (sum == run_block.values) return;
  throw FormatError(block, "lengths",
                    "add up to " + std::to_string(sum) + place.text() + ", which has " +
                        std::to_string(run_block.values) + " values");
}

}  // namespace

std::uint64_t checked_run_block_end(ByteSpan payload, std::uint64_t start, const RunBlock& run_block,
                                    const TypeShape& type, std::uint64_t block) {
  const std::uint32_t runs = checked_run_count(payload, start, run_block, block);
  const auto miniblocks = static_cast<std::uint32_t>(part_size(runs, miniblock_values));
  const StreamRules of_values = {.reference_words = type.reference_words,
                                 .max_width = type.max_width(),
                                 .place = {.what = "values of run block", .number = run_block.number}};
  const Stream values = checked_stream(payload, start + 1, miniblocks, of_values, block);
  const StreamRules of_lengths = {.reference_words = length_reference_words,
                                  .max_width = max_length_width,
                                  .place = {.what = "lengths of run block", .number = run_block.number}};
  const Stream lengths = checked_stream(payload, values.end, miniblocks, of_lengths, block);
  if (lengths.end * word_bytes > payload.size()) {
    throw_cut(payload, "the miniblocks" + of_lengths.place.text(), block);
  }
  check_lengths(payload, lengths, runs, run_block, block);
  return lengths.end;
}

}  // namespace gsst::format::tile_integer
