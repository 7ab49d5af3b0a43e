#include "reference_cpu/tile_integer/packed_block.hpp"

#include <algorithm>
#include <bit>

#include "common/format/bytes.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t bits_of_word = 32;

std::uint32_t width_of(std::span<const std::uint64_t> miniblock) {
  return static_cast<std::uint32_t>(std::bit_width(*std::ranges::max_element(miniblock)));
}

// Bits of a value that one word holds.
struct Piece {
  std::uint64_t word;
  std::uint32_t shift;
  // Bits of the value before these.
  std::uint32_t before;
  std::uint32_t bits;

  std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};

// Calls `visit` for the pieces of the value of `width` bits that starts at bit `bit` of words.
template <typename Visit>
void for_each_piece(std::uint64_t bit, std::uint32_t width, const Visit& visit) {
  for (std::uint32_t before = 0; before < width;) {
    const auto shift = static_cast<std::uint32_t>((bit + before) % bits_of_word);
    const std::uint32_t bits = std::min(bits_of_word - shift, width - before);
    visit(Piece{.word = (bit + before) / bits_of_word, .shift = shift, .before = before, .bits = bits});
    before += bits;
  }
}

}  // namespace

std::vector<std::uint32_t> words_of_miniblock(std::span<const std::uint64_t> numbers, std::uint32_t width) {
  std::vector<std::uint32_t> words(width);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for_each_piece(i * width, width, [&](const Piece& piece) {
      words[piece.word] |=
          static_cast<std::uint32_t>((numbers[i] >> piece.before & piece.mask()) << piece.shift);
    });
  }
  return words;
}

std::uint64_t number_in_words(const std::uint8_t* bytes, std::size_t stride, std::size_t index,
                              std::uint32_t width) {
  std::uint64_t value = 0;
  for_each_piece(index * width, width, [&](const Piece& piece) {
    const std::uint64_t word =
        format::load_little_endian<word_bytes>(bytes + piece.word * stride * word_bytes);
    value |= (word >> piece.shift & piece.mask()) << piece.before;
  });
  return value;
}

std::uint64_t load_number(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
  return value;
}

void append_number(Bytes& bytes, std::uint64_t number, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> 8 * i));
}

std::uint64_t sign_extended(std::uint64_t number, std::uint32_t bits) {
  const std::uint32_t spare = 64 - bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number << spare) >> spare);
}

std::uint64_t smallest_number(std::span<const std::uint64_t> numbers, bool is_signed) {
  // With its highest bit changed, a signed number has the order of an unsigned one.
  const std::uint64_t change = is_signed ? std::uint64_t{1} << 63 : 0;
  return *std::ranges::min_element(numbers, {}, [&](std::uint64_t number) { return number ^ change; });
}

void append_stream(Bytes& payload, std::span<const std::uint64_t> numbers, std::size_t miniblocks,
                   std::uint64_t reference, std::uint32_t reference_words) {
  std::vector<std::uint64_t> differences(miniblocks * miniblock_values, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) differences[i] = numbers[i] - reference;
  const auto miniblock = [&](std::size_t number) {
    return std::span(differences).subspan(number * miniblock_values, miniblock_values);
  };
  append_number(payload, reference, std::size_t{reference_words} * word_bytes);
  const std::size_t widths = payload.size();
  payload.resize(widths + std::size_t{words_of_widths(static_cast<std::uint32_t>(miniblocks))} * word_bytes,
                 0);
  for (std::size_t number = 0; number < miniblocks; ++number) {
    const std::uint32_t width = width_of(miniblock(number));
    payload[widths + number] = static_cast<std::uint8_t>(width);
    for (const std::uint32_t word : words_of_miniblock(miniblock(number), width)) {
      append_number(payload, word, word_bytes);
    }
  }
}

StreamNumbers numbers_of_stream(const std::uint8_t* bytes, std::size_t miniblocks,
                                std::uint32_t reference_words) {
  const std::uint64_t reference = load_number(bytes, std::size_t{reference_words} * word_bytes);
  const std::uint8_t* const widths = bytes + std::size_t{reference_words} * word_bytes;
  StreamNumbers stream = {
      .numbers = {},
      .end = widths + std::size_t{words_of_widths(static_cast<std::uint32_t>(miniblocks))} * word_bytes};
  for (std::size_t miniblock = 0; miniblock < miniblocks; ++miniblock) {
    const std::uint32_t width = widths[miniblock];
    for (std::size_t i = 0; i < miniblock_values; ++i) {
      stream.numbers.push_back(reference + number_in_words(stream.end, 1, i, width));
    }
    stream.end += std::size_t{width} * word_bytes;
  }
  return stream;
}

void append_packed_block(Bytes& payload, std::span<const std::uint64_t> numbers, std::uint64_t reference,
                         const TypeShape& type) {
  append_stream(payload, numbers, miniblocks_of_packed_block, reference, type.reference_words);
}

std::vector<std::uint64_t> numbers_of_packed_block(const std::uint8_t* bytes, const TypeShape& type) {
  return numbers_of_stream(bytes, miniblocks_of_packed_block, type.reference_words).numbers;
}

}  // namespace gsst::reference::tile_integer
