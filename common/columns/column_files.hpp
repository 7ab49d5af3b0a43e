#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/stream.hpp"
#include "common/stage/stage.hpp"

/// Files of columns that are no frames and that other programs write: each kind is read by code of a series,
/// which registers it where the program was built with what it needs.
namespace gsst::columns {

/// What is wanted of a file of columns.
struct ColumnRequest {
  std::string column;
  /// Written in the place of each null; without it a null is an error.
  std::optional<std::int64_t> null_value;
  /// Where it is decoded. Not all kinds of files are by kernels.
  stage::Executor executor = stage::Executor::cpu;
  /// Bytes of the executor's memory that may be taken, where it is not the CPU.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
};

/// What a column had.
struct ColumnTotals {
  std::uint64_t rows = 0;
  std::uint64_t nulls = 0;
  /// Bytes of the column's streams, as they are stored.
  std::uint64_t compressed_bytes = 0;
  std::uint64_t output_bytes = 0;
  /// Parts of the file that can be decoded independently of each other.
  std::uint64_t chunks = 0;
  /// How the file is laid out, for people; may be empty.
  std::string remark = {};
};

/// A kind of files of columns.
struct ColumnFiles {
  std::string_view name;
  /// What such a file begins with.
  std::string_view magic;
  /// Writes the column's values, little-endian, one after the other. `file` is the whole file, in host
  /// memory. Throws format::FormatError for a damaged file and for what is not decoded, std::invalid_argument
  /// for a request that the column cannot meet, and what `write` throws.
  ColumnTotals (*decode)(std::span<const std::uint8_t> file, const ColumnRequest& request,
                         const format::WriteFunction& write);
};

/// All kinds that this program reads, in no order.
const std::vector<ColumnFiles>& registered_column_files();

/// The kind of a file that starts with `start`, or nullptr.
const ColumnFiles* find_column_files(std::span<const std::uint8_t> start);

/// Registers a kind when the program starts.
class ColumnFilesRegistration {
public:
  explicit ColumnFilesRegistration(const ColumnFiles& files);
};

}  // namespace gsst::columns
