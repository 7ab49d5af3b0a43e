#include "reference_cpu/codag/inflate.hpp"

#include <algorithm>
#include <cstddef>

namespace gsst::reference::codag {
namespace {

using format::codag::deflate_longest_code;
using Status = format::codag::DeflateStatus;

// What ends decoding: thrown by whatever finds it, caught by Inflater::run().
struct Wrong {
  Status status;
};

// A base value and how many extra bits are added to it (RFC 1951, section 3.2.5).
struct Range {
  std::uint16_t base;
  std::uint8_t extra_bits;
};

constexpr unsigned end_of_block = 256;
constexpr unsigned first_length_symbol = 257;
constexpr std::size_t most_literal_codes = 286;
constexpr std::size_t most_distance_codes = 30;
// Those of the fixed codes, of which the last two have no meaning.
constexpr std::size_t fixed_literal_codes = 288;
constexpr std::size_t fixed_distance_codes = 32;

constexpr std::array<Range, 29> match_lengths = {
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};

constexpr std::array<Range, most_distance_codes> match_distances = {
    {{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},     {9, 2},     {13, 2},
     {17, 3},    {25, 3},    {33, 4},    {49, 4},     {65, 5},     {97, 5},    {129, 6},   {193, 6},
     {257, 7},   {385, 7},   {513, 8},   {769, 8},    {1025, 9},   {1537, 9},  {2049, 10}, {3073, 10},
     {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}}};

// In which order the lengths of the code of the code lengths are stored (section 3.2.7).
constexpr std::array<std::uint8_t, 19> order_of_lengths = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                           11, 4,  12, 3, 13, 2, 14, 1, 15};

// Bits from the lowest one of each byte on.
class BitReader {
public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t position() const { return bit_ / 8; }

  unsigned bit() {
    if (position() == bytes_.size()) throw Wrong{Status::input_ends_early};
    const unsigned value = (bytes_[position()] >> (bit_ % 8)) & 1U;
    ++bit_;
    return value;
  }

  // The first bit is the lowest.
  unsigned number(unsigned bits) {
    unsigned value = 0;
    for (unsigned i = 0; i < bits; ++i) value |= bit() << i;
    return value;
  }

  void skip_to_byte() { bit_ = (bit_ + 7) / 8 * 8; }

  // From a byte's first bit on.
  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > bytes_.size() - position()) throw Wrong{Status::input_ends_early};
    const std::span<const std::uint8_t> taken = bytes_.subspan(position(), count);
    bit_ += 8 * std::uint64_t{count};
    return taken;
  }

private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t bit_ = 0;
};

// A prefix code, from the lengths of its symbols' codes: of codes of one length those of smaller symbols
// are smaller, and shorter codes precede longer ones (section 3.2.2).
class PrefixCode {
public:
  explicit PrefixCode(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<std::uint16_t, deflate_longest_code + 2> next{};
    for (unsigned length = 1; length <= deflate_longest_code; ++length) {
      next[length + 1] = static_cast<std::uint16_t>(next[length] + counts_[length]);
    }
    symbols_.resize(next.back());
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != 0) symbols_[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    }
  }

  std::size_t size() const { return symbols_.size(); }

  // How many codes of the longest length would still fit; below 0 for too many codes.
  int free_codes() const {
    int free = 1;
    for (unsigned length = 1; length <= deflate_longest_code; ++length) free = 2 * free - counts_[length];
    return free;
  }

  // One code of one bit leaves the other one unused, which a code of literals or distances may.
  bool is_single_bit() const { return size() == 1 && counts_[1] == 1; }

  // Fails with `unused` where the bits are no code.
  unsigned next_symbol(BitReader& bits, Status unused) const {
    unsigned code = 0;
    unsigned first = 0;
    unsigned index = 0;
    for (unsigned length = 1; length <= deflate_longest_code; ++length) {
      code |= bits.bit();
      const unsigned count = counts_[length];
      if (code - first < count) return symbols_[index + code - first];
      index += count;
      first = (first + count) << 1U;
      code <<= 1U;
      if (index == symbols_.size()) break;
    }
    throw Wrong{unused};
  }

