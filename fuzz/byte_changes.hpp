#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/random.hpp"

/// Changes of a part of a payload. Of an empty part there is nothing to change.
namespace gsst::fuzz {

/// Which bytes of a payload.
struct Region {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// Bytes of a block for kernels, 64 to 4096.
std::uint32_t choose_block_bytes(Random& random);

/// One byte, to a value at a border, to its neighbour or to any.
void change_byte(std::span<std::uint8_t> bytes, const Region& region, Random& random);

/// Two bytes.
void swap_bytes(std::span<std::uint8_t> bytes, const Region& region, Random& random);

/// Up to 32 bytes over others.
void copy_inside(std::span<std::uint8_t> bytes, const Region& region, Random& random);

/// Bytes that stand in `other` where `region` is in `bytes`.
void copy_from_another(std::span<std::uint8_t> bytes, const Region& region,
                       std::span<const std::uint8_t> other, Random& random);

}  // namespace gsst::fuzz
