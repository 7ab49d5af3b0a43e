#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/codag.hpp"

/// Values of a type as numbers of 64 bits, which is what the encodings of ORC store.
namespace gsst::reference::codag {

/// The whole values at the start of `block`, little-endian; signed ones are extended with their sign.
std::vector<std::uint64_t> load_values(std::span<const std::uint8_t> block, format::codag::Type type);

/// Takes values one after the other and keeps the lowest bytes of each.
class ValueWriter {
public:
  /// For `uncompressed_bytes` bytes of values and the rest.
  ValueWriter(format::codag::Type type, std::uint32_t uncompressed_bytes);

  /// Values that there is still room for.
  std::uint32_t values_left() const { return values_left_; }
  /// There must be room for it.
  void append(std::uint64_t value);
  /// The bytes, with those after the last whole value. All values must have been appended.
  std::vector<std::uint8_t> finish(std::span<const std::uint8_t> rest);

private:
  std::uint32_t value_bytes_;
  std::uint32_t values_left_;
  std::vector<std::uint8_t> bytes_;
};

/// Appends `number` in groups of seven bits, the lowest first.
void append_varint(std::vector<std::uint8_t>& stream, std::uint64_t number);

}  // namespace gsst::reference::codag
