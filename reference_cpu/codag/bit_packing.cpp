#include "reference_cpu/codag/bit_packing.hpp"

#include <algorithm>
#include <cstddef>

namespace gsst::reference::codag {

void append_packed(std::vector<std::uint8_t>& stream, std::span<const std::uint64_t> numbers,
                   std::uint32_t width) {
  std::uint32_t free_bits = 0;
  for (const std::uint64_t number : numbers) {
    for (std::uint32_t left = width; left != 0;) {
      if (free_bits == 0) {
        stream.push_back(0);
        free_bits = 8;
      }
      const std::uint32_t taken = std::min(left, free_bits);
      left -= taken;
      free_bits -= taken;
      const std::uint64_t bits = number >> left & ((1U << taken) - 1);
      stream.back() = static_cast<std::uint8_t>(stream.back() | bits << free_bits);
    }
  }
}

std::vector<std::uint64_t> unpacked(std::span<const std::uint8_t> packed, std::uint32_t count,
                                    std::uint32_t width) {
  std::vector<std::uint64_t> numbers(count, 0);
  std::size_t byte = 0;
  std::uint32_t unread_bits = 8;
  for (std::uint64_t& number : numbers) {
    for (std::uint32_t left = width; left != 0;) {
      const std::uint32_t taken = std::min(left, unread_bits);
      left -= taken;
      unread_bits -= taken;
      number = number << taken | (packed[byte] >> unread_bits & ((1U << taken) - 1));
      if (unread_bits == 0) {
        unread_bits = 8;
        ++byte;
      }
    }
  }
  return numbers;
}

}  // namespace gsst::reference::codag
