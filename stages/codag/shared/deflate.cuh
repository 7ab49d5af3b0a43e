#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/prefix_code.cuh"

// The sequential decoder of format deflate over the two streams (FORMAT.md, section 13.6).
namespace gsst::codag {
namespace {

constexpr std::uint32_t end_of_section = 256;
constexpr std::uint32_t fixed_literals = 288;
constexpr std::uint32_t fixed_distances = 32;
// Of those with a meaning; lengths count from the symbol after the end of the section.
constexpr std::uint32_t last_length_symbol = 28;
constexpr std::uint32_t last_distance_symbol = 29;

// The tables of a decoder, in shared memory.
struct DeflateTables {
  PrefixCode<9, fixed_literals> literals;
  // At first that of the code lengths.
  PrefixCode<7, fixed_distances> distances;

  // What the tables say of symbols.
  using SaidOfLiteral = SymbolEntry;
  using SaidOfDistance = SymbolEntry;

  // The next symbol of either code.
  template <typename Input>
  __device__ std::uint32_t fetch_literal(Input& input) const {
    return literals.fetch(input);
  }
  template <typename Input>
  __device__ std::uint32_t fetch_distance(Input& input) const {
    return distances.fetch(input);
  }

  // The lengths of all codes, until the entries of `literals` take their place.
  __device__ std::uint8_t* lengths() { return reinterpret_cast<std::uint8_t*>(literals.entries); }
};
static_assert(sizeof(DeflateTables::literals.entries) >= fixed_literals + fixed_distances);
static_assert(sizeof(DeflateTables) % 4 == 0);

// How many extra bits follow a symbol up to last_length_symbol, and its length where they are 0.
__device__ inline std::uint32_t extra_bits_of_length(std::uint32_t symbol) {
  return symbol < 8 || symbol == last_length_symbol ? 0 : symbol / 4 - 1;
}
__device__ inline std::uint32_t least_length(std::uint32_t symbol) {
  using format::codag::deflate_shortest_match;
  if (symbol < 8) return deflate_shortest_match + symbol;
  if (symbol == last_length_symbol) return format::codag::deflate_longest_match;
  return deflate_shortest_match + ((4 + symbol % 4) << (symbol / 4 - 1));
}

// The length of a symbol up to last_length_symbol, with its extra bits. Four lengths have the same number of
// these, two distances.
template <typename Input>
__device__ inline std::uint32_t fetch_length(std::uint32_t symbol, Input& input) {
  return least_length(symbol) + input.fetch_bits(extra_bits_of_length(symbol));
}

// The distance of a symbol up to last_distance_symbol, with its extra bits.
template <typename Input>
__device__ inline std::uint32_t fetch_distance(std::uint32_t symbol, Input& input) {
  if (symbol < 4) return 1 + symbol;
  const std::uint32_t extra_bits = symbol / 2 - 1;
  return 1 + ((2 + symbol % 2) << extra_bits) + input.fetch_bits(extra_bits);
}

// All of `Team` together, for the same streams; all but the one who writes to memory know the same. `Tables`
// are DeflateTables, or have entries of their own for elements.
template <typename Team, typename Tables = DeflateTables>
class Deflate {
public:
  using Status = format::codag::DeflateStatus;

  // Bytes of a stored section that are one symbol.
  static constexpr std::uint32_t stored_piece_bytes = 256;

  __device__ Deflate(const CodedChunk& chunk, Tables& tables) : chunk_(chunk), tables_(tables) {}

  // Decodes one symbol, which is an element, a part of a stored section, or all that precedes a section's
  // elements. Calls one function of `output` or none. A problem is that of the element at element(). To be
  // called until there is a problem, or is_done().
  template <typename Input, typename Output>
  __device__ Status step(Input& input, Output& output) {
    element_ = input.position();
    input.prepare();
    if (section_ == Section::elements) return decode_element(input, output);
    if (section_ == Section::stored) return write_stored(input, output);
    return start_section(input, output);
  }

  // Whether the last section has ended.
  __device__ bool is_done() const { return is_last_ && section_ == Section::none; }

  // Whether a section has ended, or none has begun.
  __device__ bool is_between_sections() const { return section_ == Section::none; }

  // Whether the next symbol is an element.
  __device__ bool is_at_element() const { return section_ == Section::elements; }

  // Where what was last read begins in the stream: after the last symbol, the stream's end.
  __device__ std::uint32_t element() const { return element_; }

private:
  enum class Section : std::uint8_t { none, stored, elements };

  // What is wrong where `problem` was found: bits past the end come first.
  template <typename Input>
  __device__ static Status problem_at(const Input& input, Status problem) {
    return input.is_past_end() ? Status::input_ends_early : problem;
  }

