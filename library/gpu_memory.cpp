#include "library/gpu_memory.hpp"

#include <span>
#include <string>

#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/gpu_device.hpp"

namespace gsst::library {
namespace {

void check_part(const GpuMemoryPart& part) {
  if (part.capacity < part.needed_bytes) {
    throw ApiError(part.too_small, std::string(part.name) + " has " + std::to_string(part.capacity) +
                                       " bytes, the plan needs " + std::to_string(part.needed_bytes));
  }
  if (part.needed_bytes == 0) return;
  check_not_null(part.pointer, part.name);
  check_alignment(part.pointer, part.name, part.alignment);
}

std::span<const std::uint8_t> used_bytes(const GpuMemoryPart& part) {
  return {static_cast<const std::uint8_t*>(part.pointer), part.needed_bytes};
}

}  // namespace

void check_memory_parts(const std::vector<GpuMemoryPart>& parts) {
  for (const GpuMemoryPart& part : parts) check_part(part);
  for (std::size_t second = 1; second < parts.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      check_no_overlap(used_bytes(parts[first]), parts[first].name, used_bytes(parts[second]),
                       parts[second].name);
    }
  }
}

void check_memory_of_device(const std::vector<GpuMemoryPart>& parts, int device) {
  for (const GpuMemoryPart& part : parts) {
    if (part.needed_bytes != 0) check_device_memory(part.pointer, part.name, device);
  }
}

void check_memory_to_decompress(const std::vector<GpuMemoryPart>& parts, int least) {
  check_memory_parts(parts);
  const int device = current_device();
  check_compute_capability(device, least);
  check_memory_of_device(parts, device);
}

}  // namespace gsst::library
