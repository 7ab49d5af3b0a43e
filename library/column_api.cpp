#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "common/format/gsst/string_column.hpp"
#include "gsst/column.h"
#include "gsst/lookup.h"
#include "library/arguments.hpp"
#include "library/column.hpp"
#include "library/column_choice.hpp"
#include "library/failure.hpp"
#include "library/known_struct.hpp"
#include "library/lookup_plan.hpp"
#include "library/options.hpp"

// The functions of column.h: they check pointers and sizes, and turn exceptions into codes.

struct gsst_column_compress_plan {
  std::unique_ptr<const gsst::library::ColumnCompressPlan> plan;
};

struct gsst_column_plan {
  std::unique_ptr<const gsst::library::ColumnPlan> plan;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_column_info> = 56;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_column_options> = 8;

namespace {

using gsst::library::check_no_overlap;
using gsst::library::check_not_null;
using gsst::library::report_errors;

// Calls `decompress`, which gives a ReadCount, once it is known that `info`, which may be null, can be
// filled.
template <typename Decompress>
void read_to(gsst_read_info* info, const Decompress& decompress) {
  if (info == nullptr) return decompress(nullptr);
  gsst::library::known_struct_bytes("info", info);
  gsst::library::ReadCount count;
  decompress(&count);
  gsst::library::store_struct("info", gsst::library::read_info(count), info);
}

// What a caller has chosen for a column.
struct ChosenColumn {
  std::uint32_t layout = GSST_COLUMN_DENSE;
  std::optional<std::uint8_t> separator = std::nullopt;
};

std::optional<std::uint8_t> chosen_separator(const gsst_column_options& options) {
  const auto refuse = [](const std::string& problem) {
    throw std::invalid_argument("column_options: " + problem);
  };
  if (options.has_separator > 1) {
    refuse("has_separator is " + std::to_string(options.has_separator) + ", expected 0 or 1");
  }
  if (options.separator > (options.has_separator == 1 ? std::numeric_limits<std::uint8_t>::max() : 0U)) {
    refuse("separator is " + std::to_string(options.separator) +
           (options.has_separator == 1 ? ", which is no byte" : ", but has_separator is 0"));
  }
  if (options.has_separator == 0) return std::nullopt;
  if (options.layout == GSST_COLUMN_LOOKUP) refuse("the layout for lookups has no separator");
  return static_cast<std::uint8_t>(options.separator);
}

// How an array is compressed, in one of the two layouts.
std::unique_ptr<const gsst::library::ColumnCompressPlan> plan_column_of(
    const gsst::library::ArrowStrings& strings, const gsst_compress_options* options,
    const ChosenColumn& column) {
  const auto for_lookups = gsst::library::compress_options(options, gsst::format::BlockFormat::splits);
  if (column.layout == GSST_COLUMN_LOOKUP) return gsst::library::plan_lookup_column(strings, for_lookups);
  const auto dense = gsst::library::compress_options(options);
  const bool may_choose = column.layout == GSST_COLUMN_AUTO && !column.separator &&
                          gsst::library::has_lookup_layout(for_lookups.format);
  if (may_choose && gsst::library::is_lookup_layout_worth_it(strings, dense, for_lookups)) {
    return gsst::library::plan_lookup_column(strings, for_lookups);
  }
  return gsst::library::plan_dense_column(strings, dense, column.separator);
}

// What `options`, which may be null, ask for.
ChosenColumn chosen_column(const gsst_column_options* options) {
  if (options == nullptr) return {};
  const gsst_column_options known = gsst::library::known_struct("column_options", options);
  if (known.layout > GSST_COLUMN_AUTO) {
    throw std::invalid_argument("column_options: layout is " + std::to_string(known.layout) +
                                ", which is no gsst_column_layout");
  }
  return {.layout = known.layout == GSST_COLUMN_DEFAULT ? std::uint32_t{GSST_COLUMN_DENSE} : known.layout,
          .separator = chosen_separator(known)};
}

template <typename Value>
std::span<const std::uint8_t> bytes_of(const Value* values, std::size_t count) {
  return {reinterpret_cast<const std::uint8_t*>(values), count * sizeof(Value)};
}

}  // namespace

gsst_error gsst_column_compress_plan_create(const ArrowSchema* schema, const ArrowArray* array,
                                            const gsst_compress_options* options,
                                            gsst_column_compress_plan** plan, gsst_message* message) {
  return gsst_column_compress_plan_create_with(schema, array, options, nullptr, plan, message);
}

gsst_error gsst_column_compress_plan_create_with(const ArrowSchema* schema, const ArrowArray* array,
                                                 const gsst_compress_options* options,
                                                 const gsst_column_options* column_options,
                                                 gsst_column_compress_plan** plan, gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    check_not_null(schema, "schema");
    check_not_null(array, "array");
    const gsst::library::ArrowStrings strings(*schema, *array);
    auto made = std::make_unique<gsst_column_compress_plan>(
        gsst_column_compress_plan{plan_column_of(strings, options, chosen_column(column_options))});
    *plan = made.release();
  });
}

