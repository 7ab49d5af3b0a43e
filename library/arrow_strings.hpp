#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "gsst/column.h"

/// Arrays of strings in the memory layout of Arrow.
namespace gsst::library {

/// An array of strings of somebody else. Refers to its buffers, of which it reads nulls and offsets; the
/// bytes of the strings may be memory that the caller cannot read.
class ArrowStrings {
public:
  /// Throws std::invalid_argument for another type than strings or bytes with offsets, and for an array that
  /// contradicts itself. Offsets are checked when they are read.
  ArrowStrings(const ArrowSchema& schema, const ArrowArray& array);

  const format::ColumnType& type() const { return type_; }
  std::uint64_t size() const { return size_; }
  /// The bytes of string `string`, less than size(); nothing for a null. Throws std::invalid_argument if its
  /// offsets do not ascend from 0 on.
  std::optional<std::span<const std::uint8_t>> string(std::uint64_t string) const;
  /// From the first byte of the first string to the last one of the last, if string() has accepted all.
  std::span<const std::uint8_t> bytes() const;
  /// The bytes of the strings that are not null, `string_bytes` of them, one string after another. Throws as
  /// string().
  std::vector<std::uint8_t> gather(std::uint64_t string_bytes) const;

private:
  std::int64_t offset_at(std::uint64_t place) const;

  format::ColumnType type_;
  std::uint64_t size_;
  // Strings of the buffers before the first one.
  std::uint64_t first_;
  const std::uint8_t* validity_;
  const std::uint8_t* offsets_;
  const std::uint8_t* data_;
};

/// The schema of an array of `type`, with nothing to free.
ArrowSchema make_arrow_schema(const format::ColumnType& type);

/// A new array of strings, to be filled and given away.
class ArrowStringsBuilder {
public:
  /// Throws std::invalid_argument if offsets of the type cannot say `string_bytes`. `spare_bytes`: room after
  /// the strings.
  ArrowStringsBuilder(const format::ColumnType& type, std::uint64_t size, std::uint64_t string_bytes,
                      std::uint64_t spare_bytes = 0);

  /// Adds the string that follows.
  void add_string(std::uint64_t bytes);
  void add_null();
  /// The bytes of all strings, one behind the other, not yet written.
  std::span<std::uint8_t> data();
  /// data(), and the room after it.
  std::span<std::uint8_t> data_with_spare();

  /// Gives the array away, of which `size` strings have been added.
  void move_to(ArrowSchema& schema, ArrowArray& array);

private:
  void end_string();

  struct Buffers;
  struct ReleaseBuffers {
    void operator()(Buffers* buffers) const;
  };
  static void release_array(ArrowArray* array);

  format::ColumnType type_;
  std::uint64_t size_;
  std::uint64_t spare_bytes_;
  std::uint64_t added_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t null_count_ = 0;
  std::unique_ptr<Buffers, ReleaseBuffers> buffers_;
};

}  // namespace gsst::library
