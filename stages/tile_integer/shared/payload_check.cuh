#pragma once

#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame_check.cuh"
#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_check.hpp"

// The checks of the series' rules (common/format/tile_integer/for_rules.hpp and nsf_rules.hpp) in the
// executor's memory. A warp looks at a block together, its lanes at units by turns. Each trusts the stored
// starts of its units, within the payload: of several problems the first one in the order of the host's
// checks counts, and all starts before it are right.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::Type;

__device__ inline std::uint64_t padded_payload(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = format::tile_integer::payload_alignment;
  const std::uint64_t with_record = format::record_header_bytes + bytes;
  return (with_record + alignment - 1) / alignment * alignment - format::record_header_bytes;
}

// As max_words_of_unit() of the rules.
__device__ inline std::uint64_t most_words_of_unit(Packing packing, const TypeOnDevice& type) {
  using namespace format::tile_integer;
  const std::uint64_t bits = 8 * type.value_bytes;
  switch (packing) {
    case Packing::runs:
      return 1 + type.reference_words + length_reference_words +
             2 * words_of_widths(max_miniblocks_of_stream) +
             max_miniblocks_of_stream * (bits + max_length_width);
    case Packing::interleaved:
      return type.reference_words + interleaved_lanes * bits;
    case Packing::bits:
      return miniblocks_of_packed_block * bits;
    default:
      return type.reference_words + 1 + miniblocks_of_packed_block * bits;
  }
}

__device__ inline std::uint32_t words_of_base(Packing packing, const TypeOnDevice& type,
                                              std::uint32_t packed_block) {
  return packing == Packing::chains && packed_block % format::tile_integer::packed_blocks_of_chain == 0
             ? type.reference_words
             : 0;
}

// As max_for_payload_bytes() of the rules, for the type for which it is the most.
__device__ inline std::uint64_t most_payload_bytes(Packing packing, std::uint32_t uncompressed_bytes) {
  using namespace format::tile_integer;
  std::uint64_t most = 0;
  for (std::uint32_t number = 0; number < type_count; ++number) {
    const TypeOnDevice type(static_cast<Type>(number));
    const std::uint64_t units =
        format::part_size(uncompressed_bytes / type.value_bytes, values_of_unit(packing));
    const std::uint64_t bases =
        format::part_size(units, packed_blocks_of_chain) * words_of_base(packing, type, 0);
    const std::uint64_t words =
        header_bytes / word_bytes + units + 1 + bases + units * most_words_of_unit(packing, type);
    const std::uint64_t bytes = padded_payload(words * word_bytes + uncompressed_bytes % type.value_bytes);
    if (bytes > most) most = bytes;
  }
  return most;
}

// Where a problem is in the order of the host's checks. The smallest number is the first one.
using Finding = unsigned long long;
constexpr Finding nothing_found = ~Finding{0};

// `unit`: 0 to the number of units, which is for what is checked after them. A unit's start comes before all
// that is in it.
__device__ inline Finding found_in(std::uint64_t unit, bool is_start, PayloadProblem problem) {
  return (2 * unit + (is_start ? 0 : 1)) << 8 | static_cast<Finding>(problem);
}

__device__ inline PayloadProblem problem_found(Finding finding) {
  return static_cast<PayloadProblem>(finding & 0xff);
}

__device__ inline FrameProblem in_integer_payload(PayloadProblem problem) {
  return static_cast<FrameProblem>(problem);
}

// The payload of a block of one of the formats with starts.
class CheckedPayloadOnDevice {
public:
  // A payload with a whole header and a type.
  __device__ CheckedPayloadOnDevice(const stage::BlockOnDevice& block, Packing packing)
      : bytes_(block.payload),
        size_(block.payload_bytes),
        packing_(packing),
        type_(static_cast<Type>(block.payload[format::tile_integer::type_offset])),
        values_(block.uncompressed_bytes / type_.value_bytes),
        rest_bytes_(block.uncompressed_bytes % type_.value_bytes),
        units_(static_cast<std::uint32_t>(
            format::part_size(values_, format::tile_integer::values_of_unit(packing)))) {}

