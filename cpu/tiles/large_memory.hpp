#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gsst::cpu::tiles {

/// Gives back what allocate_large() has returned.
struct FreeLargeMemory {
  void operator()(std::uint8_t* bytes) const;
};
using LargeMemory = std::unique_ptr<std::uint8_t[], FreeLargeMemory>;

/// Memory for `bytes` bytes, of any value, that is filled from its start: in large pages where the system has
/// them. Getting thousands of small ones takes a good part of the time in which their bytes are compressed.
/// Pages that nobody writes to take no memory. Throws std::bad_alloc.
LargeMemory allocate_large(std::size_t bytes);

}  // namespace gsst::cpu::tiles
