#pragma once

#include <cstdint>

#include "common/format/tile_integer/value_dictionary.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"

// Each value is looked up by its number in the dictionary of its block (paper, section 2.2): DICT+NSF.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t dict_threads = 256;
// Of the output of a thread block.
constexpr std::uint32_t dict_part_bytes = 8192;

// Thread blocks of dict_threads threads, parts_of() of them for parts of dict_part_bytes.
__global__ void look_up_values(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  using namespace format::tile_integer;
  const FramePart part(frame, output, dict_part_bytes);
  if (!part.begin(status)) return;
  const stage::BlockOnDevice& block = part.block();
  const DictShape shape = {
      .value_bytes = block.payload[dict_value_bytes_offset],
      .code_bytes = block.payload[dict_code_bytes_offset],
      .values = load_word(block.payload + dict_value_count_offset),
      .entries = load_word(block.payload + dict_entry_count_offset),
      .rest_bytes = block.uncompressed_bytes % block.payload[dict_value_bytes_offset],
  };
  if (part.number() == 0 && threadIdx.x < shape.rest_bytes) {
    block.output[block.uncompressed_bytes - shape.rest_bytes + threadIdx.x] =
        block.payload[shape.rest_offset() + threadIdx.x];
  }
  const std::uint32_t values_of_part = dict_part_bytes / shape.value_bytes;
  const std::uint32_t first = part.number() * values_of_part;
  for (std::uint32_t i = threadIdx.x; i < values_of_part && first + i < shape.values; i += dict_threads) {
    const std::uint64_t value = first + i;
    const std::uint64_t code =
        load_value(block.payload + shape.codes_offset() + value * shape.code_bytes, shape.code_bytes);
    store_value(block.output + value * shape.value_bytes,
                load_value(block.payload + dict_header_bytes + code * shape.value_bytes, shape.value_bytes),
                shape.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
