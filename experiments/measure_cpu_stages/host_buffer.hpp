#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace gsst::experiments {

/// Host memory for measurements: at an address that is a multiple of 2 MiB, in huge pages where the system
/// gives them, so that no row depends on where an allocation happens to lie. All of it is written when it is
/// made: no page is asked for while something is timed. A canary after the last byte shows a write past it.
class HostBuffer {
public:
  /// Throws std::bad_alloc.
  explicit HostBuffer(std::size_t bytes);

  /// The bytes without the canary.
  std::span<std::uint8_t> bytes() { return {memory_.get(), bytes_}; }
  std::span<const std::uint8_t> bytes() const { return {memory_.get(), bytes_}; }

  /// Whether nobody has written past the last byte.
  bool is_intact() const;

private:
  struct Free {
    void operator()(std::uint8_t* memory) const;
  };

  std::size_t bytes_;
  std::unique_ptr<std::uint8_t[], Free> memory_;
};

}  // namespace gsst::experiments