private:
  std::array<std::uint16_t, deflate_longest_code + 1> counts_{};
  // By their codes.
  std::vector<std::uint16_t> symbols_;
};

void check_code(const PrefixCode& code, bool may_be_incomplete, Status over_subscribed, Status incomplete) {
  if (code.free_codes() < 0) throw Wrong{over_subscribed};
  if (code.free_codes() > 0 && !may_be_incomplete) throw Wrong{incomplete};
}

class Inflater {
public:
  Inflater(std::span<const std::uint8_t> payload, std::uint64_t most_bytes, InflateCensus* census)
      : bits_(payload), payload_bytes_(payload.size()), most_bytes_(most_bytes), census_(census) {}

  Inflated run() {
    try {
      while (!block()) {
      }
      bits_.skip_to_byte();
      element_ = bits_.position();
      if (element_ < payload_bytes_) throw Wrong{Status::bytes_after_end};
    } catch (const Wrong& wrong) {
      inflated_.status = wrong.status;
    }
    inflated_.position = element_;
    return std::move(inflated_);
  }

private:
  struct Codes {
    PrefixCode literals;
    PrefixCode distances;
  };

  void begin_element() { element_ = bits_.position(); }

  // Returns whether it is the last one.
  bool block() {
    begin_element();
    const bool is_last = bits_.bit() == 1;
    const unsigned type = bits_.number(2);
    if (type == 3) throw Wrong{Status::reserved_block_type};
    if (census_ != nullptr) ++census_->blocks[type];
    if (type == 0) {
      stored();
    } else {
      coded(type == 1 ? fixed_codes() : dynamic_codes());
    }
    return is_last;
  }

  void stored() {
    bits_.skip_to_byte();
    const unsigned length = bits_.number(16);
    const unsigned complement = bits_.number(16);
    if ((length ^ complement) != 0xffff) throw Wrong{Status::wrong_stored_length};
    begin_element();
    const std::span<const std::uint8_t> bytes = bits_.take(length);
    check_room(length);
    inflated_.bytes.insert(inflated_.bytes.end(), bytes.begin(), bytes.end());
  }

