#include "common/format/stream.hpp"

#include <algorithm>

namespace gsst::format {

std::vector<std::uint8_t> read_up_to(const ReadFunction& read, std::size_t size) {
  constexpr std::size_t least_piece_bytes = std::size_t{1} << 20;
  std::vector<std::uint8_t> bytes;
  while (bytes.size() < size) {
    const std::size_t begin = bytes.size();
    const std::size_t piece = std::min(std::max(least_piece_bytes, begin), size - begin);
    bytes.resize(begin + piece);
    const std::size_t got = read(std::span(bytes).subspan(begin));
    if (got < piece) {
      bytes.resize(begin + got);
      break;
    }
  }
  return bytes;
}

ReadFunction reader_of(std::span<const std::uint8_t> bytes) {
  return [bytes](std::span<std::uint8_t> buffer) mutable {
    const std::size_t count = std::min(buffer.size(), bytes.size());
    std::copy_n(bytes.begin(), count, buffer.begin());
    bytes = bytes.subspan(count);
    return count;
  };
}

WriteFunction writer_to(std::vector<std::uint8_t>& output) {
  return [&output](std::span<const std::uint8_t> bytes) {
    output.insert(output.end(), bytes.begin(), bytes.end());
  };
}

}  // namespace gsst::format
