#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gsst::stage {

/// `period` over and over, up to offsets behind 2^32, where a 32-bit one would come round.
inline std::vector<std::uint8_t> more_than_four_gibibytes_of(std::span<const std::uint8_t> period) {
  constexpr std::size_t bytes = (std::size_t{1} << 32) + (std::size_t{1} << 27) + 12345;
  std::vector<std::uint8_t> input(bytes);
  for (std::size_t i = 0; i < bytes; i += period.size()) {
    std::ranges::copy(period.first(std::min(period.size(), bytes - i)),
                      input.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return input;
}

/// Bytes of a period that is no multiple of a block.
inline constexpr std::size_t period_of_large_input = (std::size_t{1} << 20) + 4099;

}  // namespace gsst::stage
