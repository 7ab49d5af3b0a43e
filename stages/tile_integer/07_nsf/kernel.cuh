#pragma once

#include <cstdint>

#include "common/format/tile_integer/null_suppression.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"

// Values in one, two or four bytes each are widened (paper, section 9.2): NSF.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t nsf_threads = 128;
// Of the output of a thread block.
constexpr std::uint32_t nsf_part_bytes = 8192;
// Of the output of a thread at a time: one store.
constexpr std::uint32_t stored_bytes = 16;

// Numbers that are loaded or stored at once.
template <typename Number, std::uint32_t count>
struct alignas(sizeof(Number) * count) Numbers {
  Number numbers[count];
};

// All threads: the first `values` values of a part, but those that do not fill a store. Returns how many
// that are. Output and numbers are at multiples of 16 bytes.
template <typename Value, typename Number>
__device__ inline std::uint32_t widen_aligned(const std::uint8_t* numbers, std::uint8_t* output,
                                              std::uint32_t values) {
  constexpr std::uint32_t count = stored_bytes / sizeof(Value);
  for (std::uint32_t piece = threadIdx.x; piece < values / count; piece += nsf_threads) {
    const auto loaded = reinterpret_cast<const Numbers<Number, count>*>(numbers)[piece];
    Numbers<Value, count> widened;
    for (std::uint32_t i = 0; i < count; ++i) widened.numbers[i] = loaded.numbers[i];
    reinterpret_cast<Numbers<Value, count>*>(output)[piece] = widened;
  }
  return values / count * count;
}

// The same for values of this type and numbers of a size that is at most theirs.
template <typename Value>
__device__ inline std::uint32_t widen_to(const std::uint8_t* numbers, std::uint32_t number_bytes,
                                         std::uint8_t* output, std::uint32_t values) {
  if constexpr (sizeof(Value) >= 8) {
    if (number_bytes == 8) return widen_aligned<Value, std::uint64_t>(numbers, output, values);
  }
  if constexpr (sizeof(Value) >= 4) {
    if (number_bytes == 4) return widen_aligned<Value, std::uint32_t>(numbers, output, values);
  }
  if constexpr (sizeof(Value) >= 2) {
    if (number_bytes == 2) return widen_aligned<Value, std::uint16_t>(numbers, output, values);
  }
  return widen_aligned<Value, std::uint8_t>(numbers, output, values);
}

// All threads: the values of a part.
__device__ inline void widen(const std::uint8_t* numbers, const format::tile_integer::NsfShape& shape,
                             std::uint8_t* output, std::uint32_t values) {
  std::uint32_t widened = 0;
  if ((reinterpret_cast<std::uintptr_t>(numbers) | reinterpret_cast<std::uintptr_t>(output)) % stored_bytes ==
      0) {
    if (shape.value_bytes == 4) {
      widened = widen_to<std::uint32_t>(numbers, shape.number_bytes, output, values);
    } else if (shape.value_bytes == 8) {
      widened = widen_to<std::uint64_t>(numbers, shape.number_bytes, output, values);
    } else if (shape.value_bytes == 2) {
      widened = widen_to<std::uint16_t>(numbers, shape.number_bytes, output, values);
    } else {
      widened = widen_to<std::uint8_t>(numbers, shape.number_bytes, output, values);
    }
  }
  for (std::uint32_t i = widened + threadIdx.x; i < values; i += nsf_threads) {
    store_value(output + std::uint64_t{i} * shape.value_bytes,
                load_value(numbers + std::uint64_t{i} * shape.number_bytes, shape.number_bytes),
                shape.value_bytes);
  }
}

// Thread blocks of nsf_threads threads, parts_of() of them for parts of nsf_part_bytes. Raw blocks, whose
// values are as wide as before, are left to copy_raw_parts().
__global__ void widen_numbers(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  using namespace format::tile_integer;
  const FramePart part(frame, output, nsf_part_bytes);
  if (!part.has_values() || !part.begin(status)) return;
  const stage::BlockOnDevice& block = part.block();
  const NsfShape shape = {
      .value_bytes = block.payload[nsf_value_bytes_offset],
      .number_bytes = block.payload[nsf_number_bytes_offset],
      .values = load_word(block.payload + nsf_value_count_offset),
      .rest_bytes = block.uncompressed_bytes % block.payload[nsf_value_bytes_offset],
  };
  if (part.number() == 0 && threadIdx.x < shape.rest_bytes) {
    block.output[block.uncompressed_bytes - shape.rest_bytes + threadIdx.x] =
        block.payload[shape.rest_offset() + threadIdx.x];
  }
  const std::uint32_t values_of_part = nsf_part_bytes / shape.value_bytes;
  const std::uint32_t first = part.number() * values_of_part;
  if (first >= shape.values) return;
  const std::uint32_t left = shape.values - first;
  widen(block.payload + nsf_header_bytes + std::uint64_t{first} * shape.number_bytes, shape,
        block.output + std::uint64_t{first} * shape.value_bytes,
        left < values_of_part ? left : values_of_part);
}

}  // namespace
}  // namespace gsst::tile_integer
