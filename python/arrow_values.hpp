#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsst/column.h"

/// Arrow arrays of any layout, read value by value, and arrays of the layouts that columns are made of, built
/// from them.
namespace gsst::python {

/// A type of arrays that a column is made of and gives back.
struct ValueType {
  /// As the Arrow C data interface writes it.
  std::string format;
  /// Bytes of an offset: 4 or 8 of strings, 0 where all values have the same number of bytes.
  std::uint32_t offset_bytes;
  /// Bytes of a value; 0 of strings.
  std::uint32_t value_bytes;
};

/// The type that arrays of `format` are, where columns have it. Nothing for other types, views included.
std::optional<ValueType> value_type(std::string_view format);

/// The type that arrays of `schema` are stored as: dictionaries as their values, views as strings or bytes.
/// Nothing for a type of which there are no columns.
std::optional<ValueType> stored_type(const ArrowSchema& schema);

/// A type as pyarrow writes it, for messages.
std::string type_name(const ArrowSchema& schema);

/// A schema of a type and nothing else.
ArrowSchema make_schema(std::string_view format);

/// The values of an array, as bytes. Refers to the array. What reads an array throws std::invalid_argument
/// where it contradicts itself.
class ArrayValues {
public:
  /// `schema`: of a type that has a stored_type().
  ArrayValues(const ArrowSchema& schema, const ArrowArray& array);

  std::uint64_t size() const { return size_; }
  /// Whether the array is of a layout that columns are made of.
  bool is_plain() const { return layout_ == Layout::offsets || layout_ == Layout::fixed; }
  /// Whether some values may be null.
  bool has_nulls() const { return validity_ != nullptr || dictionary_ != nullptr; }
  bool is_null(std::uint64_t value) const;
  /// The bytes of a value that is not null.
  std::string_view value(std::uint64_t value) const;
  /// The bytes of all values together of a plain array.
  std::uint64_t plain_bytes() const;
  /// The bytes of some consecutive values of a plain array, those that nulls hide included.
  std::string_view plain(std::uint64_t first, std::uint64_t count) const;

private:
  enum class Layout { offsets, fixed, views, dictionary };

  std::string_view view(std::uint64_t value) const;
  std::uint64_t index(std::uint64_t value) const;
  std::int64_t offset(std::uint64_t value) const;

  Layout layout_;
  // Of an offset, a value or an index.
  std::uint32_t bytes_;
  bool has_signed_indices_ = false;
  std::uint64_t size_;
  // Of the first value.
  std::uint64_t first_;
  const std::uint8_t* validity_;
  const std::uint8_t* data_ = nullptr;
  const std::uint8_t* string_bytes_ = nullptr;
  std::span<const void* const> view_buffers_;
  const std::int64_t* view_buffer_bytes_ = nullptr;
  std::unique_ptr<ArrayValues> dictionary_;
};

/// Collects values of arrays for a new array.
class ArrayBuilder {
public:
  explicit ArrayBuilder(ValueType type);

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return data_.size(); }

  /// Throws std::invalid_argument where offsets cannot hold more.
  void append(const ArrayValues& values, std::uint64_t value);
  void append_all(const ArrayValues& values);

  /// Appends values from `first` on, until there are `most_values` or at least `most_bytes` bytes of them, or
  /// offsets could not hold more. Returns the number of the first that is left.
  std::uint64_t append_some(const ArrayValues& values, std::uint64_t first, std::uint64_t most_values,
                            std::uint64_t most_bytes);

  /// Moves the array out; nothing else may follow. Throws std::length_error for more bytes than offsets of
  /// the type can hold.
  ArrowArray finish();

private:
  bool has_room(std::uint64_t bytes) const;
  void append_validity(const ArrayValues& values, std::uint64_t first, std::uint64_t count);
  void append_offset(std::uint64_t end);
  std::uint64_t append_plain(const ArrayValues& values, std::uint64_t first, std::uint64_t most_values,
                             std::uint64_t most_bytes);

  ValueType type_;
  std::uint64_t size_ = 0;
  std::uint64_t null_count_ = 0;
  // Empty until there is a null.
  std::vector<std::uint8_t> validity_;
  // Where each string ends, after a first 0.
  std::vector<std::uint8_t> offsets_;
  std::vector<std::uint8_t> data_;
};

}  // namespace gsst::python
