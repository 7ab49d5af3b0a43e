#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/stream.hpp"

namespace gsst::pipeline {

/// An input whose start is looked at before it is read.
class ReadAhead {
public:
  /// Reads the first `bytes` bytes of `read`, or as many as there are. `read` must outlive the object. Throws
  /// what `read` throws.
  ReadAhead(const format::ReadFunction& read, std::size_t bytes);

  /// The bytes that were read first.
  std::span<const std::uint8_t> start() const { return start_; }
  /// Whether the start is all of the input.
  bool is_whole() const { return is_whole_; }

  /// As a format::ReadFunction: the start first, then the rest. Throws what the input throws.
  std::size_t read(std::span<std::uint8_t> buffer);

private:
  const format::ReadFunction& read_;
  std::vector<std::uint8_t> start_;
  std::size_t position_ = 0;
  bool is_whole_;
};

}  // namespace gsst::pipeline
