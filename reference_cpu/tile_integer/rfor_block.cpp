#include "reference_cpu/tile_integer/rfor_block.hpp"

#include <algorithm>

#include "common/format/part_size.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here

std::size_t miniblocks_for(std::size_t runs) {
  return format::part_size(runs, miniblock_values);
}

void append_run_block(std::vector<std::uint8_t>& payload, std::span<const std::uint64_t> values,
                      const TypeShape& type) {
  std::vector<std::uint64_t> values_of_runs;
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t value : values) {
    if (values_of_runs.empty() || values_of_runs.back() != value) {
      values_of_runs.push_back(value);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  append_number(payload, lengths.size(), word_bytes);
  append_stream(payload, values_of_runs, miniblocks_for(lengths.size()),
                smallest_number(values_of_runs, type.is_signed), type.reference_words);
  append_stream(payload, lengths, miniblocks_for(lengths.size()), smallest_number(lengths, false),
                length_reference_words);
}

void decode_run_block(const std::uint8_t* bytes, const TypeShape& type, std::span<std::uint64_t> values) {
  const std::size_t runs = load_number(bytes, word_bytes);
  const StreamNumbers of_values =
      numbers_of_stream(bytes + word_bytes, miniblocks_for(runs), type.reference_words);
  const StreamNumbers lengths =
      numbers_of_stream(of_values.end, miniblocks_for(runs), length_reference_words);
  auto next = values.begin();
  for (std::size_t run = 0; run < runs; ++run) {
    // Modulo 2^32, as the format has it.
    const auto length = static_cast<std::uint32_t>(lengths.numbers[run]);
    next = std::fill_n(next, length, of_values.numbers[run]);
  }
}

}  // namespace

std::vector<std::uint8_t> encode_rfor(std::span<const std::uint8_t> block, Type type) {
  return encode_units(
      block, type, run_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t /*number*/, std::span<const std::uint64_t> values) {
        append_run_block(payload, values, shape_of(type));
      });
}

std::vector<std::uint8_t> decode_rfor(std::span<const std::uint8_t> payload,
                                      std::uint32_t uncompressed_bytes) {
  const TypeShape& type = shape_of(static_cast<Type>(payload[type_offset]));
  return decode_units(payload, uncompressed_bytes, run_block_values,
                      [&](const std::uint8_t* bytes, std::size_t /*number*/,
                          std::span<std::uint64_t> values) { decode_run_block(bytes, type, values); });
}

}  // namespace gsst::reference::tile_integer
