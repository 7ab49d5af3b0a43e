#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gsst/gsst.h"
#include "library/arguments.hpp"
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

/// What executing a plan checks first, for the arguments of the C interface: neither is null, and `memory`
/// has the size that this version of the library knows and nothing in what is reserved. Throws ApiError
/// naming it.
template <typename Plan, typename Memory>
void check_execution(const Plan* plan, const Memory* memory) {
  check_not_null(plan, "plan");
  check_not_null(memory, "memory");
  check_struct_bytes("memory", memory->struct_bytes, sizeof(*memory));
  check_zero("memory: reserved", memory->reserved);
}

}  // namespace gsst::library
