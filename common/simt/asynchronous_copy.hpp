#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "common/simt/executor.hpp"

/// libcu++'s asynchronous copies for the CPU executor. A copy happens when the thread waits for it: until
/// then its destination holds a poison pattern, so that a kernel that reads too early decodes noise.
namespace cuda {

// libcu++'s names.
// NOLINTBEGIN(readability-identifier-naming)
enum thread_scope { thread_scope_thread };

/// A number of bytes; it and both addresses of the copy are multiples of Alignment.
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  explicit aligned_size_t(std::size_t size) : value(size) {}
  std::size_t value;
};
// NOLINTEND(readability-identifier-naming)

template <thread_scope Scope>
class pipeline;

/// The pipeline of one thread: copies that were committed together arrive together, in order.
template <>
class pipeline<thread_scope_thread> {
public:
  void producer_acquire() {}

  /// Ends the group of copies that were made since the last call. It may be empty.
  void producer_commit() {
    committed_.push_back(std::move(open_));
    open_.clear();
  }

  /// Waits for the oldest committed group.
  void consumer_wait() {
    if (!committed_.empty()) wait_prior(committed_.size() - 1);
  }

  void consumer_release() {}

  /// Waits for every committed group but the last `count`.
  void wait_prior(std::size_t count) {
    for (; committed_.size() > count; committed_.pop_front()) {
      for (const Copy& copy : committed_.front()) copy_bytes(copy);
    }
  }

  /// Adds a copy to the open group.
  void add(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
    constexpr std::uint8_t poison = 0xa5;
    for (std::size_t i = 0; i < bytes; ++i) to[i] = poison;
    open_.push_back({.to = to, .from = from, .bytes = bytes});
  }

private:
  struct Copy {
    std::uint8_t* to;
    const std::uint8_t* from;
    std::size_t bytes;
  };

  // Byte by byte: a sanitizer that follows the kernel's own accesses follows these too.
  static void copy_bytes(const Copy& copy) {
    for (std::size_t i = 0; i < copy.bytes; ++i) copy.to[i] = copy.from[i];
  }

  std::vector<Copy> open_;
  std::deque<std::vector<Copy>> committed_;
};

inline pipeline<thread_scope_thread> make_pipeline() {
  return {};
}

/// As libcu++'s. Throws simt::KernelError that names thread and line for an address or a size that is not a
/// multiple of Alignment.
template <std::size_t Alignment>
void memcpy_async(void* to, const void* from, aligned_size_t<Alignment> size,
                  pipeline<thread_scope_thread>& copies,
                  gsst::simt::Place place = {__builtin_FILE(), __builtin_LINE()}) {
  using gsst::simt::require_multiple;
  require_multiple(reinterpret_cast<std::uintptr_t>(to), Alignment, "memcpy_async's destination", place);
  require_multiple(reinterpret_cast<std::uintptr_t>(from), Alignment, "memcpy_async's source", place);
  require_multiple(size.value, Alignment, "memcpy_async's size", place);
  gsst::simt::start_copy(to, from, size.value);
  copies.add(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), size.value);
}

template <std::uint8_t Prior>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& copies) {
  copies.wait_prior(Prior);
}

}  // namespace cuda
