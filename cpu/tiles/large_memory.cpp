#include "cpu/tiles/large_memory.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace gsst::cpu::tiles {
namespace {

constexpr std::size_t page_bytes = std::size_t{2} << 20;
constexpr std::align_val_t page_alignment{page_bytes};

}  // namespace

void FreeLargeMemory::operator()(std::uint8_t* bytes) const {
  ::operator delete(bytes, page_alignment);
}

LargeMemory allocate_large(std::size_t bytes) {
  LargeMemory memory(static_cast<std::uint8_t*>(::operator new(bytes, page_alignment)));
#if defined(__linux__)
  // A wish: without it the pages are small ones.
  static_cast<void>(madvise(memory.get(), bytes / page_bytes * page_bytes, MADV_HUGEPAGE));
#endif
  return memory;
}

}  // namespace gsst::cpu::tiles
