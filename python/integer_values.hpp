#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/tile_integer/integer_column.hpp"
#include "gsst/column.h"

/// Arrays of Arrow whose values are integers, and what is stored of them.
namespace gsst::python {

/// An array of integers in memory of the CPU, which must outlive this.
class IntegerValues {
public:
  /// Throws std::invalid_argument for another type and for an array that contradicts itself.
  IntegerValues(const ArrowSchema& schema, const ArrowArray& array);

  std::string_view arrow_format() const { return arrow_format_; }
  const format::tile_integer::ColumnValues& values() const { return values_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t null_count() const { return null_count_; }

  /// A bit for each value as a column has them; empty without nulls.
  std::vector<std::uint8_t> validity() const;

  /// The values as they are stored in blocks of `block_bytes` bytes of a frame of `format`, in memory of the
  /// array or of `made`. Throws std::invalid_argument for a decimal of more than 64 bits.
  std::span<const std::uint8_t> stored(format::BlockFormat format, std::uint64_t block_bytes,
                                       std::vector<std::uint8_t>& made) const;

private:
  bool is_valid(std::uint64_t value) const;

  std::string_view arrow_format_;
  format::tile_integer::ColumnValues values_;
  std::uint64_t size_ = 0;
  std::uint64_t null_count_ = 0;
  // Of the first value.
  std::uint64_t first_bit_ = 0;
  const std::uint8_t* validity_ = nullptr;
  const std::uint8_t* data_ = nullptr;
};

/// Values of a column as an array of Arrow: `stored` are their stored bytes, and `validity` says from bit
/// `first_bit` on which are null, or is empty. Throws format::FormatError for a value that is none of the
/// type.
void make_arrow_integers(const format::tile_integer::IntegerColumnView& column,
                         std::span<const std::uint8_t> validity, std::uint64_t first_bit,
                         std::vector<std::uint8_t> stored, ArrowSchema& schema, ArrowArray& array);

}  // namespace gsst::python
