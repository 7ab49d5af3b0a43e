#include "library/column.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace gsst::library {
namespace {

using format::strings_per_group;

// Calls visit(bytes, is_null) for `count` strings from `first` on, of which there are as many.
template <typename Visit>
void for_each_string(const format::StringColumnView& view, std::uint64_t first, std::uint64_t count,
                     const Visit& visit) {
  for (std::uint64_t string = first; string < first + count;) {
    const format::StringGroup group = view.group(string / strings_per_group);
    auto in_group = static_cast<std::uint32_t>(string % strings_per_group);
    for (; in_group < group.string_count() && string < first + count; ++in_group, ++string) {
      visit(group.length(in_group), group.is_null(in_group));
    }
  }
}

void add_to(ArrowStringsBuilder& builder, std::uint64_t bytes, bool is_null) {
  if (is_null) {
    builder.add_null();
  } else {
    builder.add_string(bytes);
  }
}

}  // namespace

format::StringColumnView parse_column(std::span<const std::uint8_t> column) {
  if (!format::starts_with_column_magic(column)) throw WrongFormat("this is not a gsst column");
  return format::parse_string_column(column);
}

void add_lengths(const ArrowStrings& strings, format::StringColumnWriter& writer) {
  for (std::uint64_t number = 0; number < strings.size(); ++number) {
    const auto string = strings.string(number);
    if (!string) {
      writer.add_null();
      continue;
    }
    try {
      writer.add_string(string->size());
    } catch (const std::length_error& error) {
      throw std::invalid_argument(std::string("array: ") + error.what());
    }
  }
}

ColumnCompressPlan::ColumnCompressPlan(const ArrowStrings& strings, const reference::CompressOptions& options)
    : strings_(strings), writer_(strings.type()), frame_plan_(plan_frame(options)) {
  end_bytes_ = format::StringColumnWriter(writer_).finish(0).size();
}

CompressPlan ColumnCompressPlan::plan_frame(const reference::CompressOptions& options) {
  if (options.format == format::BlockFormat::fsst) {
    throw std::invalid_argument("options: format is fsst, the strings of a column are a frame");
  }
  add_lengths(strings_, writer_);
  return {writer_.string_bytes(), options};
}

std::uint64_t ColumnCompressPlan::output_bytes() const {
  return format::column_header_bytes + frame_plan_.output_bytes() + end_bytes_;
}

std::size_t ColumnCompressPlan::execute(std::span<std::uint8_t> output) const {
  std::ranges::copy(format::build_column_header(strings_.type()), output.begin());
  const std::size_t frame_bytes = compress_strings(output.subspan(format::column_header_bytes));
  const std::vector<std::uint8_t> end = format::StringColumnWriter(writer_).finish(frame_bytes);
  const std::size_t frame_end = format::column_header_bytes + frame_bytes;
  std::ranges::copy(end, output.begin() + static_cast<std::ptrdiff_t>(frame_end));
  return frame_end + end.size();
}

std::size_t ColumnCompressPlan::compress_strings(std::span<std::uint8_t> output) const {
  // Else nulls have bytes, which no column holds.
  if (input().size() == writer_.string_bytes()) return frame_plan_.execute(input(), output);
  std::vector<std::uint8_t> gathered;
  gathered.reserve(writer_.string_bytes());
  for (std::uint64_t number = 0; number < strings_.size(); ++number) {
    const auto string = strings_.string(number);
    if (string) gathered.insert(gathered.end(), string->begin(), string->end());
  }
  return frame_plan_.execute(gathered, output);
}

ColumnPlan::ColumnPlan(std::span<const std::uint8_t> column, const DecompressOptions& options)
    : column_(column), view_(parse_column(column)), frame_(view_.frame, options), starts_(view_) {
  format::check_column_frame(view_, frame_.plan().summary().uncompressed_bytes);
}

gsst_column_info ColumnPlan::info() const {
  return {.struct_bytes = 0,
          .reserved = 0,
          .compressed_bytes = column_.size(),
          .length_bytes = column_.size() - view_.frame.size(),
          .string_count = view_.string_count,
          .null_count = view_.null_count,
          .string_bytes = view_.string_bytes,
          .kind = static_cast<std::uint32_t>(view_.type.kind),
          .offset_width = view_.type.offset_width};
}

void ColumnPlan::decompress(std::uint64_t first, std::uint64_t count, ArrowSchema& schema, ArrowArray& array,
                            ReadCount* read) const {
  if (first > view_.string_count || count > view_.string_count - first) {
    throw std::invalid_argument("strings " + std::to_string(first) + " and " + std::to_string(count) +
                                " from there on: the column has " + std::to_string(view_.string_count));
  }
  gsst_range range{.offset = 0, .bytes = 0, .output_offset = 0};
  if (count != 0) {
    const StringPlace last = starts_.find(first + count - 1);
    range.offset = starts_.find(first).offset;
    range.bytes = last.offset + last.bytes - range.offset;
  }
  ArrowStringsBuilder builder(view_.type, count, range.bytes);
  for_each_string(view_, first, count,
                  [&](std::uint64_t bytes, bool is_null) { add_to(builder, bytes, is_null); });
  read_ranges(std::span(&range, 1), builder.data(), read);
  builder.move_to(schema, array);
}

void ColumnPlan::take(std::span<const std::uint64_t> strings, ArrowSchema& schema, ArrowArray& array,
                      ReadCount* read) const {
  std::vector<gsst_range> ranges(strings.size());
  std::vector<std::uint8_t> nulls(strings.size());
  const std::uint64_t bytes = find_strings(strings, ranges, nulls);
  ArrowStringsBuilder builder(view_.type, strings.size(), bytes);
  for (std::size_t i = 0; i < strings.size(); ++i) add_to(builder, ranges[i].bytes, nulls[i] != 0);
  read_ranges(ranges, builder.data(), read);
  builder.move_to(schema, array);
}

void ColumnPlan::read_ranges(std::span<const gsst_range> ranges, std::span<std::uint8_t> output,
                             ReadCount* read) const {
  if (read != nullptr) *read = frame_.count(ranges);
  frame_.read(ranges, output);
}

StringPlace ColumnPlan::find_string(std::uint64_t string) const {
  if (string >= view_.string_count) {
    throw std::invalid_argument("there is no string " + std::to_string(string) + ", the column has " +
                                std::to_string(view_.string_count));
  }
  return starts_.find(string);
}

void ColumnPlan::read_string(const StringPlace& place, std::span<std::uint8_t> output) const {
  const gsst_range range{.offset = place.offset, .bytes = place.bytes, .output_offset = 0};
  frame_.read(std::span(&range, 1), output);
}

std::uint64_t ColumnPlan::find_strings(std::span<const std::uint64_t> strings, std::span<gsst_range> ranges,
                                       std::span<std::uint8_t> nulls) const {
  // Before anything is written.
  const auto wrong =
      std::ranges::find_if(strings, [&](std::uint64_t string) { return string >= view_.string_count; });
  if (wrong != strings.end()) find_string(*wrong);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const StringPlace place = starts_.find(strings[i]);
    ranges[i] = {.offset = place.offset, .bytes = place.bytes, .output_offset = end};
    if (!nulls.empty()) nulls[i] = place.is_null ? 1 : 0;
    end += place.bytes;
  }
  return end;
}

}  // namespace gsst::library