  template <typename Input, typename Output>
  __device__ Status start_section(Input& input, const Output& output) {
    is_last_ = input.fetch_bits(1) != 0;
    const std::uint32_t type = input.fetch_bits(2);
    if (type == 0) return start_stored(input, output);
    if (type == 3) return problem_at(input, Status::reserved_block_type);
    section_ = Section::elements;
    if (type == 1) {
      if (input.is_past_end()) return Status::input_ends_early;
      make_fixed_codes();
      return Status::decoded;
    }
    return read_codes(input);
  }

  template <typename Input, typename Output>
  __device__ Status start_stored(Input& input, const Output& output) {
    input.end_byte();
    stored_left_ = input.fetch_bits(16);
    const std::uint32_t complement = input.fetch_bits(16);
    if ((stored_left_ ^ complement) != 0xffff) return problem_at(input, Status::wrong_stored_length);
    if (input.is_past_end()) return Status::input_ends_early;
    element_ = input.position();
    if (stored_left_ > input.left()) return Status::input_ends_early;
    if (stored_left_ > output.left()) return Status::output_too_long;
    section_ = Section::stored;
    return stored_left_ == 0 ? end_section(input) : Status::decoded;
  }

  template <typename Input, typename Output>
  __device__ Status write_stored(Input& input, Output& output) {
    const std::uint32_t bytes = stored_left_ < stored_piece_bytes ? stored_left_ : stored_piece_bytes;
    output.write_bytes(chunk_.stream + input.position(), bytes);
    input.skip_bytes(bytes);
    stored_left_ -= bytes;
    return stored_left_ == 0 ? end_section(input) : Status::decoded;
  }

  template <typename Input>
  __device__ Status end_section(Input& input) {
    section_ = Section::none;
    if (!is_last_) return Status::decoded;
    input.end_byte();
    element_ = input.position();
    return input.left() != 0 ? Status::bytes_after_end : Status::decoded;
  }

  template <typename Input, typename Output>
  __device__ Status decode_element(Input& input, Output& output) {
    const std::uint32_t symbol = tables_.fetch_literal(input);
    if (symbol >= end_of_section) {
      if (symbol > end_of_section) return decode_match(symbol - end_of_section - 1, input, output);
      return input.is_past_end() ? Status::input_ends_early : end_section(input);
    }
    if (input.is_past_end()) return Status::input_ends_early;
    if (output.left() == 0) return Status::output_too_long;
    output.write_value(symbol);
    return Status::decoded;
  }

  template <typename Input, typename Output>
  __device__ Status decode_match(std::uint32_t length_symbol, Input& input, Output& output) {
    if (length_symbol > last_length_symbol) return problem_at(input, Status::unused_length);
    const std::uint32_t length = fetch_length(length_symbol, input);
    const std::uint32_t distance_symbol = tables_.fetch_distance(input);
    if (distance_symbol > last_distance_symbol) return problem_at(input, Status::unused_distance);
    const std::uint32_t distance = fetch_distance(distance_symbol, input);
    if (input.is_past_end()) return Status::input_ends_early;
    if (distance > chunk_.values - output.left()) return Status::distance_before_block;
    if (length > output.left()) return Status::output_too_long;
    output.copy(distance, length);
    return Status::decoded;
  }

  __device__ void make_fixed_codes() {
    std::uint8_t* const lengths = tables_.lengths();
    // All have looked up the symbols of the section before.
    Team::meet();
    for (std::uint32_t i = Team::number(); i < fixed_literals + fixed_distances; i += Team::count()) {
      const std::uint32_t bits = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < fixed_literals ? 8 : 5;
      lengths[i] = static_cast<std::uint8_t>(bits);
    }
    Team::meet();
    sort_symbols_of_both(lengths, fixed_literals, fixed_distances);
    fill_entries();
  }

  struct CodeSums {
    CodeSum literals;
    CodeSum distances;
  };

  __device__ CodeSums sort_symbols_of_both(const std::uint8_t* lengths, std::uint32_t literals,
                                           std::uint32_t distances) {
    const auto sum = sort_symbols<Team, typename Tables::SaidOfLiteral>(lengths, literals, tables_.literals);
    return {sum, sort_symbols<Team, typename Tables::SaidOfDistance>(lengths + literals, distances,
                                                                     tables_.distances)};
  }

  __device__ void fill_entries() {
    Team::meet();
    tables_.literals.template fill_entries<Team, typename Tables::SaidOfLiteral>();
    tables_.distances.template fill_entries<Team, typename Tables::SaidOfDistance>();
    Team::meet();
  }

