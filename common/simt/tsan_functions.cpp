#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "common/simt/access_observer.hpp"

// What code compiled with -fsanitize=thread calls before each access. The compiler's library that has these
// functions is not linked: it knows threads of the processor, these know CUDA threads. The names are the
// compiler's.

using gsst::simt::AccessKind;
using gsst::simt::AccessObserver;

// NOLINTBEGIN(readability-identifier-naming)
#define GSST_TSAN_FUNCTION(name, bytes, kind)                                              \
  void name(const void* address) {                                                         \
    AccessObserver::record(address, bytes, AccessKind::kind, __builtin_return_address(0)); \
  }
#define GSST_TSAN_FUNCTIONS(bytes)                              \
  GSST_TSAN_FUNCTION(__tsan_read##bytes, bytes, read)           \
  GSST_TSAN_FUNCTION(__tsan_unaligned_read##bytes, bytes, read) \
  GSST_TSAN_FUNCTION(__tsan_write##bytes, bytes, write)         \
  GSST_TSAN_FUNCTION(__tsan_unaligned_write##bytes, bytes, write)
#define GSST_TSAN_ATOMICS(bits)                                                                             \
  std::uint##bits##_t __tsan_atomic##bits##_load(const std::uint##bits##_t* address, int order) {           \
    AccessObserver::record(address, sizeof *address, AccessKind::atomic_read, __builtin_return_address(0)); \
    AccessObserver::order_by_load(address, order != __ATOMIC_RELAXED);                                      \
    return *address;                                                                                        \
  }                                                                                                         \
  void __tsan_atomic##bits##_store(std::uint##bits##_t* address, std::uint##bits##_t value, int order) {    \
    AccessObserver::record(address, sizeof *address, AccessKind::atomic_change,                             \
                           __builtin_return_address(0));                                                    \
    AccessObserver::order_by_store(address, order != __ATOMIC_RELAXED);                                     \
    *address = value;                                                                                       \
  }                                                                                                         \
  std::uint##bits##_t __tsan_atomic##bits##_exchange(std::uint##bits##_t* address,                          \
                                                     std::uint##bits##_t value, int /*order*/) {            \
    AccessObserver::record(address, sizeof *address, AccessKind::atomic_change,                             \
                           __builtin_return_address(0));                                                    \
    AccessObserver::order_by_exchange(address);                                                             \
    return std::exchange(*address, value);                                                                  \
  }

extern "C" {

GSST_TSAN_FUNCTIONS(1)
GSST_TSAN_FUNCTIONS(2)
GSST_TSAN_FUNCTIONS(4)
GSST_TSAN_FUNCTIONS(8)
GSST_TSAN_FUNCTIONS(16)
// 8 bits: the guards of local static objects of the host.
GSST_TSAN_ATOMICS(8)
GSST_TSAN_ATOMICS(32)
GSST_TSAN_ATOMICS(64)

// Counts of the host's shared pointers: kernels add by atomicAdd().
std::uint32_t __tsan_atomic32_fetch_add(std::uint32_t* address, std::uint32_t value, int /*order*/) {
  return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
}

void __tsan_read_range(const void* address, std::size_t bytes) {
  AccessObserver::record(address, bytes, AccessKind::read, __builtin_return_address(0));
}
void __tsan_write_range(const void* address, std::size_t bytes) {
  AccessObserver::record(address, bytes, AccessKind::write, __builtin_return_address(0));
}

void __tsan_init() {}
void __tsan_func_entry(const void* /*caller*/) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(const void* /*address*/) {}
void __tsan_vptr_update(const void* /*address*/, const void* /*value*/) {}

// The linker's --wrap sends calls of memcpy() and the like here, which the compiler does not instrument.
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  AccessObserver::record(from, bytes, AccessKind::read, __builtin_return_address(0));
  AccessObserver::record(to, bytes, AccessKind::write, __builtin_return_address(0));
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  AccessObserver::record(from, bytes, AccessKind::read, __builtin_return_address(0));
  AccessObserver::record(to, bytes, AccessKind::write, __builtin_return_address(0));
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  AccessObserver::record(to, bytes, AccessKind::write, __builtin_return_address(0));
  return __real_memset(to, value, bytes);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

// What stands in for CUDA's library on the CPU may allocate: memory that one thread frees and another gets is
// no race. NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory): this is the allocation
// itself
void* operator new(std::size_t bytes) {
  const std::size_t alignment = AccessObserver::alignment_of_new_memory();
  // Of less than that only the standard's alignment is asked for.
  void* const memory = bytes < alignment
                           ? std::malloc(bytes == 0 ? 1 : bytes)
                           : std::aligned_alloc(alignment, bytes / alignment * alignment + alignment);
  if (memory == nullptr) throw std::bad_alloc();
  AccessObserver::forget(reinterpret_cast<std::uintptr_t>(memory), bytes);
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
