#include "experiments/carry_over/runtime/memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "experiments/carry_over/runtime/settings.hpp"

namespace gsst::logged_cuda {
namespace {

constexpr std::size_t page_bytes = 4096;

struct Allocation {
  std::size_t number;
  std::size_t bytes;

  std::size_t mapped_bytes() const { return (bytes + page_bytes - 1) / page_bytes * page_bytes + page_bytes; }
};

struct Memory {
  std::mutex mutex;
  std::map<std::uintptr_t, Allocation> allocations;
  std::size_t made = 0;
  std::size_t bytes = 0;
};

// Never destroyed, as the log's files.
Memory& memory() {
  static Memory& only = *new Memory;  // NOLINT(cppcoreguidelines-owning-memory)
  return only;
}

// The place of an address in an allocation, whose end counts too: the page after it is nobody's.
std::optional<std::string> place_in_allocation(std::uintptr_t address) {
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  auto found = all.allocations.upper_bound(address);
  if (found == all.allocations.begin()) return std::nullopt;
  --found;
  const std::uintptr_t offset = address - found->first;
  if (offset > found->second.bytes) return std::nullopt;
  return "#" + std::to_string(found->second.number) + "+" + std::to_string(offset);
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  const Allocation made{.number = ++all.made, .bytes = bytes};
  void* const data = ::mmap(nullptr, made.mapped_bytes(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) fail("the host has no " + std::to_string(bytes) + " bytes of memory");
  ::mprotect(static_cast<char*>(data) + made.mapped_bytes() - page_bytes, page_bytes, PROT_NONE);
  all.allocations.emplace(reinterpret_cast<std::uintptr_t>(data), made);
  all.bytes += bytes;
  return data;
}

bool release(void* data) {
  if (data == nullptr) return true;
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  const auto found = all.allocations.find(reinterpret_cast<std::uintptr_t>(data));
  if (found == all.allocations.end()) return false;
  all.bytes -= found->second.bytes;
  ::munmap(data, found->second.mapped_bytes());
  all.allocations.erase(found);
  return true;
}

bool is_allocated(const void* data) {
  return place_in_allocation(reinterpret_cast<std::uintptr_t>(data)).has_value();
}

std::size_t allocated_bytes() {
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  return all.bytes;
}

std::string place_of(const void* data) {
  if (data == nullptr) return "0";
  return place_in_allocation(reinterpret_cast<std::uintptr_t>(data)).value_or("host");
}

std::string describe_bytes(const void* data, std::size_t count) {
  constexpr char digits[] = "0123456789abcdef";
  const auto* const bytes = static_cast<const std::uint8_t*>(data);
  std::string text;
  for (std::size_t i = 0; i < count;) {
    std::uintptr_t word = 0;
    if (i % sizeof(word) == 0 && count - i >= sizeof(word)) {
      std::memcpy(&word, bytes + i, sizeof(word));
      if (const auto place = place_in_allocation(word)) {
        text += "(" + *place + ")";
        i += sizeof(word);
        continue;
      }
    }
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
    ++i;
  }
  return text;
}

}  // namespace gsst::logged_cuda
