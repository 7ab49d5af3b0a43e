#include "reference_cpu/tile_integer/for_block.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here
using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

constexpr std::uint32_t bits_of_word = 32;

std::uint64_t load(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
  return value;
}

void append(Bytes& bytes, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

void store_word(Bytes& bytes, std::size_t offset, std::uint64_t value) {
  format::store_little_endian<word_bytes>(bytes.data() + offset, value);
}

// A value as 64 bits, extended with its sign where the type has one.
std::uint64_t extended(std::uint64_t value, const TypeShape& type) {
  const std::uint32_t spare = 64 - type.max_width();
  if (!type.is_signed) return value;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << spare) >> spare);
}

// Rises with the value in the type's order.
std::uint64_t rank(std::uint64_t extended_value, const TypeShape& type) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return type.is_signed ? extended_value ^ sign : extended_value;
}

// Up to 128 values as differences from the smallest one; those that are not there are 0.
struct Differences {
  std::uint64_t reference;
  std::array<std::uint64_t, packed_block_values> values;
};

Differences differences_of(ByteSpan values, const TypeShape& type) {
  Differences differences{};
  const std::size_t count = values.size() / type.value_bytes;
  std::array<std::uint64_t, packed_block_values> extended_values{};
  for (std::size_t i = 0; i < count; ++i) {
    extended_values[i] = extended(load(values.data() + i * type.value_bytes, type.value_bytes), type);
  }
  differences.reference = *std::ranges::min_element(std::span(extended_values).first(count), {},
                                                    [&](std::uint64_t value) { return rank(value, type); });
  for (std::size_t i = 0; i < count; ++i) {
    differences.values[i] = extended_values[i] - differences.reference;
  }
  return differences;
}

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

// The lowest `width` bits of each value, one after the other.
void append_miniblock(Bytes& payload, std::span<const std::uint64_t> values, std::uint32_t width) {
  std::array<std::uint64_t, std::size_t{2} * miniblock_values> words{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for_each_piece(i * width, width, [&](const Piece& piece) {
      words[piece.word] |= (values[i] >> piece.before & piece.mask()) << piece.shift;
    });
  }
  for (std::uint32_t word = 0; word < width; ++word) append(payload, words[word], word_bytes);
}

void append_packed_block(Bytes& payload, ByteSpan values, const TypeShape& type) {
  const Differences differences = differences_of(values, type);
  append(payload, differences.reference, std::size_t{type.reference_words} * word_bytes);
  std::array<std::uint32_t, miniblocks_of_packed_block> widths{};
  const auto miniblock = [&](std::size_t number) {
    return std::span(differences.values).subspan(number * miniblock_values, miniblock_values);
  };
  for (std::size_t number = 0; number < widths.size(); ++number) {
    widths[number] = width_of(miniblock(number));
    append(payload, widths[number], 1);
  }
  for (std::size_t number = 0; number < widths.size(); ++number) {
    append_miniblock(payload, miniblock(number), widths[number]);
  }
}

std::uint64_t unpacked(const std::uint8_t* miniblock, std::size_t index, std::uint32_t width) {
  std::uint64_t value = 0;
  for_each_piece(index * width, width, [&](const Piece& piece) {
    const std::uint64_t word = format::load_little_endian<word_bytes>(miniblock + piece.word * word_bytes);
    value |= (word >> piece.shift & piece.mask()) << piece.before;
  });
  return value;
}

// Appends the first `count` values.
void decode_packed_block(const std::uint8_t* bytes, const TypeShape& type, std::size_t count, Bytes& output) {
  const std::size_t reference_bytes = std::size_t{type.reference_words} * word_bytes;
  const std::uint64_t reference = load(bytes, reference_bytes);
  const std::uint8_t* const widths = bytes + reference_bytes;
  const std::uint8_t* miniblock = widths + miniblocks_of_packed_block;
  for (std::size_t first = 0; first < count; first += miniblock_values) {
    const std::uint32_t width = widths[first / miniblock_values];
    for (std::size_t i = 0; i < std::min<std::size_t>(miniblock_values, count - first); ++i) {
      append(output, reference + unpacked(miniblock, i, width), type.value_bytes);
    }
    miniblock += std::size_t{width} * word_bytes;
  }
}

}  // namespace

std::vector<std::uint8_t> encode_for(ByteSpan block, Type type) {
  const TypeShape& of_type = shape_of(type);
  const BlockShape shape = block_shape(type, static_cast<std::uint32_t>(block.size()));
  Bytes payload(std::size_t{shape.first_start()} * word_bytes, 0);
  payload[type_offset] = static_cast<std::uint8_t>(type);
  store_word(payload, value_count_offset, shape.values);
  std::size_t largest = 0;
  const std::size_t bytes_of_packed_block = std::size_t{packed_block_values} * of_type.value_bytes;
  const ByteSpan values = block.first(block.size() - shape.rest_bytes);
  for (std::size_t number = 0; number <= shape.packed_blocks; ++number) {
    const std::size_t start = payload.size() / word_bytes;
    store_word(payload, header_bytes + number * word_bytes, start);
    if (number == shape.packed_blocks) break;
    const std::size_t begin = number * bytes_of_packed_block;
    append_packed_block(
        payload, values.subspan(begin, std::min(bytes_of_packed_block, values.size() - begin)), of_type);
    largest = std::max(largest, payload.size() / word_bytes - start);
  }
  store_word(payload, largest_offset, largest);
  payload.insert(payload.end(), block.end() - shape.rest_bytes, block.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> decode_for(ByteSpan payload, std::uint32_t uncompressed_bytes) {
  const auto type = static_cast<Type>(payload[type_offset]);
  const BlockShape shape = block_shape(type, uncompressed_bytes);
  Bytes output;
  output.reserve(uncompressed_bytes);
  const auto start_of = [&](std::size_t number) {
    return format::load_little_endian<word_bytes>(payload.data() + header_bytes + number * word_bytes) *
           word_bytes;
  };
  for (std::size_t number = 0; number < shape.packed_blocks; ++number) {
    const std::size_t left = shape.values - number * packed_block_values;
    decode_packed_block(payload.data() + start_of(number), shape_of(type),
                        std::min<std::size_t>(left, packed_block_values), output);
  }
  const ByteSpan rest = payload.subspan(start_of(shape.packed_blocks), shape.rest_bytes);
  output.insert(output.end(), rest.begin(), rest.end());
  return output;
}

}  // namespace gsst::reference::tile_integer
