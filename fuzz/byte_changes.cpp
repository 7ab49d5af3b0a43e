#include "fuzz/byte_changes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gsst::fuzz {
namespace {

std::uint8_t& place_in(std::span<std::uint8_t> bytes, const Region& region, Random& random) {
  return bytes[region.begin + random.below(region.size)];
}

}  // namespace

std::uint32_t choose_block_bytes(Random& random) {
  const std::uint32_t octave = 64U << random.below(6);
  return random.one_in(4) ? octave : octave + random.below(octave + 1);
}

void change_byte(std::span<std::uint8_t> bytes, const Region& region, Random& random) {
  if (region.size == 0) return;
  constexpr std::array<std::uint8_t, 6> border_values = {0, 1, 0x7f, 0x80, 0xfe, 0xff};
  std::uint8_t& byte = place_in(bytes, region, random);
  switch (random.below(4)) {
    case 0:
      byte = border_values[random.below(border_values.size())];
      break;
    case 1:
      byte = random.byte();
      break;
    case 2:
      byte = static_cast<std::uint8_t>(byte + (random.one_in(2) ? 1 : -1));
      break;
    default:
      byte = static_cast<std::uint8_t>(byte ^ 1U << random.below(8));
  }
}

void swap_bytes(std::span<std::uint8_t> bytes, const Region& region, Random& random) {
  if (region.size != 0) std::swap(place_in(bytes, region, random), place_in(bytes, region, random));
}

void copy_inside(std::span<std::uint8_t> bytes, const Region& region, Random& random) {
  if (region.size == 0) return;
  const std::uint32_t size = 1 + random.below(std::min<std::size_t>(region.size, 32));
  const std::size_t room = region.size - size + 1;
  const std::uint8_t* const from = bytes.data() + region.begin + random.below(room);
  const std::vector<std::uint8_t> piece(from, from + size);
  std::ranges::copy(piece, bytes.data() + region.begin + random.below(room));
}

void copy_from_another(std::span<std::uint8_t> bytes, const Region& region,
                       std::span<const std::uint8_t> other, Random& random) {
  const std::size_t end = std::min(region.begin + region.size, other.size());
  if (region.size == 0 || end <= region.begin) return;
  const std::size_t begin = region.begin + random.below(end - region.begin);
  const std::size_t size = 1 + random.below(end - begin);
  std::copy_n(other.data() + begin, size, bytes.data() + begin);
}

}  // namespace gsst::fuzz
