#include "reference_cpu/tile_integer/rle_block.hpp"

#include <algorithm>
#include <bit>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/run_lengths.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {
namespace {

struct Run {
  std::uint64_t value;
  std::uint64_t length;
};

std::vector<Run> runs_in(std::span<const std::uint8_t> block, std::uint32_t value_bytes) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < block.size() / value_bytes; ++i) {
    const std::uint64_t value = load_number(block.data() + i * value_bytes, value_bytes);
    if (runs.empty() || runs.back().value != value) runs.push_back({.value = value, .length = 0});
    ++runs.back().length;
  }
  return runs;
}

// The smallest power of two of bytes that hold `number`.
std::uint32_t bytes_for(std::uint64_t number) {
  const auto bytes = static_cast<std::uint32_t>((std::bit_width(number) + 7) / 8);
  return std::bit_ceil(std::max(bytes, 1U));
}

}  // namespace

std::vector<std::uint8_t> rle_payload(std::span<const std::uint8_t> block, const RleSizes& sizes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded
                                         // here
  const std::vector<Run> runs = runs_in(block, sizes.value_bytes);
  std::vector<std::uint8_t> payload(rle_header_bytes, 0);
  payload[rle_value_bytes_offset] = static_cast<std::uint8_t>(sizes.value_bytes);
  payload[rle_number_bytes_offset] = static_cast<std::uint8_t>(sizes.number_bytes);
  payload[rle_length_bytes_offset] = static_cast<std::uint8_t>(sizes.length_bytes);
  format::store_little_endian<4>(payload.data() + rle_value_count_offset, block.size() / sizes.value_bytes);
  format::store_little_endian<4>(payload.data() + rle_run_count_offset, runs.size());
  for (const Run& run : runs) append_number(payload, run.value, sizes.number_bytes);
  for (const Run& run : runs) append_number(payload, run.length, sizes.length_bytes);
  const auto rest = block.last(block.size() % sizes.value_bytes);
  payload.insert(payload.end(), rest.begin(), rest.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> encode_rle(std::span<const std::uint8_t> block, format::tile_integer::Type type) {
  const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
  return rle_payload(block, {.value_bytes = value_bytes,
                             .number_bytes = value_bytes,
                             .length_bytes = format::tile_integer::largest_length_bytes});
}

std::vector<std::uint8_t> encode_rle_nsf(std::span<const std::uint8_t> block,
                                         format::tile_integer::Type type) {
  RleSizes sizes = {
      .value_bytes = format::tile_integer::shape_of(type).value_bytes, .number_bytes = 1, .length_bytes = 1};
  for (const Run& run : runs_in(block, sizes.value_bytes)) {
    sizes.number_bytes = std::max(sizes.number_bytes, bytes_for(run.value));
    sizes.length_bytes = std::max(sizes.length_bytes, bytes_for(run.length));
  }
  return rle_payload(block, sizes);
}

std::vector<std::uint8_t> decode_rle(std::span<const std::uint8_t> payload,
                                     std::uint32_t uncompressed_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): as above
  const RleShape shape = {
      .value_bytes = payload[rle_value_bytes_offset],
      .number_bytes = payload[rle_number_bytes_offset],
      .length_bytes = payload[rle_length_bytes_offset],
      .values = uncompressed_bytes / payload[rle_value_bytes_offset],
      .runs =
          static_cast<std::uint32_t>(format::load_little_endian<4>(payload.data() + rle_run_count_offset)),
      .rest_bytes = uncompressed_bytes % payload[rle_value_bytes_offset],
  };
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  for (std::size_t run = 0; run < shape.runs; ++run) {
    const std::uint64_t value =
        load_number(payload.data() + rle_header_bytes + run * shape.number_bytes, shape.number_bytes);
    const std::uint64_t length =
        load_number(payload.data() + shape.lengths_offset() + run * shape.length_bytes, shape.length_bytes);
    for (std::uint64_t i = 0; i < length; ++i) append_number(output, value, shape.value_bytes);
  }
  const auto rest = payload.subspan(shape.rest_offset(), shape.rest_bytes);
  output.insert(output.end(), rest.begin(), rest.end());
  return output;
}

}  // namespace gsst::reference::tile_integer
