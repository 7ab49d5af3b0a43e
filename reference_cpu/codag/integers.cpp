#include "reference_cpu/codag/integers.hpp"

#include <utility>

namespace gsst::reference::codag {

std::vector<std::uint64_t> load_values(std::span<const std::uint8_t> block, format::codag::Type type) {
  const format::codag::TypeShape& shape = format::codag::shape_of(type);
  std::vector<std::uint64_t> values(block.size() / shape.value_bytes, 0);
  const std::uint32_t unused_bits = 64 - shape.max_width();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < shape.value_bytes; ++byte) {
      value |= std::uint64_t{block[i * shape.value_bytes + byte]} << 8 * byte;
    }
    if (shape.is_signed) {
      // The sign moves down with the shift of a signed number.
      value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused_bits) >> unused_bits);
    }
    values[i] = value;
  }
  return values;
}

ValueWriter::ValueWriter(format::codag::Type type, std::uint32_t uncompressed_bytes)
    : value_bytes_(format::codag::shape_of(type).value_bytes),
      values_left_(uncompressed_bytes / value_bytes_) {
  bytes_.reserve(uncompressed_bytes);
}

void ValueWriter::append(std::uint64_t value) {
  for (std::uint32_t byte = 0; byte < value_bytes_; ++byte) {
    bytes_.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
  }
  --values_left_;
}

std::vector<std::uint8_t> ValueWriter::finish(std::span<const std::uint8_t> rest) {
  bytes_.insert(bytes_.end(), rest.begin(), rest.end());
  return std::move(bytes_);
}

void append_varint(std::vector<std::uint8_t>& stream, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) stream.push_back(static_cast<std::uint8_t>(number | 0x80));
  stream.push_back(static_cast<std::uint8_t>(number));
}

}  // namespace gsst::reference::codag
