#pragma once

#include <cstdint>

#include "common/format/tile_integer/variable_bytes.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"

// Values of as many bytes as each needs: where one begins is the sum of the bytes of all before it (paper,
// section 9.3): NSV.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t nsv_threads = 256;
// Two bytes of codes.
constexpr std::uint32_t nsv_values_of_thread = 8;
constexpr std::uint32_t nsv_values_of_part = nsv_threads * nsv_values_of_thread;
constexpr std::uint32_t nsv_shared_bytes = nsv_threads / 32 * sizeof(std::uint32_t);

// The values of a part, of a block that is not raw.
struct NsvPart {
  const std::uint8_t* payload;
  std::uint32_t value_bytes;
  std::uint32_t values;
  // This thread's first value in the block, and how many are its.
  std::uint32_t first;
  std::uint32_t count;
  // Its codes, the first one lowest.
  std::uint32_t codes = 0;

  __device__ explicit NsvPart(const FramePart& part)
      : payload(part.block().payload),
        value_bytes(payload[format::tile_integer::nsv_value_bytes_offset]),
        values(load_word(payload + format::tile_integer::nsv_value_count_offset)),
        first(part.number() * nsv_values_of_part + threadIdx.x * nsv_values_of_thread) {
    const std::uint32_t left = first < values ? values - first : 0;
    count = left < nsv_values_of_thread ? left : nsv_values_of_thread;
    const std::uint8_t* const own =
        payload + format::tile_integer::nsv_header_bytes + first / format::tile_integer::nsv_codes_of_byte;
    if (count > 0) codes = own[0];
    if (count > format::tile_integer::nsv_codes_of_byte) codes |= std::uint32_t{own[1]} << 8;
  }

  // Of its value `i`.
  __device__ std::uint32_t bytes(std::uint32_t i) const {
    const std::uint32_t code =
        codes >> i * format::tile_integer::bits_of_nsv_code & format::tile_integer::nsv_code_mask;
    return (code + 1) * format::tile_integer::nsv_step(value_bytes);
  }

  // Of all of its values.
  __device__ std::uint32_t all_bytes() const {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += bytes(i);
    return sum;
  }
};

// All threads, with nsv_shared_bytes at `sums`: the sum of what the part's threads before this one have,
// whose own is `own`; `total` becomes that of all.
__device__ inline std::uint32_t nsv_sum_before(std::uint32_t own, std::uint8_t* sums, std::uint32_t& total) {
  return block_inclusive_sum<std::uint32_t, nsv_threads>(own, reinterpret_cast<std::uint32_t*>(sums), total) -
         own;
}

// The kernels, in their order, with thread blocks of nsv_threads threads, parts_of() of them, and an entry of
// `totals` for each. Of all threads of a thread block there is something to do, or of none: barriers follow.

// The sum begins: the bytes of a part.
__global__ void total_bytes(stage::FrameOnDevice frame, std::uint32_t* totals, std::uint8_t* output,
                            std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values()) return;
  std::uint32_t total = 0;
  nsv_sum_before(NsvPart(part).all_bytes(), sums, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// Each part's total becomes the sum of those before it. The block's first part does it.
__global__ void sum_bytes_of_parts(stage::FrameOnDevice frame, std::uint32_t* totals, std::uint8_t* output,
                                   std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values() || part.number() != 0) return;
  std::uint32_t* const own_totals = totals + blockIdx.x;
  const std::uint32_t parts = (NsvPart(part).values + nsv_values_of_part - 1) / nsv_values_of_part;
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < parts; first += nsv_threads) {
    const std::uint32_t place = first + threadIdx.x;
    const std::uint32_t own = place < parts ? own_totals[place] : 0;
    std::uint32_t total = 0;
    const std::uint32_t sum = before + nsv_sum_before(own, sums, total);
    if (place < parts) own_totals[place] = sum;
    before += total;
  }
}

// The sum ends, with where each value begins, and values are read there.
__global__ void gather_bytes(stage::FrameOnDevice frame, const std::uint32_t* totals, std::uint8_t* output,
                             std::uint32_t* status, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const NsvPart own(part);
  std::uint32_t total = 0;
  const std::uint8_t* number = own.payload + format::tile_integer::nsv_numbers_offset(own.values) +
                               totals[blockIdx.x] + nsv_sum_before(own.all_bytes(), sums, total);
  std::uint8_t* const values = part.block().output;
  for (std::uint32_t i = 0; i < own.count; ++i) {
    const std::uint32_t bytes = own.bytes(i);
    std::uint64_t value = 0;
    for (std::uint32_t byte = 0; byte < bytes; ++byte) value |= std::uint64_t{number[byte]} << 8 * byte;
    store_value(values + std::uint64_t{own.first + i} * own.value_bytes, value, own.value_bytes);
    number += bytes;
  }
  // The bytes that are no whole value follow the last one. Without values they are the first thread's.
  const bool is_last = own.values == 0 ? part.number() == 0 && threadIdx.x == 0
                                       : own.count != 0 && own.first + own.count == own.values;
  if (!is_last) return;
  const std::uint64_t whole = std::uint64_t{own.values} * own.value_bytes;
  for (std::uint64_t byte = whole; byte < part.block().uncompressed_bytes; ++byte) {
    values[byte] = number[byte - whole];
  }
}

}  // namespace
}  // namespace gsst::tile_integer
