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

}  // namespace gsst::format
