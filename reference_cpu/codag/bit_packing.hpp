#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Numbers of equal widths, the highest bit first, as ORC packs them.
namespace gsst::reference::codag {

/// Appends the lowest `width` bits of each number; the last byte is filled up with 0.
void append_packed(std::vector<std::uint8_t>& stream, std::span<const std::uint64_t> numbers,
                   std::uint32_t width);

/// The first `count` numbers of `width` bits, 1 to 64.
std::vector<std::uint64_t> unpacked(std::span<const std::uint8_t> packed, std::uint32_t count,
                                    std::uint32_t width);

}  // namespace gsst::reference::codag
