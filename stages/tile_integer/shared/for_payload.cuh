#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"

// A payload of any format of the series in global memory (FORMAT.md, section 12), which the format's rules
// have accepted.
namespace gsst::tile_integer {
namespace {

// A word at any address, from the aligned words that hold it: up to three bytes before and after it are read,
// which are the frame's too.
__device__ inline std::uint32_t load_word(const std::uint8_t* bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  const auto* const aligned = reinterpret_cast<const std::uint32_t*>(address - address % 4);
  const auto shift = static_cast<std::uint32_t>(8 * (address % 4));
  if (shift == 0) return *aligned;
  return aligned[0] >> shift | aligned[1] << (32 - shift);
}

class ForPayload {
public:
  __device__ explicit ForPayload(const std::uint8_t* bytes) : bytes_(bytes) {}

  __device__ std::uint32_t word(std::uint32_t number) const {
    return load_word(bytes_ + std::uint64_t{number} * format::tile_integer::word_bytes);
  }
  __device__ format::tile_integer::Type type() const {
    return static_cast<format::tile_integer::Type>(bytes_[format::tile_integer::type_offset]);
  }
  __device__ std::uint32_t values() const { return word(format::tile_integer::value_count_offset / 4); }
  // Words from the payload's first byte to a packed block or run block, or to the end of the last one.
  __device__ std::uint32_t start(std::uint32_t number) const {
    return word(format::tile_integer::header_bytes / 4 + number);
  }

private:
  const std::uint8_t* bytes_;
};

// What of a type a kernel needs to know.
struct TypeOnDevice {
  std::uint32_t value_bytes;
  std::uint32_t reference_words;

  // shape_of() reads a table of the host's.
  __device__ explicit TypeOnDevice(format::tile_integer::Type type)
      : value_bytes(type >= format::tile_integer::Type::i64
                        ? 8
                        : (type >= format::tile_integer::Type::i32 ? 4 : 1U << static_cast<unsigned>(type))),
        reference_words(value_bytes == 8 ? 2 : 1) {}
};

// Stores the lowest `bytes` bytes of a value, 1, 2, 4 or 8, at any address.
__device__ inline void store_value(std::uint8_t* output, std::uint64_t value, std::uint32_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(output) % bytes == 0) {
    if (bytes == 4) {
      *reinterpret_cast<std::uint32_t*>(output) = static_cast<std::uint32_t>(value);
      return;
    }
    if (bytes == 8) {
      *reinterpret_cast<std::uint64_t*>(output) = value;
      return;
    }
  }
  for (std::uint32_t byte = 0; byte < bytes; ++byte) {
    output[byte] = static_cast<std::uint8_t>(value >> 8 * byte);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
