#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include "common/stage/run_decode.hpp"
#include "common/stage/run_memory.hpp"
#include "common/stage/stage.hpp"
#include "stages/codag/chunks/chunk_plan.hpp"

/// For tests: an executor's memory for chunks, between bytes that nobody may change.
namespace gsst::codag::chunks {

using ChunkBytes = std::vector<std::uint8_t>;

inline std::vector<stage::Executor> executors_of_chunks() {
  std::vector<stage::Executor> executors = {stage::Executor::simt};
  if (stage::is_available(stage::Executor::gpu)) executors.push_back(stage::Executor::gpu);
  return executors;
}

template <typename Value>
ChunkBytes bytes_of_values(std::span<const Value> values) {
  ChunkBytes bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// `size` bytes of an executor's memory at `address` bytes past an address that is aligned to 64.
class GuardedChunkMemory {
public:
  GuardedChunkMemory(stage::Executor executor, std::size_t size, std::size_t address = 0)
      : begin_(guard_bytes + address), size_(size), memory_(make(executor, guarded({}))) {}
  /// With `bytes`, which end where the memory does: a sanitizer sees a read past the end.
  GuardedChunkMemory(stage::Executor executor, std::span<const std::uint8_t> bytes, std::size_t address = 0)
      : begin_(guard_bytes + address), size_(bytes.size()), memory_(make(executor, guarded(bytes))) {}

  std::uint8_t* data() {
    return std::visit([&](auto& memory) { return memory.data() + begin_; }, memory_);
  }
  ChunkBytes read() const {
    const ChunkBytes all = whole();
    return {all.begin() + static_cast<std::ptrdiff_t>(begin_),
            all.begin() + static_cast<std::ptrdiff_t>(begin_ + size_)};
  }
  bool is_intact() const {
    ChunkBytes all = whole();
    std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(begin_), size_, guard);
    return all == ChunkBytes(all.size(), guard);
  }

  static constexpr std::uint8_t guard = 0xa5;

private:
  static constexpr std::size_t guard_bytes = 64;

  ChunkBytes guarded(std::span<const std::uint8_t> bytes) const {
    ChunkBytes all(begin_ + size_ + (bytes.empty() ? guard_bytes : 0), guard);
    std::ranges::copy(bytes, all.begin() + static_cast<std::ptrdiff_t>(begin_));
    return all;
  }

#if GSST_WITH_CUDA
  using Memory = std::variant<stage::HostBuffer, cuda::DeviceBuffer>;
  static Memory make(stage::Executor executor, const ChunkBytes& bytes) {
    if (executor != stage::Executor::gpu) return stage::HostBuffer(bytes);
    return Memory(std::in_place_type<cuda::DeviceBuffer>, std::span<const std::uint8_t>(bytes));
  }
#else
  using Memory = std::variant<stage::HostBuffer>;
  static Memory make(stage::Executor /*executor*/, const ChunkBytes& bytes) {
    return stage::HostBuffer(bytes);
  }
#endif

  ChunkBytes whole() const {
    return std::visit([](const auto& memory) { return ChunkBytes(memory.to_host()); }, memory_);
  }

  std::size_t begin_;
  std::size_t size_;
  Memory memory_;
};

}  // namespace gsst::codag::chunks
