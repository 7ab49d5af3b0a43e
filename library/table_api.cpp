#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gsst/table.h"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/trained_table.hpp"

// The functions of table.h: they check pointers and sizes, and turn exceptions into codes.

struct gsst_table {
  gsst::library::TrainedTable table;
};

namespace {

using gsst::library::check_no_overlap;
using gsst::library::check_not_null;
using gsst::library::input_span;
using gsst::library::output_span;
using gsst::library::report_errors;
using gsst::library::TrainedTable;

constexpr std::uint64_t max_text_bytes = std::uint64_t{1} << 56;

}  // namespace

gsst_error gsst_table_train(const void* const* samples, const size_t* sample_bytes, size_t sample_count,
                            gsst_table** table, gsst_message* message) {
  if (table != nullptr) *table = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(table), "table");
    if (sample_count != 0) check_not_null(static_cast<const void*>(samples), "samples");
    if (sample_count != 0) check_not_null(sample_bytes, "sample_bytes");
    std::vector<std::span<const std::uint8_t>> spans;
    spans.reserve(sample_count);
    for (std::size_t i = 0; i < sample_count; ++i) {
      spans.push_back(input_span(samples[i], sample_bytes[i], "a sample"));
    }
    *table = std::make_unique<gsst_table>(gsst_table{TrainedTable::train(spans)}).release();
  });
}

gsst_error gsst_table_load(const void* saved, size_t saved_bytes, gsst_table** table, gsst_message* message) {
  if (table != nullptr) *table = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(table), "table");
    const auto bytes = input_span(saved, saved_bytes, "saved");
    *table = std::make_unique<gsst_table>(gsst_table{TrainedTable::load(bytes)}).release();
  });
}

void gsst_table_destroy(gsst_table* table) {
  const std::unique_ptr<gsst_table> owned(table);
}

gsst_error gsst_table_save(const gsst_table* table, void* output, size_t output_capacity,
                           size_t* output_bytes, gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(table, "table");
    check_not_null(output_bytes, "output_bytes");
    const std::span<const std::uint8_t> saved = table->table.saved();
    if (output_capacity < saved.size()) *output_bytes = saved.size();
    std::ranges::copy(saved, output_span(output, output_capacity, saved.size()).begin());
    *output_bytes = saved.size();
  });
}

uint32_t gsst_table_id(const gsst_table* table) {
  return table == nullptr ? 0 : table->table.id();
}

size_t gsst_value_bound(size_t input_bytes) {
  return input_bytes + 1;
}

gsst_error gsst_value_compress(const gsst_table* table, const void* input, size_t input_bytes, uint32_t flags,
                               void* output, size_t output_capacity, size_t* output_bytes,
                               gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(table, "table");
    check_not_null(output_bytes, "output_bytes");
    if ((flags & ~GSST_VALUE_NAMES_TABLE) != 0) {
      throw std::invalid_argument("flags is " + std::to_string(flags) + ", expected 0 or 1");
    }
    if (input_bytes > max_text_bytes) {
      throw std::invalid_argument("input_bytes is " + std::to_string(input_bytes) +
                                  ", expected at most 2^56");
    }
    const auto from = input_span(input, input_bytes, "input");
    const auto to = output_span(output, output_capacity, gsst_value_bound(input_bytes));
    check_no_overlap(from, "input", to, "output");
    *output_bytes = table->table.compress(from, flags != 0, to);
  });
}

gsst_error gsst_value_decompress(const gsst_table* table, const void* value, size_t value_bytes, void* output,
                                 size_t output_capacity, size_t* output_bytes, gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(table, "table");
    check_not_null(output_bytes, "output_bytes");
    const auto from = input_span(value, value_bytes, "value");
    const std::uint64_t bytes = table->table.text_bytes(from);
    if (output_capacity < bytes) *output_bytes = bytes;
    const auto to = output_span(output, output_capacity, bytes);
    check_no_overlap(from, "value", to, "output");
    table->table.decompress(from, to);
    *output_bytes = bytes;
  });
}
