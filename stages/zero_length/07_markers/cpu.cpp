#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/format/zero_length/markers.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/zero_length/marker_options.hpp"
#include "stages/zero_length/encode/encode_plans.hpp"

// 01_naive with markers that each block chooses (thesis 5.6.1 and 5.6.2; FORMAT.md, section 11.4).
namespace gsst::zero_length::chosen_markers {
namespace {

using format::zero_length::literal_four_zeros;
using format::zero_length::literal_marker;
using format::zero_length::longest_run_of;
using format::zero_length::Markers;
using format::zero_length::markers_bytes;
using format::zero_length::markers_format;
using format::zero_length::run_of_four_zeros;
using format::zero_length::shortest_run;
using format::zero_length::Status;

// The first of the least frequent values from 1 on, which is then no longer one of them.
std::uint8_t take_rarest(std::array<std::uint32_t, 256>& counts) {
  const auto rarest = std::ranges::min_element(counts.begin() + 1, counts.end());
  // A block has at most 2^30 bytes, so that no other count is as high: it is not taken again.
  *rarest = UINT32_MAX;
  return static_cast<std::uint8_t>(rarest - counts.begin());
}

// Counts in four tables by turns: equal bytes next to each other would wait for the same count.
std::array<std::uint32_t, 256> count_bytes(std::span<const std::uint8_t> block) {
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  for (std::size_t i = 0; i < block.size(); ++i) ++tables[i % tables.size()][block[i]];
  std::array<std::uint32_t, 256> counts{};
  for (std::size_t value = 0; value < counts.size(); ++value) {
    for (const auto& table : tables) counts[value] += table[value];
  }
  return counts;
}

template <bool IsRarest, bool HasFourZeros>
Markers choose(std::span<const std::uint8_t> block) {
  Markers markers = {.marker = format::zero_length::marker, .four_zeros = 0};
  if constexpr (IsRarest || HasFourZeros) {
    std::array<std::uint32_t, 256> counts = count_bytes(block);
    if constexpr (IsRarest) {
      markers.marker = take_rarest(counts);
    } else {
      counts[markers.marker] = UINT32_MAX;
    }
    if constexpr (HasFourZeros) markers.four_zeros = take_rarest(counts);
  }
  return markers;
}

// Returns the end of what is written of a run that is no longer than an element's longest.
std::uint8_t* write_run(std::uint8_t* output, std::size_t run, const Markers& markers) {
  if (run == run_of_four_zeros && markers.four_zeros != 0) {
    *output++ = markers.four_zeros;
    return output;
  }
  if (run == markers.marker && run >= shortest_run) {
    output = write_run(output, run - 1, markers);
    *output++ = 0;
    return output;
  }
  if (run >= shortest_run) {
    *output++ = markers.marker;
    *output++ = static_cast<std::uint8_t>(run);
    return output;
  }
  for (; run != 0; --run) *output++ = 0;
  return output;
}

template <bool IsRarest, bool HasFourZeros>
std::size_t encode_block(std::span<const std::uint8_t> block, std::span<std::uint8_t> payload) {
  const Markers markers = choose<IsRarest, HasFourZeros>(block);
  const std::size_t longest = longest_run_of(markers);
  const std::uint8_t* input = block.data();
  const std::uint8_t* const end = input + block.size();
  std::uint8_t* output = payload.data();
  *output++ = markers.marker;
  *output++ = markers.four_zeros;
  while (input != end) {
    const std::uint8_t byte = *input;
    if (byte == 0) {
      const std::uint8_t* const begin = input;
      const std::size_t most = std::min(longest, static_cast<std::size_t>(end - begin));
      do ++input;
      while (static_cast<std::size_t>(input - begin) < most && *input == 0);
      output = write_run(output, static_cast<std::size_t>(input - begin), markers);
      continue;
    }
    ++input;
    if (byte == markers.marker) {
      *output++ = markers.marker;
      *output++ = literal_marker;
    } else if (byte == markers.four_zeros) {
      *output++ = markers.marker;
      *output++ = literal_four_zeros(markers);
    } else {
      *output++ = byte;
    }
  }
  return static_cast<std::size_t>(output - payload.data());
}

// What a byte after a marker stands for; no bytes where it stands for nothing.
struct Meaning {
  std::uint32_t count;
  std::uint8_t byte;
};

// A table, so that the decoder asks one question for each byte after a marker, whatever the markers are.
std::array<Meaning, 256> meanings_of(const Markers& markers) {
  std::array<Meaning, 256> meanings{};
  for (std::uint32_t zeros = 1; zeros <= format::zero_length::longest_run; ++zeros) {
    meanings[zeros] = {.count = zeros, .byte = 0};
  }
  meanings[literal_marker] = {.count = 1, .byte = markers.marker};
  if (markers.four_zeros != 0) {
    meanings[literal_four_zeros(markers)] = {.count = 1, .byte = markers.four_zeros};
  }
  meanings[markers.marker] = {};
  return meanings;
}

Status decode_elements_of(const stage::BlockOnDevice& block) {
  const Markers markers = {.marker = block.payload[0], .four_zeros = block.payload[1]};
  const std::array<Meaning, 256> meanings = meanings_of(markers);
  const std::uint8_t* input = block.payload + markers_bytes;
  const std::uint8_t* const end = block.payload + block.payload_bytes;
  std::uint8_t* output = block.output;
  std::uint32_t left = block.uncompressed_bytes;
  while (input != end) {
    Meaning meaning = {.count = 1, .byte = *input++};
    if (meaning.byte == markers.marker) {
      if (input == end) return Status::marker_at_end;
      meaning = meanings[*input++];
      if (meaning.count == 0) return Status::unused_length;
    } else if (meaning.byte == markers.four_zeros && meaning.byte != 0) {
      meaning = {.count = run_of_four_zeros, .byte = 0};
    }
    if (meaning.count > left) return Status::output_too_long;
    left -= meaning.count;
    for (; meaning.count != 0; --meaning.count) *output++ = meaning.byte;
  }
  return left == 0 ? Status::decoded : Status::output_too_short;
}

Status decode_one(const stage::BlockOnDevice& block) {
  if (block.layout != format::BlockLayout::raw) return decode_elements_of(block);
  std::memcpy(block.output, block.payload, block.uncompressed_bytes);
  return Status::decoded;
}

void decode_all(const stage::DecodeRequest& request) {
  for (std::uint32_t block = 0; block < request.frame.block_count; ++block) {
    request.status[block] =
        static_cast<std::uint32_t>(decode_one(request.frame.block(block, request.output)));
  }
}

BlockEncoder choose_by_options(const stage::ParameterValues& /*parameters*/,
                               const format::CodecOptions& options) {
  const reference::zero_length::MarkerChoice choice = reference::zero_length::marker_choice(options);
  if (choice.is_rarest) {
    return {.encode = choice.has_four_zeros ? encode_block<true, true> : encode_block<true, false>,
            .threads = 1};
  }
  return {.encode = choice.has_four_zeros ? encode_block<false, true> : encode_block<false, false>,
          .threads = 1};
}

stage::Description describe_with(stage::Operation operation) {
  return {.id = "zero_length/07_markers",
          .base = "zero_length/01_naive",
          .title = "Past the thesis: markers that each block chooses, and one byte for four zeros",
          .section = "zero-length thesis 5.6.1, 5.6.2",
          .format = markers_format,
          .operation = operation,
          .minimum_compute_capability = 0,
          .parameters = {}};
}

const stage::Description decoder_with_markers = describe_with(stage::Operation::decode);
const stage::Description encoder_with_markers = describe_with(stage::Operation::encode);
const HostEncodePlans plans_with_markers(encoder_with_markers, choose_by_options);
const stage::Registration decoding_with_markers(stage::Executor::cpu, decoder_with_markers,
                                                stage::decode_plans(decoder_with_markers, decode_all));
const stage::Registration encoding_with_markers(stage::Executor::cpu, encoder_with_markers,
                                                &plans_with_markers);

}  // namespace
}  // namespace gsst::zero_length::chosen_markers
