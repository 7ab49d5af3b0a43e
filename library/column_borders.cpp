#include "library/column_borders.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "common/format/gsst/string_column.hpp"
#include "common/format/part_size.hpp"
#include "library/column.hpp"
#include "library/lookup_column.hpp"
#include "library/lookup_plan.hpp"
#include "library/separated_column.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::library {
namespace {

ColumnBorders without_strings(std::span<const std::uint8_t> frame, std::uint32_t offset_width,
                              std::uint64_t string_count, std::uint64_t null_count) {
  return {.frame = frame,
          .offset_width = offset_width,
          .begins = std::vector<std::uint64_t>(string_count + 1),
          .validity = std::vector<std::uint8_t>(null_count == 0 ? 0 : (string_count + 7) / 8),
          .null_count = null_count,
          .separator = std::nullopt};
}

// Groups begin at whole bytes of the validity, so that each can have a thread of its own.
void set_string(ColumnBorders& borders, std::uint64_t string, std::uint64_t begin, bool is_null) {
  borders.begins[string] = begin;
  if (is_null || borders.validity.empty()) return;
  borders.validity[string / 8] |= static_cast<std::uint8_t>(1U << (string % 8));
}

ColumnBorders borders_of_dense(std::span<const std::uint8_t> column, const DecompressOptions& options) {
  const DenseColumnView dense = parse_dense_column(column);
  const format::StringColumnView& view = dense.strings;
  check_dense_frame(dense, summarize(parse_frame(view.frame)).uncompressed_bytes);
  ColumnBorders borders =
      without_strings(view.frame, view.type.offset_width, view.string_count, view.null_count);
  borders.separator = dense.separator;
  reference::parallel_for(view.group_count(), options.threads, [&](std::size_t number) {
    const format::StringGroup group = view.group(number);
    const std::uint64_t first_string = number * format::strings_per_group;
    std::uint64_t begin = group.first_byte() + first_string * dense.separator_bytes();
    for (std::uint32_t i = 0; i < group.string_count(); ++i) {
      set_string(borders, first_string + i, begin, group.is_null(i));
      begin += group.length(i) + dense.separator_bytes();
    }
  });
  borders.begins.back() = dense.text_bytes();
  return borders;
}

ColumnBorders borders_of_lookups(std::span<const std::uint8_t> column, const DecompressOptions& options) {
  const auto plan = plan_lookup_column(column, options);
  const gsst_column_info info = plan->info();
  ColumnBorders borders =
      without_strings(plan->frame(), info.offset_width, info.string_count, info.null_count);
  const std::uint64_t groups = format::part_size(info.string_count, format::strings_per_group);
  reference::parallel_for(groups, options.threads, [&](std::size_t number) {
    const std::uint64_t first = number * format::strings_per_group;
    const std::uint64_t count = std::min<std::uint64_t>(format::strings_per_group, info.string_count - first);
    std::array<std::uint64_t, format::strings_per_group> strings{};
    std::iota(strings.begin(), strings.end(), first);
    std::array<gsst_range, format::strings_per_group> ranges{};
    std::array<std::uint8_t, format::strings_per_group> nulls{};
    plan->find_strings(std::span(strings).first(count), std::span(ranges).first(count),
                       std::span(nulls).first(count));
    for (std::uint64_t i = 0; i < count; ++i) set_string(borders, first + i, ranges[i].offset, nulls[i] == 1);
  });
  borders.begins.back() = info.string_bytes;
  return borders;
}

}  // namespace

ColumnBorders column_borders(std::span<const std::uint8_t> column, const DecompressOptions& options) {
  return is_lookup_column(column) ? borders_of_lookups(column, options) : borders_of_dense(column, options);
}

}  // namespace gsst::library