  static Codes fixed_codes() {
    std::array<std::uint8_t, fixed_literal_codes> literals{};
    for (std::size_t symbol = 0; symbol < literals.size(); ++symbol) {
      literals[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    }
    std::array<std::uint8_t, fixed_distance_codes> distances{};
    distances.fill(5);
    return {PrefixCode(literals), PrefixCode(distances)};
  }

  Codes dynamic_codes() {
    const std::uint64_t header = element_;
    const std::size_t literal_codes = bits_.number(5) + 257;
    const std::size_t distance_codes = bits_.number(5) + 1;
    const std::size_t stored_lengths = bits_.number(4) + 4;
    if (literal_codes > most_literal_codes || distance_codes > most_distance_codes) {
      throw Wrong{Status::too_many_codes};
    }
    std::array<std::uint8_t, order_of_lengths.size()> lengths_of_lengths{};
    for (std::size_t i = 0; i < stored_lengths; ++i) {
      lengths_of_lengths[order_of_lengths[i]] = static_cast<std::uint8_t>(bits_.number(3));
    }
    const PrefixCode code_of_lengths(lengths_of_lengths);
    check_code(code_of_lengths, false, Status::over_subscribed_code_lengths, Status::incomplete_code_lengths);
    const std::vector<std::uint8_t> lengths = code_lengths(code_of_lengths, literal_codes + distance_codes);
    const std::span<const std::uint8_t> all(lengths);

    element_ = header;
    Codes codes = {PrefixCode(all.first(literal_codes)), PrefixCode(all.subspan(literal_codes))};
    check_code(codes.literals, codes.literals.is_single_bit(), Status::over_subscribed_literals,
               Status::incomplete_literals);
    if (lengths[end_of_block] == 0) throw Wrong{Status::no_end_of_block};
    check_code(codes.distances, codes.distances.is_single_bit() || codes.distances.size() == 0,
               Status::over_subscribed_distances, Status::incomplete_distances);
    if (census_ != nullptr) {
      for (const std::uint8_t length : lengths) ++census_->code_bits[length];
    }
    return codes;
  }

  // Those of both codes in one sequence: a repeat may reach from one into the other.
  std::vector<std::uint8_t> code_lengths(const PrefixCode& code, std::size_t count) {
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < count) {
      begin_element();
      const unsigned symbol = code.next_symbol(bits_, Status::incomplete_code_lengths);
      if (census_ != nullptr) ++census_->length_symbols[symbol];
      if (symbol < 16) {
        lengths.push_back(static_cast<std::uint8_t>(symbol));
        continue;
      }
      if (symbol == 16 && lengths.empty()) throw Wrong{Status::repeat_without_length};
      const std::uint8_t repeated = symbol == 16 ? lengths.back() : std::uint8_t{0};
      const std::size_t times = symbol == 16   ? 3 + bits_.number(2)
                                : symbol == 17 ? 3 + bits_.number(3)
                                               : 11 + bits_.number(7);
      if (times > count - lengths.size()) throw Wrong{Status::repeat_past_end};
      lengths.insert(lengths.end(), times, repeated);
    }
    return lengths;
  }

  void coded(const Codes& codes) {
    for (;;) {
      begin_element();
      const unsigned symbol = codes.literals.next_symbol(bits_, Status::unused_length);
      if (symbol == end_of_block) return;
      if (symbol < end_of_block) {
        check_room(1);
        inflated_.bytes.push_back(static_cast<std::uint8_t>(symbol));
      } else {
        match(symbol - first_length_symbol, codes.distances);
      }
    }
  }

  void match(unsigned length_symbol, const PrefixCode& distances) {
    if (length_symbol >= match_lengths.size()) throw Wrong{Status::unused_length};
    const Range length_range = match_lengths[length_symbol];
    const unsigned length = length_range.base + bits_.number(length_range.extra_bits);
    const unsigned distance_symbol = distances.next_symbol(bits_, Status::unused_distance);
    if (distance_symbol >= match_distances.size()) throw Wrong{Status::unused_distance};
    const Range distance_range = match_distances[distance_symbol];
    const unsigned distance = distance_range.base + bits_.number(distance_range.extra_bits);
    if (distance > inflated_.bytes.size()) throw Wrong{Status::distance_before_block};
    check_room(length);
    if (census_ != nullptr) {
      ++census_->match_lengths[length];
      ++census_->distance_symbols[distance_symbol];
      census_->longest_distance = std::max(census_->longest_distance, distance);
    }
    // Byte by byte: a match may read what it has written.
    for (unsigned i = 0; i < length; ++i) {
      const std::uint8_t byte = inflated_.bytes[inflated_.bytes.size() - distance];
      inflated_.bytes.push_back(byte);
    }
  }

  void check_room(std::uint64_t count) const {
    if (count > most_bytes_ - inflated_.bytes.size()) throw Wrong{Status::output_too_long};
  }

  BitReader bits_;
  std::uint64_t payload_bytes_;
  std::uint64_t most_bytes_;
  InflateCensus* census_;
  // The byte in which the element begins that is being read.
  std::uint64_t element_ = 0;
  Inflated inflated_;
};

}  // namespace

Inflated inflate_payload(std::span<const std::uint8_t> payload, std::uint64_t most_bytes,
                         InflateCensus* census) {
  return Inflater(payload, most_bytes, census).run();
}

}  // namespace gsst::reference::codag
