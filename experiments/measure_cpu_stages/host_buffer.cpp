#include "experiments/measure_cpu_stages/host_buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace gsst::experiments {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
// A decoder that copies whole vectors writes at most a few hundred bytes too many.
constexpr std::size_t canary_bytes = 4096;
constexpr std::uint8_t canary = 0xa5;

std::uint8_t* allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  void* const memory = ::operator new[](rounded, std::align_val_t{huge_page_bytes});
  // A system without huge pages refuses, and the memory is as good.
  static_cast<void>(madvise(memory, rounded, MADV_HUGEPAGE));
  return static_cast<std::uint8_t*>(memory);
}

}  // namespace

void HostBuffer::Free::operator()(std::uint8_t* memory) const {
  ::operator delete[](memory, std::align_val_t{huge_page_bytes});
}

HostBuffer::HostBuffer(std::size_t bytes) : bytes_(bytes), memory_(allocate(bytes + canary_bytes)) {
  std::fill_n(memory_.get(), bytes + canary_bytes, canary);
}

bool HostBuffer::is_intact() const {
  const std::uint8_t* const end = memory_.get() + bytes_;
  return std::all_of(end, end + canary_bytes, [](std::uint8_t byte) { return byte == canary; });
}

}  // namespace gsst::experiments
