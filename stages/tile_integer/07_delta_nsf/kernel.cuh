#pragma once

#include <cstdint>

#include "common/format/tile_integer/delta_nsf.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"

// Each value is the sum of all differences of its block up to its own (paper, section 2.2): DELTA+NSF.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t delta_nsf_threads = 256;
constexpr std::uint32_t differences_of_thread = 8;
constexpr std::uint32_t differences_of_part = delta_nsf_threads * differences_of_thread;
constexpr std::uint32_t delta_nsf_shared_bytes = delta_nsf_threads / 32 * sizeof(std::uint64_t);

// The differences of a part, of a block that is not raw.
struct DifferencesPart {
  const std::uint8_t* payload;
  std::uint32_t value_bytes;
  std::uint32_t number_bytes;
  std::uint32_t values;
  // This thread's first one in the block.
  std::uint32_t first;

  __device__ explicit DifferencesPart(const FramePart& part)
      : payload(part.block().payload),
        value_bytes(payload[format::tile_integer::delta_nsf_value_bytes_offset]),
        number_bytes(payload[format::tile_integer::delta_nsf_number_bytes_offset]),
        values(load_word(payload + format::tile_integer::delta_nsf_value_count_offset)),
        first(part.number() * differences_of_part + threadIdx.x * differences_of_thread) {}

  // Of value `i` of the thread; 0 where there is none.
  __device__ std::uint64_t difference(std::uint32_t i) const {
    if (first + i >= values) return 0;
    return format::tile_integer::difference_of_number(load_value(
        payload + format::tile_integer::delta_nsf_header_bytes + std::uint64_t{first + i} * number_bytes,
        number_bytes));
  }

  // Of all of its values.
  __device__ std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < differences_of_thread; ++i) sum += difference(i);
    return sum;
  }
};

// All threads, with delta_nsf_shared_bytes at `sums`: the sum of what the part's threads before this one
// have, whose own is `own`; `total` becomes that of all. Sums wrap.
__device__ inline std::uint64_t differences_before(std::uint64_t own, std::uint8_t* sums,
                                                   std::uint64_t& total) {
  return block_inclusive_sum<std::uint64_t, delta_nsf_threads>(own, reinterpret_cast<std::uint64_t*>(sums),
                                                               total) -
         own;
}

// The kernels, in their order, with thread blocks of delta_nsf_threads threads, parts_of() of them, and an
// entry of `totals` for each. Of all threads of a thread block there is something to do, or of none: barriers
// follow.

// The sum begins: that of a part.
__global__ void total_differences(stage::FrameOnDevice frame, std::uint64_t* totals, std::uint8_t* output,
                                  std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values()) return;
  std::uint64_t total = 0;
  differences_before(DifferencesPart(part).sum(), sums, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// Each part's total becomes the sum of those before it. The block's first part does it.
__global__ void sum_differences_of_parts(stage::FrameOnDevice frame, std::uint64_t* totals,
                                         std::uint8_t* output, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values() || part.number() != 0) return;
  std::uint64_t* const own_totals = totals + blockIdx.x;
  const std::uint32_t parts = (DifferencesPart(part).values + differences_of_part - 1) / differences_of_part;
  std::uint64_t before = 0;
  for (std::uint32_t first = 0; first < parts; first += delta_nsf_threads) {
    const std::uint32_t place = first + threadIdx.x;
    const std::uint64_t own = place < parts ? own_totals[place] : 0;
    std::uint64_t total = 0;
    const std::uint64_t sum = before + differences_before(own, sums, total);
    if (place < parts) own_totals[place] = sum;
    before += total;
  }
}

// The sum ends, with the values.
__global__ void add_differences(stage::FrameOnDevice frame, const std::uint64_t* totals, std::uint8_t* output,
                                std::uint32_t* status, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const DifferencesPart own(part);
  const stage::BlockOnDevice& block = part.block();
  const std::uint64_t whole = std::uint64_t{own.values} * own.value_bytes;
  if (part.number() == 0 && threadIdx.x < block.uncompressed_bytes - whole) {
    block.output[whole + threadIdx.x] =
        own.payload[format::tile_integer::delta_nsf_header_bytes +
                    std::uint64_t{own.values} * own.number_bytes + threadIdx.x];
  }
  std::uint64_t total = 0;
  std::uint64_t value =
      load_value(own.payload + format::tile_integer::delta_nsf_base_offset, own.value_bytes) +
      totals[blockIdx.x] + differences_before(own.sum(), sums, total);
  for (std::uint32_t i = 0; i < differences_of_thread && own.first + i < own.values; ++i) {
    value += own.difference(i);
    store_value(block.output + std::uint64_t{own.first + i} * own.value_bytes, value, own.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
