#include "reference_cpu/zero_length/dictionary_block.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/dictionary.hpp"

namespace gsst::reference::zero_length {
namespace {

using format::load_little_endian;
using format::store_little_endian;
using format::zero_length::dictionary_count_bytes;
using format::zero_length::dictionary_header_bytes;
using format::zero_length::dictionary_places;
using format::zero_length::DictionaryPlaces;
using format::zero_length::float_bytes;
using format::zero_length::index_bits;
using ByteSpan = std::span<const std::uint8_t>;

std::uint32_t float_at(ByteSpan bytes, std::size_t index) {
  return static_cast<std::uint32_t>(load_little_endian<float_bytes>(bytes.data() + index * float_bytes));
}

// The block's floats, each once and rising; nothing where they are more than `most`.
std::vector<std::uint32_t> sorted_values(ByteSpan block, std::size_t most) {
  std::unordered_set<std::uint32_t> found;
  for (std::size_t i = 0; i < block.size() / float_bytes; ++i) {
    if (found.insert(float_at(block, i)).second && found.size() > most) return {};
  }
  std::vector<std::uint32_t> values(found.begin(), found.end());
  std::ranges::sort(values);
  return values;
}

// Indexes one after the other, the lowest bits first.
class BitWriter {
public:
  explicit BitWriter(std::uint8_t* bytes) : next_(bytes) {}

  void put(std::uint32_t number, std::uint32_t bits) {
    waiting_ |= std::uint64_t{number} << waiting_bits_;
    for (waiting_bits_ += bits; waiting_bits_ >= 8; waiting_bits_ -= 8) put_byte();
  }

  void put_end() {
    if (waiting_bits_ != 0) put_byte();
  }

private:
  void put_byte() {
    *next_++ = static_cast<std::uint8_t>(waiting_);
    waiting_ >>= 8;
  }

  std::uint8_t* next_;
  std::uint64_t waiting_ = 0;
  std::uint32_t waiting_bits_ = 0;
};

// The `bits` bits from bit `first` on, of `bytes`, which have them.
std::uint32_t bits_at(ByteSpan bytes, std::uint64_t first, std::uint32_t bits) {
  std::uint32_t number = 0;
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const std::uint64_t place = first + bit;
    number |= (std::uint32_t{bytes[place / 8]} >> place % 8 & 1) << bit;
  }
  return number;
}

}  // namespace

std::size_t encode_dictionary(ByteSpan block, std::span<std::uint8_t> payload) {
  if (payload.size() < block.size()) {
    throw std::invalid_argument("encode_dictionary: " + std::to_string(payload.size()) +
                                " bytes are too few for a block of " + std::to_string(block.size()));
  }
  const std::vector<std::uint32_t> values =
      sorted_values(block, format::zero_length::most_paying_values(block.size()));
  if (values.empty()) return block.size();
  const auto count = static_cast<std::uint32_t>(values.size());
  const DictionaryPlaces places = dictionary_places(count, block.size());
  store_little_endian<dictionary_count_bytes>(payload.data(), count);
  payload[dictionary_count_bytes] = static_cast<std::uint8_t>(index_bits(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_little_endian<float_bytes>(payload.data() + dictionary_header_bytes + i * float_bytes, values[i]);
  }
  BitWriter indexes(payload.data() + places.indexes);
  for (std::size_t i = 0; i < block.size() / float_bytes; ++i) {
    const auto found = std::ranges::lower_bound(values, float_at(block, i));
    indexes.put(static_cast<std::uint32_t>(found - values.begin()), index_bits(count));
  }
  indexes.put_end();
  std::ranges::copy(block.last(block.size() % float_bytes), payload.data() + places.rest);
  return places.end;
}

DecodedElements decode_dictionary(ByteSpan payload, std::uint64_t uncompressed_bytes) {
  const auto count = static_cast<std::uint32_t>(load_little_endian<dictionary_count_bytes>(payload.data()));
  const std::uint32_t bits = index_bits(count);
  const DictionaryPlaces places = dictionary_places(count, uncompressed_bytes);
  const ByteSpan indexes = payload.subspan(places.indexes, places.rest - places.indexes);
  DecodedElements decoded;
  decoded.bytes.reserve(uncompressed_bytes);
  for (std::uint64_t i = 0; i < uncompressed_bytes / float_bytes; ++i) {
    decoded.position = i * bits / 8;
    const std::uint32_t index = bits_at(indexes, i * bits, bits);
    if (index >= count) {
      decoded.status = format::zero_length::index_past_values;
      return decoded;
    }
    const ByteSpan value = payload.subspan(dictionary_header_bytes + index * float_bytes, float_bytes);
    decoded.bytes.insert(decoded.bytes.end(), value.begin(), value.end());
  }
  const ByteSpan rest = payload.subspan(places.rest);
  decoded.bytes.insert(decoded.bytes.end(), rest.begin(), rest.end());
  decoded.position = indexes.size();
  return decoded;
}

}  // namespace gsst::reference::zero_length
