#include <cstdint>
#include <string>
#include <vector>

#include "gsst/gpu.h"
#include "library/arguments.hpp"
#include "library/gpu_decompress_handle.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"

// The functions of gpu.h that decompress ranges.

namespace {

namespace library = gsst::library;
using library::ApiError;
using library::GpuMemoryPart;

gsst_gpu_ranges_sizes sizes_of_ranges(const library::GpuDecompressPlan& plan, std::uint64_t range_count) {
  const std::uint64_t scratch_bytes = plan.range_scratch_bytes(range_count);
  const std::uint64_t frame_bytes = plan.summary().compressed_bytes;
  return {.struct_bytes = 0,
          .reserved = 0,
          .frame_bytes = frame_bytes,
          .scratch_bytes = scratch_bytes,
          .status_count = range_count,
          .device_bytes =
              frame_bytes + scratch_bytes + range_count * (sizeof(gsst_range) + sizeof(std::uint32_t))};
}

std::vector<GpuMemoryPart> ranges_memory_parts(const gsst_gpu_ranges_memory& memory,
                                               const gsst_gpu_ranges_sizes& sizes) {
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  const std::uint64_t range_bytes = memory.range_count * sizeof(gsst_range);
  return {
      {"frame", memory.frame, memory.frame_bytes, sizes.frame_bytes, 1, GSST_ERROR_INVALID_ARGUMENT},
      {"ranges", memory.ranges, range_bytes, range_bytes, alignof(gsst_range), GSST_ERROR_INVALID_ARGUMENT},
      {"output", memory.output, memory.output_capacity, memory.output_capacity, 1,
       GSST_ERROR_OUTPUT_TOO_SMALL},
      {"scratch", memory.scratch, memory.scratch_capacity, sizes.scratch_bytes, GSST_GPU_DECOMPRESS_ALIGNMENT,
       GSST_ERROR_SCRATCH_TOO_SMALL},
      {"status", memory.status, memory.status_capacity * word, sizes.status_count * word, word,
       GSST_ERROR_OUTPUT_TOO_SMALL}};
}

gsst_error error_of_range(std::uint32_t word) {
  switch (GSST_GPU_BLOCK_STATUS(word)) {
    case GSST_GPU_RANGE_OUTSIDE_FRAME:
      return GSST_ERROR_INVALID_ARGUMENT;
    case GSST_GPU_RANGE_OUTSIDE_OUTPUT:
      return GSST_ERROR_OUTPUT_TOO_SMALL;
    default:
      return GSST_ERROR_DAMAGED;
  }
}

}  // namespace

gsst_error gsst_gpu_check_range_status(const uint32_t* status, size_t count, gsst_message* message) {
  return library::report_errors(message, [&] {
    if (count != 0) library::check_not_null(status, "status");
    for (std::size_t range = 0; range < count; ++range) {
      if (status[range] == GSST_GPU_BLOCK_DECODED) continue;
      throw ApiError(error_of_range(status[range]),
                     "range " + std::to_string(range) + ": " + gsst_gpu_block_status_text(status[range]));
    }
  });
}

gsst_error gsst_gpu_decompress_ranges_sizes(const gsst_gpu_decompress_plan* plan, size_t range_count,
                                            gsst_gpu_ranges_sizes* sizes, gsst_message* message) {
  return library::report_errors(message, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of_ranges(plan->plan, range_count), sizes);
  });
}

gsst_error gsst_gpu_decompress_ranges(const gsst_gpu_decompress_plan* plan,
                                      const gsst_gpu_ranges_memory* memory, cudaStream_t stream,
                                      gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    const gsst_gpu_ranges_sizes sizes = sizes_of_ranges(plan->plan, given.range_count);
    library::check_size("frame_bytes", given.frame_bytes, sizes.frame_bytes);
    const std::vector<GpuMemoryPart> parts = ranges_memory_parts(given, sizes);
    library::check_memory_to_decompress(parts, plan->plan.minimum_compute_capability());
    plan->plan.enqueue_ranges({.frame = static_cast<const std::uint8_t*>(given.frame),
                               .ranges = given.ranges,
                               .range_count = given.range_count,
                               .output = static_cast<std::uint8_t*>(given.output),
                               .output_bytes = given.output_capacity,
                               .scratch = static_cast<std::uint8_t*>(given.scratch),
                               .status = given.status},
                              stream);
  });
}
