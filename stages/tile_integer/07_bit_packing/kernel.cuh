#pragma once

#include <cstdint>

#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"

// One layer of bit packing, a thread block for 128 values, a thread for each (paper, section 9.4): GPU-BP.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a packed block.
__global__ void unpack_bits(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                            std::uint32_t part_bytes) {
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint64_t index = std::uint64_t{part.number()} * packed_block_values + threadIdx.x;
  if (index >= payload.values()) return;
  const std::uint32_t start = payload.start(part.number());
  const std::uint32_t width =
      (payload.start(part.number() + 1) - start) / format::tile_integer::words_of_a_bit;
  store_value(part.block().output + index * type.value_bytes,
              extract_bits(payload, start, threadIdx.x * width, width), type.value_bytes);
}

}  // namespace
}  // namespace gsst::tile_integer
