#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/encoder.hpp"

/// Tables as objects, and the values that share one: docs/small_values.md has what is stored.
namespace gsst::library {

/// What the first byte of a value says of the others.
enum class ValueKind : std::uint8_t {
  /// The text itself.
  raw = 0,
  /// Codes.
  codes = 1,
  /// The table's id in 4 bytes, then codes.
  named_codes = 2,
};

/// A table with its encoder. Can be used by several threads at once.
class TrainedTable {
public:
  /// Trains on pieces from all over `samples`.
  static TrainedTable train(std::span<const std::span<const std::uint8_t>> samples);

  /// Reads what saved() gave. Throws WrongFormat, format::FormatError, and ApiError for a later version.
  static TrainedTable load(std::span<const std::uint8_t> saved);

  std::span<const std::uint8_t> saved() const { return saved_; }
  std::uint32_t id() const;

  /// Compresses `input` to the start of `output`, which has one byte more, and returns the bytes written.
  std::size_t compress(std::span<const std::uint8_t> input, bool names_table,
                       std::span<std::uint8_t> output) const;

  /// Bytes of the text of `value`. Throws std::invalid_argument for a value of another table,
  /// format::FormatError for what is no value, and ApiError for one of a later kind.
  std::uint64_t text_bytes(std::span<const std::uint8_t> value) const;

  /// Decompresses `value`, of which text_bytes() gave the bytes that `output` has.
  void decompress(std::span<const std::uint8_t> value, std::span<std::uint8_t> output) const;

private:
  TrainedTable(const format::SymbolTable& table, std::vector<std::uint8_t> saved);

  format::SymbolTable table_;
  reference::Encoder encoder_;
  std::vector<std::uint8_t> saved_;
};

}  // namespace gsst::library