  // The same in all lanes.
  __device__ FrameProblem check(std::uint32_t lane) const {
    using namespace format::tile_integer;
    if (!all_zero(bytes_ + first_reserved_offset, largest_offset - first_reserved_offset)) {
      return in_integer_payload(PayloadProblem::reserved);
    }
    if (word_at(value_count_offset / word_bytes) != values_) {
      return in_integer_payload(PayloadProblem::value_count);
    }
    if (!all_zero(bytes_ + second_reserved_offset, header_bytes - second_reserved_offset)) {
      return in_integer_payload(PayloadProblem::reserved);
    }
    if (!has_words(first_start())) return in_integer_payload(PayloadProblem::payload_bytes);
    Finding finding =
        start_of(0) == first_start() ? nothing_found : found_in(0, true, PayloadProblem::starts);
    std::uint32_t largest = 0;
    for (std::uint32_t unit = lane; unit < units_; unit += header_lanes) {
      const Finding in_unit = check_unit(unit);
      if (in_unit < finding) finding = in_unit;
      const std::uint32_t words = start_of(unit + 1) - start_of(unit);
      if (words > largest) largest = words;
    }
    for (int distance = 1; distance < static_cast<int>(header_lanes); distance *= 2) {
      const Finding other = __shfl_xor_sync(all_header_lanes, finding, distance);
      if (other < finding) finding = other;
      const std::uint32_t other_largest = __shfl_xor_sync(all_header_lanes, largest, distance);
      if (other_largest > largest) largest = other_largest;
    }
    if (finding != nothing_found) return in_integer_payload(problem_found(finding));
    return check_end(largest);
  }

private:
  __device__ std::uint32_t first_start() const {
    return static_cast<std::uint32_t>(format::tile_integer::header_bytes / format::tile_integer::word_bytes) +
           units_ + 1;
  }

  __device__ bool has_words(std::uint64_t words) const {
    return words * format::tile_integer::word_bytes <= size_;
  }

  // A word that the payload has.
  __device__ std::uint32_t word_at(std::uint64_t word) const {
    return load_number<4>(bytes_ + word * format::tile_integer::word_bytes);
  }

  __device__ std::uint32_t start_of(std::uint32_t unit) const {
    return word_at(format::tile_integer::header_bytes / format::tile_integer::word_bytes + unit);
  }

  __device__ FrameProblem check_end(std::uint32_t largest) const {
    using namespace format::tile_integer;
    if (word_at(largest_offset / word_bytes) != largest) {
      switch (packing_) {
        case Packing::runs:
          return in_integer_payload(PayloadProblem::largest_run_block);
        case Packing::interleaved:
          return in_integer_payload(PayloadProblem::largest_interleaved_block);
        default:
          return in_integer_payload(PayloadProblem::largest_packed_block);
      }
    }
    const std::uint64_t end = std::uint64_t{start_of(units_)} * word_bytes + rest_bytes_;
    if (size_ != padded_payload(end)) return in_integer_payload(PayloadProblem::payload_bytes);
    return all_zero(bytes_ + end, size_ - end) ? FrameProblem::none
                                               : in_integer_payload(PayloadProblem::padding);
  }

  // A unit and the start after it.
  __device__ Finding check_unit(std::uint32_t unit) const {
    switch (packing_) {
      case Packing::runs:
        return check_run_block(unit);
      case Packing::interleaved:
        return check_unit_of_one_width(unit, type_.reference_words, format::tile_integer::interleaved_lanes);
      case Packing::bits:
        return check_unit_of_one_width(unit, 0, format::tile_integer::words_of_a_bit);
      default:
        return check_packed_block(unit);
    }
  }

  __device__ Finding check_next_start(std::uint32_t unit, std::uint64_t end) const {
    return start_of(unit + 1) == end ? nothing_found : found_in(unit + 1, true, PayloadProblem::starts);
  }

  // The width of its values is what the starts say.
  __device__ Finding check_unit_of_one_width(std::uint32_t unit, std::uint32_t words_before,
                                             std::uint32_t words_of_bit) const {
    const std::uint64_t first = std::uint64_t{start_of(unit)} + words_before;
    const std::uint64_t end = start_of(unit + 1);
    const bool is_right = end >= first && (end - first) % words_of_bit == 0 &&
                          (end - first) / words_of_bit <= 8 * type_.value_bytes;
    return is_right ? nothing_found : found_in(unit, false, PayloadProblem::starts);
  }

  // Adds the words of `miniblocks` miniblocks, whose widths begin at word `word`, to `words`. Whether none is
  // wider than `most`, and what fills the widths up is 0.
  __device__ bool add_miniblocks(std::uint64_t word, std::uint32_t miniblocks, std::uint32_t most,
                                 std::uint64_t& words) const {
    const std::uint8_t* const widths = bytes_ + word * format::tile_integer::word_bytes;
    const std::uint32_t stored =
        format::tile_integer::words_of_widths(miniblocks) * format::tile_integer::word_bytes;
    for (std::uint32_t miniblock = 0; miniblock < stored; ++miniblock) {
      if (widths[miniblock] > (miniblock < miniblocks ? most : 0)) return false;
      words += widths[miniblock];
    }
    return true;
  }

