#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "stages/gsst/encode/encode_settings.hpp"

namespace gsst::library {

/// For tests: memory aligned as a compression asks for, between bytes that nobody may change.
class GuardedMemory {
public:
  explicit GuardedMemory(std::size_t size)
      : size_(size), bytes_(static_cast<std::uint8_t*>(::operator new(whole_bytes(), alignment))) {
    std::fill_n(bytes_.get(), whole_bytes(), guard);
  }

  std::uint8_t* data() { return bytes_.get() + guard_bytes; }
  /// A copy of the first `count` bytes.
  std::vector<std::uint8_t> first(std::size_t count) const {
    return {bytes_.get() + guard_bytes, bytes_.get() + guard_bytes + count};
  }
  void poison(std::uint8_t value) { std::fill_n(data(), size_, value); }
  bool is_intact() const {
    const auto is_guard = [](std::uint8_t byte) { return byte == guard; };
    return std::all_of(bytes_.get(), bytes_.get() + guard_bytes, is_guard) &&
           std::all_of(bytes_.get() + guard_bytes + size_, bytes_.get() + whole_bytes(), is_guard);
  }

private:
  static constexpr std::uint8_t guard = 0xa5;
  static constexpr std::size_t guard_bytes = 256;
  static constexpr std::align_val_t alignment{stage::encode_alignment};
  struct Delete {
    void operator()(std::uint8_t* bytes) const { ::operator delete(bytes, alignment); }
  };

  std::size_t whole_bytes() const { return size_ + 2 * guard_bytes; }

  std::size_t size_;
  std::unique_ptr<std::uint8_t, Delete> bytes_;
};

}  // namespace gsst::library