void gsst_column_compress_plan_destroy(gsst_column_compress_plan* plan) {
  const std::unique_ptr<gsst_column_compress_plan> owned(plan);
}

size_t gsst_column_compress_plan_output_bytes(const gsst_column_compress_plan* plan) {
  return plan == nullptr ? 0 : plan->plan->output_bytes();
}

gsst_error gsst_column_compress_execute(const gsst_column_compress_plan* plan, void* output,
                                        size_t output_capacity, size_t* output_bytes, gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(output_bytes, "output_bytes");
    const auto to = gsst::library::output_span(output, output_capacity, plan->plan->output_bytes());
    check_no_overlap(plan->plan->input(), "array", to, "output");
    *output_bytes = plan->plan->execute(to);
  });
}

gsst_error gsst_last_column_bytes(const void* columns, size_t bytes, size_t* column_bytes,
                                  gsst_message* message) {
  if (column_bytes != nullptr) *column_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(column_bytes, "column_bytes");
    const auto all = gsst::library::input_span(columns, bytes, "columns");
    if (!gsst::format::starts_with_column_magic(all)) {
      throw gsst::library::WrongFormat("this is not a gsst column");
    }
    *column_bytes = gsst::format::last_column_bytes(all);
  });
}

gsst_error gsst_column_plan_create(const void* column, size_t column_bytes,
                                   const gsst_decompress_options* options, gsst_column_plan** plan,
                                   gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    auto made = std::make_unique<gsst_column_plan>(
        gsst_column_plan{gsst::library::plan_column(gsst::library::input_span(column, column_bytes, "column"),
                                                    gsst::library::decompress_options(options))});
    *plan = made.release();
  });
}

void gsst_column_plan_destroy(gsst_column_plan* plan) {
  const std::unique_ptr<gsst_column_plan> owned(plan);
}

gsst_error gsst_column_plan_info(const gsst_column_plan* plan, gsst_column_info* info) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(info, "info");
    gsst::library::store_struct("info", plan->plan->info(), info);
  });
}

gsst_error gsst_column_decompress(const gsst_column_plan* plan, uint64_t first, uint64_t count,
                                  ArrowSchema* schema, ArrowArray* array, gsst_read_info* info,
                                  gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(schema, "schema");
    check_not_null(array, "array");
    read_to(info, [&](gsst::library::ReadCount* read) {
      plan->plan->decompress(first, count, *schema, *array, read);
    });
  });
}

gsst_error gsst_column_take(const gsst_column_plan* plan, const uint64_t* strings, size_t count,
                            ArrowSchema* schema, ArrowArray* array, gsst_read_info* info,
                            gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    if (count != 0) check_not_null(strings, "strings");
    check_not_null(schema, "schema");
    check_not_null(array, "array");
    read_to(info, [&](gsst::library::ReadCount* read) {
      plan->plan->take(std::span(strings, count), *schema, *array, read);
    });
  });
}

gsst_error gsst_column_frame(const gsst_column_plan* plan, const void** frame, size_t* frame_bytes) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(static_cast<const void*>(frame), "frame");
    check_not_null(frame_bytes, "frame_bytes");
    *frame = plan->plan->frame().data();
    *frame_bytes = plan->plan->frame().size();
  });
}

gsst_error gsst_column_ranges(const gsst_column_plan* plan, const uint64_t* strings, size_t count,
                              gsst_range* ranges, uint8_t* nulls, uint64_t* output_bytes,
                              gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(output_bytes, "output_bytes");
    if (count != 0) check_not_null(strings, "strings");
    if (count != 0) check_not_null(ranges, "ranges");
    const std::span<uint8_t> to_nulls(nulls, nulls == nullptr ? 0 : count);
    const auto to_ranges = bytes_of(ranges, count);
    check_no_overlap(bytes_of(strings, count), "strings", to_ranges, "ranges");
    check_no_overlap(bytes_of(strings, count), "strings", to_nulls, "nulls");
    check_no_overlap(to_nulls, "nulls", to_ranges, "ranges");
    *output_bytes = plan->plan->find_strings(std::span(strings, count), std::span(ranges, count), to_nulls);
  });
}

gsst_error gsst_column_string(const gsst_column_plan* plan, uint64_t string, void* output,
                              size_t output_capacity, size_t* output_bytes, int* is_null,
                              gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(output_bytes, "output_bytes");
    const gsst::library::CodedString found = plan->plan->find_string(string);
    const gsst::library::StringPlace& place = found.place;
    if (output_capacity < place.bytes) *output_bytes = place.bytes;
    const auto to = gsst::library::output_span(output, output_capacity, place.bytes);
    check_no_overlap(plan->plan->column(), "column", to, "output");
    plan->plan->read_string(found, to);
    *output_bytes = place.bytes;
    if (is_null != nullptr) *is_null = place.is_null ? 1 : 0;
  });
}