  __device__ Finding check_packed_block(std::uint32_t unit) const {
    using namespace format::tile_integer;
    const std::uint64_t widths =
        std::uint64_t{start_of(unit)} + words_of_base(packing_, type_, unit) + type_.reference_words;
    if (!has_words(widths + 1)) return found_in(unit, false, PayloadProblem::payload_bytes);
    std::uint64_t end = widths + 1;
    if (!add_miniblocks(widths, miniblocks_of_packed_block, 8 * type_.value_bytes, end)) {
      return found_in(unit, false, PayloadProblem::widths);
    }
    return check_next_start(unit, end);
  }

  __device__ Finding check_run_block(std::uint32_t unit) const {
    using namespace format::tile_integer;
    const std::uint64_t start = start_of(unit);
    const std::uint32_t values_left = values_ - unit * run_block_values;
    const std::uint32_t values = values_left < run_block_values ? values_left : run_block_values;
    if (!has_words(start + 1)) return found_in(unit, false, PayloadProblem::payload_bytes);
    const std::uint32_t runs = word_at(start);
    if (runs < 1 || runs > values) return found_in(unit, false, PayloadProblem::run_count);
    const auto miniblocks = static_cast<std::uint32_t>(format::part_size(runs, miniblock_values));
    const std::uint64_t widths_of_values = start + 1 + type_.reference_words;
    std::uint64_t end = widths_of_values + words_of_widths(miniblocks);
    if (!has_words(end)) return found_in(unit, false, PayloadProblem::payload_bytes);
    if (!add_miniblocks(widths_of_values, miniblocks, 8 * type_.value_bytes, end)) {
      return found_in(unit, false, PayloadProblem::widths);
    }
    const std::uint64_t widths_of_lengths = end + length_reference_words;
    end = widths_of_lengths + words_of_widths(miniblocks);
    if (!has_words(end)) return found_in(unit, false, PayloadProblem::payload_bytes);
    if (!add_miniblocks(widths_of_lengths, miniblocks, max_length_width, end)) {
      return found_in(unit, false, PayloadProblem::widths);
    }
    if (!has_words(end)) return found_in(unit, false, PayloadProblem::payload_bytes);
    if (!are_lengths_right(widths_of_lengths, runs, values)) {
      return found_in(unit, false, PayloadProblem::lengths);
    }
    return check_next_start(unit, end);
  }

  // Lengths that the payload has: each is 1 to `values`, and they add up to it.
  __device__ bool are_lengths_right(std::uint64_t widths, std::uint32_t runs, std::uint32_t values) const {
    using namespace format::tile_integer;
    const std::uint32_t reference = word_at(widths - length_reference_words);
    std::uint64_t miniblock =
        widths + words_of_widths(static_cast<std::uint32_t>(format::part_size(runs, miniblock_values)));
    std::uint32_t sum = 0;
    for (std::uint32_t run = 0; run < runs; ++run) {
      const std::uint32_t width = bytes_[widths * word_bytes + run / miniblock_values];
      const std::uint32_t length = reference + bits_at(miniblock, run % miniblock_values * width, width);
      if (length < 1 || length > values) return false;
      sum += length;
      if (run % miniblock_values == miniblock_values - 1) miniblock += width;
    }
    return sum == values;
  }

  // The `width` bits, at most 9, from bit `bit` on of the words from number `word` on.
  __device__ std::uint32_t bits_at(std::uint64_t word, std::uint32_t bit, std::uint32_t width) const {
    if (width == 0) return 0;
    const std::uint32_t shift = bit % 32;
    std::uint64_t bits = word_at(word + bit / 32);
    if (shift + width > 32) bits |= std::uint64_t{word_at(word + bit / 32 + 1)} << 32;
    return static_cast<std::uint32_t>(bits >> shift) & ((1U << width) - 1);
  }

  const std::uint8_t* bytes_;
  std::uint64_t size_;
  Packing packing_;
  TypeOnDevice type_;
  std::uint32_t values_;
  std::uint32_t rest_bytes_;
  std::uint32_t units_;
};

__device__ inline FrameProblem check_payload_with_starts(const stage::BlockOnDevice& block, Packing packing,
                                                         std::uint32_t lane) {
  using namespace format::tile_integer;
  if (block.payload_bytes < header_bytes) return in_integer_payload(PayloadProblem::payload_bytes);
  if (block.payload[type_offset] >= type_count) return in_integer_payload(PayloadProblem::type);
  return CheckedPayloadOnDevice(block, packing).check(lane);
}

// Whether a field of format nsf is a power of two and at most `most`.
__device__ inline bool is_byte_count(std::uint32_t bytes, std::uint32_t most) {
  return bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes <= most;
}

