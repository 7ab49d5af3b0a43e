#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gsst/gsst.hpp"
#include "gsst/table.h"

/// @file
/// Tables of symbols as objects in C++20, over the C functions of table.h: what is said there holds here too.

namespace gsst {

namespace detail {

struct DestroyTable {
  void operator()(gsst_table* table) const { gsst_table_destroy(table); }
};

}  // namespace detail

/// A table that is shared by small values, each compressed by itself. Can be used by several threads at once.
class Table {
public:
  /// Trains a table on samples of the values that it is for. Errors: gsst_table_train().
  static Result<Table> train(std::span<const std::span<const std::byte>> samples) {
    std::vector<const void*> places;
    std::vector<std::size_t> sizes;
    places.reserve(samples.size());
    sizes.reserve(samples.size());
    for (const std::span<const std::byte> sample : samples) {
      places.push_back(sample.data());
      sizes.push_back(sample.size());
    }
    gsst_table* table = nullptr;
    gsst_message message;
    const gsst_error error = gsst_table_train(places.data(), sizes.data(), samples.size(), &table, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Table(table);
  }

  /// Reads a table that save() has written. Errors: gsst_table_load().
  static Result<Table> load(std::span<const std::byte> saved) {
    gsst_table* table = nullptr;
    gsst_message message;
    const gsst_error error = gsst_table_load(saved.data(), saved.size(), &table, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Table(table);
  }

  /// The table as bytes. Not for a table that was moved from.
  std::vector<std::byte> save() const {
    std::vector<std::byte> saved(GSST_MAX_TABLE_BYTES);
    std::size_t bytes = 0;
    gsst_table_save(table_.get(), saved.data(), saved.size(), &bytes, nullptr);
    saved.resize(bytes);
    return saved;
  }

  /// What values name the table by. 0 for a table that was moved from.
  std::uint32_t id() const { return gsst_table_id(table_.get()); }

  /// Compresses one value to the start of `output`, of at least gsst_value_bound() bytes, and returns the
  /// part of `output` that it is. `flags`: 0 or GSST_VALUE_NAMES_TABLE. Errors: gsst_value_compress().
  Result<std::span<std::byte>> compress(std::span<const std::byte> input, std::span<std::byte> output,
                                        std::uint32_t flags = 0) const {
    std::size_t bytes = 0;
    gsst_message message;
    const gsst_error error = gsst_value_compress(table_.get(), input.data(), input.size(), flags,
                                                 output.data(), output.size(), &bytes, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return output.first(bytes);
  }

  /// Compresses one value into memory that is allocated here. Errors: gsst_value_compress().
  Result<std::vector<std::byte>> compress(std::span<const std::byte> input, std::uint32_t flags = 0) const {
    std::vector<std::byte> output(gsst_value_bound(input.size()));
    const Result<std::span<std::byte>> value = compress(input, output, flags);
    if (!value) return value.failure();
    output.resize(value.value().size());
    return output;
  }

  /// Decompresses one value to the start of `output` and returns the part of `output` that is the text.
  /// Errors: gsst_value_decompress().
  Result<std::span<std::byte>> decompress(std::span<const std::byte> value,
                                          std::span<std::byte> output) const {
    std::size_t bytes = 0;
    gsst_message message;
    const gsst_error error = gsst_value_decompress(table_.get(), value.data(), value.size(), output.data(),
                                                   output.size(), &bytes, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return output.first(bytes);
  }

  /// Decompresses one value into memory that is allocated here. Errors: gsst_value_decompress().
  Result<std::vector<std::byte>> decompress(std::span<const std::byte> value) const {
    std::size_t bytes = 0;
    gsst_message message;
    gsst_error error =
        gsst_value_decompress(table_.get(), value.data(), value.size(), nullptr, 0, &bytes, &message);
    std::vector<std::byte> output(error == GSST_ERROR_OUTPUT_TOO_SMALL ? bytes : 0);
    if (!output.empty()) {
      error = gsst_value_decompress(table_.get(), value.data(), value.size(), output.data(), output.size(),
                                    &bytes, &message);
    }
    if (error != GSST_OK) return detail::failure(error, message);
    return output;
  }

private:
  explicit Table(gsst_table* table) : table_(table) {}

  std::unique_ptr<gsst_table, detail::DestroyTable> table_;
};

}  // namespace gsst
