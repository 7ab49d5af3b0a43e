#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/format/tile_integer/parquet_column.hpp"

/// Reading of a Parquet stream from its first byte on, on the host.
namespace gsst::format::tile_integer {

/// A number that is stored in 7 bits a byte, or why there is none.
struct ParquetNumber {
  enum class State { read, ends, too_large };
  State state;
  std::uint64_t value;
};

/// The number that a zigzag number stands for.
constexpr std::uint64_t from_zigzag(std::uint64_t number) {
  return number >> 1 ^ (0 - (number & 1));
}

/// Bytes in host memory, read one after the other.
class ParquetBytes {
public:
  explicit ParquetBytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  std::size_t left() const { return rest_.size(); }

  /// The next number, in at most 10 bytes, `most` at most.
  ParquetNumber number(std::uint64_t most);

  /// The next `count` bytes; nothing where there are fewer.
  std::optional<std::span<const std::uint8_t>> take(std::uint64_t count);

private:
  std::span<const std::uint8_t> rest_;
};

/// A run of the RLE/bit-packed hybrid.
struct ParquetRun {
  ParquetStatus status;
  /// Of those that are still expected.
  std::uint32_t values;
  bool is_packed;
  /// Of a run that is not packed.
  std::uint32_t value;
  /// Of one that is: its groups of 8 values.
  std::span<const std::uint8_t> packed;
};

/// Reads a run of values of `width` bits where `expected` values, at least one, are still to come. A status
/// other than decoded says what is wrong.
ParquetRun read_run(ParquetBytes& bytes, std::uint32_t width, std::uint32_t expected);

/// Value `index` of groups of values of `width` bits, at most 64, packed from the lowest bit of each byte on.
std::uint64_t packed_value(std::span<const std::uint8_t> packed, std::uint64_t index, std::uint32_t width);

}  // namespace gsst::format::tile_integer
