#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace gsst::data {

/// Data that is made in parts, each by itself, so that the bytes do not depend on how many threads make them.
struct Parts {
  /// Of all parts together.
  std::uint64_t bytes = 0;
  /// Of each part but the last, which may be shorter.
  std::uint64_t part_bytes = 0;
  /// Fills `output`, which has `part_bytes` bytes, with part `part`. Called from several threads.
  std::function<void(std::uint64_t part, std::span<std::uint8_t> output)> fill;
};

}  // namespace gsst::data
