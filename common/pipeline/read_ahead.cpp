#include "common/pipeline/read_ahead.hpp"

#include <algorithm>

namespace gsst::pipeline {

ReadAhead::ReadAhead(const format::ReadFunction& read, std::size_t bytes)
    : read_(read), start_(format::read_up_to(read, bytes)), is_whole_(start_.size() < bytes) {}

std::size_t ReadAhead::read(std::span<std::uint8_t> buffer) {
  const std::size_t count = std::min(buffer.size(), start_.size() - position_);
  std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(position_), count, buffer.begin());
  position_ += count;
  // At the end of a terminal another read would wait for more.
  return count == buffer.size() || is_whole_ ? count : count + read_(buffer.subspan(count));
}

}  // namespace gsst::pipeline