  // Reads both codes of a dynamic section.
  template <typename Input>
  __device__ Status read_codes(Input& input) {
    constexpr std::uint32_t most_literals = 286;
    constexpr std::uint32_t most_distances = 30;
    const std::uint32_t header = element_;
    const std::uint32_t literals = 257 + input.fetch_bits(5);
    const std::uint32_t distances = 1 + input.fetch_bits(5);
    const std::uint32_t stored_lengths = 4 + input.fetch_bits(4);
    if (literals > most_literals || distances > most_distances) {
      return problem_at(input, Status::too_many_codes);
    }
    Status problem = read_code_of_lengths(stored_lengths, input);
    if (problem == Status::decoded) problem = read_lengths(literals + distances, input);
    if (problem != Status::decoded) return problem;
    element_ = header;
    const std::uint8_t* const lengths = tables_.lengths();
    Team::meet();
    const auto [literal_sum, distance_sum] = sort_symbols_of_both(lengths, literals, distances);
    if (literal_sum.is_over_subscribed()) return Status::over_subscribed_literals;
    if (literal_sum.is_incomplete()) return Status::incomplete_literals;
    if (lengths[end_of_section] == 0) return Status::no_end_of_block;
    if (distance_sum.is_over_subscribed()) return Status::over_subscribed_distances;
    if (distance_sum.is_incomplete() && distance_sum.symbols != 0) return Status::incomplete_distances;
    fill_entries();
    return Status::decoded;
  }

  // Makes that of the code lengths, in the place of the code of distances.
  template <typename Input>
  __device__ Status read_code_of_lengths(std::uint32_t stored_lengths, Input& input) {
    constexpr std::uint32_t symbols = 19;
    std::uint8_t* const lengths = tables_.lengths();
    Team::meet();
    for (std::uint32_t i = 0; i < symbols; ++i) {
      input.prepare();
      const std::uint32_t bits = i < stored_lengths ? input.fetch_bits(3) : 0;
      // 16, 17, 18, 0, then 8, 7, 9, 6 and so on to 1 and 15.
      const std::uint32_t from_8 = i % 2 == 0 ? 8 + (i - 4) / 2 : 7 - (i - 5) / 2;
      const std::uint32_t symbol = i < 3 ? 16 + i : i == 3 ? 0 : from_8;
      if (Team::number() == 0) lengths[symbol] = static_cast<std::uint8_t>(bits);
    }
    if (input.is_past_end()) return Status::input_ends_early;
    Team::meet();
    const CodeSum sum = sort_symbols<Team, SymbolEntry>(lengths, symbols, tables_.distances);
    if (sum.is_over_subscribed()) return Status::over_subscribed_code_lengths;
    // Here a single code of one bit will not do either.
    if (!sum.is_whole()) return Status::incomplete_code_lengths;
    Team::meet();
    tables_.distances.template fill_entries<Team, SymbolEntry>();
    Team::meet();
    return Status::decoded;
  }

  template <typename Input>
  __device__ Status read_lengths(std::uint32_t count, Input& input) {
    std::uint8_t* const lengths = tables_.lengths();
    std::uint32_t length = 0;
    for (std::uint32_t read = 0; read < count;) {
      element_ = input.position();
      input.prepare();
      const std::uint32_t symbol = tables_.distances.fetch(input);
      std::uint32_t times = 1;
      if (symbol < 16) {
        length = symbol;
      } else if (symbol == 16) {
        if (read == 0) return problem_at(input, Status::repeat_without_length);
        times = 3 + input.fetch_bits(2);
      } else {
        length = 0;
        times = symbol == 17 ? 3 + input.fetch_bits(3) : 11 + input.fetch_bits(7);
      }
      if (input.is_past_end()) return Status::input_ends_early;
      if (times > count - read) return Status::repeat_past_end;
      for (std::uint32_t i = Team::number(); i < times; i += Team::count()) {
        lengths[read + i] = static_cast<std::uint8_t>(length);
      }
      read += times;
    }
    return Status::decoded;
  }

  CodedChunk chunk_;
  Tables& tables_;
  Section section_ = Section::none;
  bool is_last_ = false;
  std::uint32_t stored_left_ = 0;
  std::uint32_t element_ = 0;
};

// The word that is left for a chunk, after the last step() of its decoder, which has found `problem`, and
// where `left` bytes of output were not written.
template <typename Team, typename Tables>
__device__ inline std::uint32_t deflate_chunk_status(format::codag::DeflateStatus problem,
                                                     const Deflate<Team, Tables>& deflate,
                                                     std::uint32_t left) {
  using format::codag::DeflateStatus;
  if (problem == DeflateStatus::decoded && left != 0) problem = DeflateStatus::output_too_short;
  return problem == DeflateStatus::decoded ? 0
                                           : format::codag::deflate_status_word(problem, deflate.element());
}

}  // namespace
}  // namespace gsst::codag