// As check_nsf_payload() of the rules.
__device__ inline FrameProblem check_nsf(const stage::BlockOnDevice& block) {
  using namespace format::tile_integer;
  const std::uint8_t* const payload = block.payload;
  if (block.payload_bytes < nsf_header_bytes) return in_integer_payload(PayloadProblem::payload_bytes);
  const std::uint32_t value_bytes = payload[nsf_value_bytes_offset];
  if (!is_byte_count(value_bytes, largest_value_bytes))
    return in_integer_payload(PayloadProblem::value_bytes);
  const std::uint32_t number_bytes = payload[nsf_number_bytes_offset];
  if (!is_byte_count(number_bytes, value_bytes)) return in_integer_payload(PayloadProblem::number_bytes);
  if (!all_zero(payload + nsf_first_reserved_offset, nsf_value_count_offset - nsf_first_reserved_offset)) {
    return in_integer_payload(PayloadProblem::reserved);
  }
  const std::uint32_t values = block.uncompressed_bytes / value_bytes;
  if (load_number<4>(payload + nsf_value_count_offset) != values) {
    return in_integer_payload(PayloadProblem::value_count);
  }
  if (!all_zero(payload + nsf_second_reserved_offset, nsf_header_bytes - nsf_second_reserved_offset)) {
    return in_integer_payload(PayloadProblem::reserved);
  }
  const std::uint64_t end =
      nsf_header_bytes + std::uint64_t{number_bytes} * values + block.uncompressed_bytes % value_bytes;
  if (block.payload_bytes != padded_payload(end)) return in_integer_payload(PayloadProblem::payload_bytes);
  return all_zero(payload + end, block.payload_bytes - end) ? FrameProblem::none
                                                            : in_integer_payload(PayloadProblem::padding);
}

/// The rules of the formats of the series, as common/frame/frame_check.cuh asks for them.
struct IntegerPayloads {
  __device__ static bool has_format(std::uint32_t number) {
    using namespace format::tile_integer;
    const auto format = static_cast<format::BlockFormat>(number);
    return format == for_format || format == dfor_format || format == rfor_format || format == ifor_format ||
           format == bp_format || format == nsf_format;
  }

  __device__ static std::uint32_t max_split_count(format::BlockFormat /*format*/) { return 1; }

  __device__ static FrameProblem check_record(const FrameCheck& check, std::uint64_t block_size,
                                              const std::uint8_t* record) {
    if (!all_zero(record + 2, 6)) return FrameProblem::record_header;
    if (record[1] > static_cast<std::uint8_t>(format::tile_integer::packed_layout)) {
      return FrameProblem::layout;
    }
    const std::uint64_t payload_bytes = load_number<4>(record + 8);
    if (payload_bytes != padded_payload(payload_bytes)) return FrameProblem::payload_bytes;
    const std::uint32_t uncompressed_bytes = load_number<4>(record + 12);
    if (uncompressed_bytes == 0 || uncompressed_bytes > block_size) return FrameProblem::uncompressed_bytes;
    const std::uint64_t most =
        check.bounds.format == format::tile_integer::nsf_format
            ? padded_payload(format::tile_integer::nsf_header_bytes + uncompressed_bytes)
            : most_payload_bytes(packing_of(check.bounds.format), uncompressed_bytes);
    return payload_bytes > most ? FrameProblem::payload_bytes : FrameProblem::none;
  }

  __device__ static FrameProblem check_block(const stage::FrameOnDevice& frame, std::uint32_t number,
                                             std::uint32_t lane) {
    const stage::BlockOnDevice block = frame.block(number, nullptr);
    if (block.layout == format::BlockLayout::raw) {
      const std::uint64_t size = block.uncompressed_bytes;
      const std::uint64_t padded = padded_payload(size);
      if (block.payload_bytes != padded) return in_integer_payload(PayloadProblem::raw_block_size);
      return all_zero(block.payload + size, padded - size) ? FrameProblem::none
                                                           : in_integer_payload(PayloadProblem::padding);
    }
    if (frame.format == format::tile_integer::nsf_format) return check_nsf(block);
    return check_payload_with_starts(block, packing_of(frame.format), lane);
  }

private:
  __device__ static Packing packing_of(format::BlockFormat format) {
    using namespace format::tile_integer;
    if (format == dfor_format) return Packing::chains;
    if (format == rfor_format) return Packing::runs;
    if (format == ifor_format) return Packing::interleaved;
    return format == bp_format ? Packing::bits : Packing::values;
  }
};

}  // namespace
}  // namespace gsst::tile_integer
