#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gsst/gpu.h"
#include "library/arguments.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"

namespace gsst::library {

/// Memory that a caller gives for one purpose.
struct GpuMemoryPart {
  const char* name;
  const void* pointer;
  /// Bytes that the caller says it has.
  std::uint64_t capacity;
  /// Bytes that are needed.
  std::uint64_t needed_bytes;
  /// Of the address.
  std::size_t alignment;
  /// What too small a capacity is reported as.
  gsst_error too_small;
};

/// Checks sizes, null pointers and alignments of `parts`, and that no two of them share bytes; asks nothing
/// of CUDA. A part of which nothing is needed may be null. Throws ApiError naming the part.
void check_memory_parts(const std::vector<GpuMemoryPart>& parts);

/// Checks that each part of which something is needed is in memory of `device`. Throws ApiError and
/// cuda::CudaError.
void check_memory_of_device(const std::vector<GpuMemoryPart>& parts, int device);

/// As both, for the current device, which must have at least compute capability `least`, 10 * major + minor.
void check_memory_to_decompress(const std::vector<GpuMemoryPart>& parts, int least);

template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_decompress_memory> = 72;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_ranges_memory> = 88;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_device_frame_memory> = 88;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_compress_memory> = 64;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_decompress_sizes> = 48;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_ranges_sizes> = 40;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_gpu_compress_sizes> = 40;

/// What executing a plan checks first, for the arguments of the C interface: neither is null, and `memory`
/// has a size that known_struct() takes and nothing in what is reserved. Gives `memory` as this version of
/// the library knows it. Throws ApiError and std::invalid_argument naming what is wrong.
template <typename Plan, typename Memory>
Memory check_execution(const Plan* plan, const Memory* memory) {
  check_not_null(plan, "plan");
  check_not_null(memory, "memory");
  const Memory known = known_struct("memory", memory);
  check_zero("memory: reserved", known.reserved);
  return known;
}

}  // namespace gsst::library
