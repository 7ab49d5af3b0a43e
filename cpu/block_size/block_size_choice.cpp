#include "cpu/block_size/block_size_choice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "common/format/part_size.hpp"

namespace gsst::cpu {
namespace {

// A piece is read of each part of the input.
constexpr std::uint64_t part_bytes = std::uint64_t{16} << 10;
constexpr std::size_t piece_bytes = 512;
constexpr std::uint64_t places_apart = 13;
// Of the bits of codes for single bytes: what codes for smaller blocks must save at least. Within a column of
// DBText it is a tenth of that, in all of them as one text several times as much.
constexpr std::uint64_t least_saved_per_mille = 30;

constexpr std::size_t byte_values = 256;

// Logarithms are of base 2, in parts of 2^16, and whole numbers: the same on every machine.
constexpr unsigned fraction_bits = 16;
constexpr unsigned mantissa_bits = 10;

// Of 1 + i / 2^mantissa_bits.
constexpr std::array<std::uint32_t, 1 << mantissa_bits> make_logarithms() {
  std::array<std::uint32_t, 1 << mantissa_bits> logarithms{};
  for (std::uint64_t i = 0; i < logarithms.size(); ++i) {
    // With 31 bits behind the point, from 1 to 2: each square has twice the logarithm.
    std::uint64_t number = (logarithms.size() + i) << (31 - mantissa_bits);
    for (unsigned bit = 0; bit < fraction_bits; ++bit) {
      number = number * number >> 31;
      const bool is_two = number >> 32 != 0;
      logarithms[i] = logarithms[i] << 1 | (is_two ? 1U : 0U);
      if (is_two) number >>= 1;
    }
  }
  return logarithms;
}
constexpr std::array<std::uint32_t, 1 << mantissa_bits> logarithms = make_logarithms();

std::uint64_t logarithm(std::uint32_t number) {
  const unsigned exponent = static_cast<unsigned>(std::bit_width(number)) - 1;
  const std::uint64_t mantissa = (std::uint64_t{number} << mantissa_bits >> exponent) - logarithms.size();
  return (std::uint64_t{exponent} << fraction_bits) + logarithms[mantissa];
}

// How often each byte occurs in a part of the sample.
using ByteCounts = std::array<std::uint32_t, byte_values>;

void add(ByteCounts& counts, const ByteCounts& others) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += others[i];
}

// Bits that a code for these bytes alone takes for all of them, in parts of 2^16. What few bytes seem to save
// by chance is added: half a bit of base e for each value but one.
std::uint64_t coded_bits(const ByteCounts& counts) {
  constexpr std::uint64_t chance_of_value = 47274;  // 2^16 / (2 * ln 2)
  std::uint32_t total = 0;
  std::uint64_t values = 0;
  std::uint64_t bits = 0;
  for (const std::uint32_t count : counts) {
    if (count == 0) continue;
    total += count;
    ++values;
    bits += count * logarithm(count);
  }
  if (total == 0) return 0;
  return total * logarithm(total) - bits + (values - 1) * chance_of_value;
}

// The counts of each part of an input that a piece is read of.
std::vector<ByteCounts> count_bytes(std::uint64_t bytes, const ReadAtFunction& read_at) {
  std::vector<ByteCounts> counts(format::part_size(bytes, part_bytes));
  std::array<std::uint8_t, piece_bytes> piece{};
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t begin = i * part_bytes;
    const std::uint64_t size = std::min(bytes - begin, part_bytes);
    // Not at the same place in each part: records of one length are seen in all their parts.
    const std::uint64_t place = i * places_apart % (part_bytes / piece_bytes) * piece_bytes;
    const std::uint64_t offset = place + piece_bytes <= size ? place : 0;
    const auto read = std::span(piece).first(std::min<std::uint64_t>(size, piece_bytes));
    read_at(begin + offset, read);
    for (const std::uint8_t byte : read) ++counts[i][byte];
  }
  return counts;
}

// Of all blocks, each of so many parts.
std::uint64_t coded_bits(const std::vector<ByteCounts>& parts, std::size_t parts_of_block) {
  std::uint64_t bits = 0;
  for (std::size_t first = 0; first < parts.size(); first += parts_of_block) {
    ByteCounts block{};
    const std::size_t end = std::min(first + parts_of_block, parts.size());
    for (std::size_t i = first; i < end; ++i) add(block, parts[i]);
    bits += coded_bits(block);
  }
  return bits;
}

std::string one_decimal(std::uint64_t tenths) {
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

BlockSizeChoice choose_block_size(std::uint64_t bytes, const ReadAtFunction& read_at,
                                  const format::EncodeSettings& settings) {
  const auto code_bits = settings.options.find("code-bits");
  const bool is_wide = code_bits != settings.options.end() && code_bits->second > 8;
  const std::uint64_t smaller_bytes = is_wide ? medium_block_bytes : small_block_bytes;
  const std::vector<ByteCounts> parts = count_bytes(bytes, read_at);
  const std::uint64_t large = coded_bits(parts, large_block_bytes / part_bytes);
  const std::uint64_t smaller = std::min(coded_bits(parts, smaller_bytes / part_bytes), large);
  const std::uint64_t saved_per_mille = large == 0 ? 0 : (large - smaller) * 1000 / large;
  const bool pays = saved_per_mille >= least_saved_per_mille;
  const std::uint64_t chosen = pays ? smaller_bytes : large_block_bytes;
  return {.block_bytes = chosen,
          .reason = "blocks of " + std::to_string(chosen) + " bytes chosen: codes of single bytes would be " +
                    one_decimal(saved_per_mille) + " % shorter if each " + std::to_string(smaller_bytes) +
                    " bytes had their own than if each " + std::to_string(large_block_bytes) + " had"};
}

BlockSizeChoice choose_block_size(std::span<const std::uint8_t> input,
                                  const format::EncodeSettings& settings) {
  const auto read_at = [&](std::uint64_t offset, std::span<std::uint8_t> buffer) {
    std::ranges::copy(input.subspan(offset, buffer.size()), buffer.begin());
  };
  return choose_block_size(std::min<std::uint64_t>(input.size(), most_looked_at_bytes), read_at, settings);
}

}  // namespace gsst::cpu
