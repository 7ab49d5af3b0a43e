#include "library/column.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "library/frame_reader.hpp"
#include "library/lookup_plan.hpp"
#include "library/separated_column.hpp"
#include "library/string_starts.hpp"

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

class DenseColumnCompressPlan final : public ColumnCompressPlan {
public:
  DenseColumnCompressPlan(const ArrowStrings& strings, const reference::CompressOptions& options,
                          std::optional<std::uint8_t> separator)
      : strings_(strings), separator_(separator), writer_(strings.type()), frame_plan_(plan_frame(options)) {
    end_bytes_ = format::StringColumnWriter(writer_).finish(0).size();
  }

  std::uint64_t output_bytes() const override {
    return format::column_header_bytes + frame_plan_.output_bytes() + end_bytes_;
  }

  std::span<const std::uint8_t> input() const override { return strings_.bytes(); }

  std::size_t execute(std::span<std::uint8_t> output) const override {
    const auto header = build_dense_header(strings_.type(), separator_);
    std::ranges::copy(header, output.begin());
    const std::size_t frame_bytes = compress_strings(output.subspan(format::column_header_bytes));
    std::vector<std::uint8_t> end = format::StringColumnWriter(writer_).finish(frame_bytes);
    if (separator_) repeat_header(end, header);
    const std::size_t frame_end = format::column_header_bytes + frame_bytes;
    std::ranges::copy(end, output.begin() + static_cast<std::ptrdiff_t>(frame_end));
    return frame_end + end.size();
  }

private:
  CompressPlan plan_frame(const reference::CompressOptions& options) {
    if (options.format == format::BlockFormat::fsst) {
      throw std::invalid_argument("options: format is fsst, the strings of a column are a frame");
    }
    add_lengths(strings_, writer_);
    if (separator_) check_holds_no_separator(strings_, *separator_);
    return {writer_.string_bytes() + (separator_ ? strings_.size() : 0), options};
  }

  std::size_t compress_strings(std::span<std::uint8_t> output) const {
    if (separator_) {
      return frame_plan_.execute(gather_separated(strings_, writer_.string_bytes(), *separator_), output);
    }
    // Else nulls have bytes, which no column holds.
    if (input().size() == writer_.string_bytes()) return frame_plan_.execute(input(), output);
    return frame_plan_.execute(strings_.gather(writer_.string_bytes()), output);
  }

  ArrowStrings strings_;
  std::optional<std::uint8_t> separator_;
  format::StringColumnWriter writer_;
  CompressPlan frame_plan_;
  std::uint64_t end_bytes_;
};

class DenseColumnPlan final : public ColumnPlan {
public:
  DenseColumnPlan(std::span<const std::uint8_t> column, const DecompressOptions& options)
      : column_(column),
        dense_(parse_dense_column(column)),
        view_(dense_.strings),
        frame_(view_.frame, options),
        starts_(view_) {
    check_dense_frame(dense_, frame_.plan().summary().uncompressed_bytes);
  }

  gsst_column_info info() const override {
    return {.struct_bytes = 0,
            .reserved = 0,
            .compressed_bytes = column_.size(),
            .length_bytes = column_.size() - view_.frame.size(),
            .string_count = view_.string_count,
            .null_count = view_.null_count,
            .string_bytes = view_.string_bytes,
            .kind = static_cast<std::uint32_t>(view_.type.kind),
            .offset_width = view_.type.offset_width,
            .layout = GSST_COLUMN_DENSE,
            .reserved_2 = 0,
            .has_separator = dense_.separator ? 1U : 0U,
            .separator = dense_.separator.value_or(0)};
  }

  void decompress(std::uint64_t first, std::uint64_t count, ArrowSchema& schema, ArrowArray& array,
                  ReadCount* read) const override {
    check_string_numbers(first, count, view_.string_count);
    gsst_range range{.offset = 0, .bytes = 0, .output_offset = 0};
    const std::uint64_t separators = count * dense_.separator_bytes();
    if (count != 0) {
      const StringPlace last = place_of(first + count - 1);
      range.offset = place_of(first).offset;
      range.bytes = last.offset + last.bytes + dense_.separator_bytes() - range.offset;
    }
    ArrowStringsBuilder builder(view_.type, count, range.bytes - separators, separators);
    for_each_string(view_, first, count,
                    [&](std::uint64_t bytes, bool is_null) { add_to(builder, bytes, is_null); });
    read_ranges(std::span(&range, 1), builder.data_with_spare(), read);
    if (dense_.separator) remove_separators(builder.data_with_spare(), first, count);
    builder.move_to(schema, array);
  }

  void take(std::span<const std::uint64_t> strings, ArrowSchema& schema, ArrowArray& array,
            ReadCount* read) const override {
    std::vector<gsst_range> ranges(strings.size());
    std::vector<std::uint8_t> nulls(strings.size());
    const std::uint64_t bytes = find_strings(strings, ranges, nulls);
    ArrowStringsBuilder builder(view_.type, strings.size(), bytes);
    for (std::size_t i = 0; i < strings.size(); ++i) add_to(builder, ranges[i].bytes, nulls[i] != 0);
    read_ranges(ranges, builder.data(), read);
    builder.move_to(schema, array);
  }

  CodedString find_string(std::uint64_t string) const override {
    check_string_number(string, view_.string_count);
    return {.place = place_of(string)};
  }

  void read_string(const CodedString& string, std::span<std::uint8_t> output) const override {
    const gsst_range range{.offset = string.place.offset, .bytes = string.place.bytes, .output_offset = 0};
    frame_.read(std::span(&range, 1), output);
  }

  std::span<const std::uint8_t> column() const override { return column_; }
  std::span<const std::uint8_t> frame() const override { return view_.frame; }

  std::uint64_t find_strings(std::span<const std::uint64_t> strings, std::span<gsst_range> ranges,
                             std::span<std::uint8_t> nulls) const override {
    // Before anything is written.
    check_string_numbers(strings, view_.string_count);
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < strings.size(); ++i) {
      const StringPlace place = place_of(strings[i]);
      ranges[i] = {.offset = place.offset, .bytes = place.bytes, .output_offset = end};
      if (!nulls.empty()) nulls[i] = place.is_null ? 1 : 0;
      end += place.bytes;
    }
    return end;
  }

private:
  StringPlace place_of(std::uint64_t string) const {
    StringPlace place = starts_.find(string);
    place.offset += string * dense_.separator_bytes();
    return place;
  }

  // Of `text`, what the frame has for `count` strings from `first` on.
  void remove_separators(std::span<std::uint8_t> text, std::uint64_t first, std::uint64_t count) const {
    SeparatorRemover remover(text, *dense_.separator, first);
    for_each_string(view_, first, count, [&](std::uint64_t bytes, bool) { remover.take(bytes); });
  }

  void read_ranges(std::span<const gsst_range> ranges, std::span<std::uint8_t> output,
                   ReadCount* read) const {
    if (read != nullptr) *read = frame_.count(ranges);
    frame_.read(ranges, output);
  }

  std::span<const std::uint8_t> column_;
  DenseColumnView dense_;
  const format::StringColumnView& view_;
  FrameReader frame_;
  StringStarts starts_;
};

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

void add_to(ArrowStringsBuilder& builder, std::uint64_t bytes, bool is_null) {
  if (is_null) {
    builder.add_null();
  } else {
    builder.add_string(bytes);
  }
}

void check_string_number(std::uint64_t string, std::uint64_t count) {
  if (string < count) return;
  throw std::invalid_argument("there is no string " + std::to_string(string) + ", the column has " +
                              std::to_string(count));
}

void check_string_numbers(std::uint64_t first, std::uint64_t some, std::uint64_t count) {
  if (first <= count && some <= count - first) return;
  throw std::invalid_argument("strings " + std::to_string(first) + " and " + std::to_string(some) +
                              " from there on: the column has " + std::to_string(count));
}

void check_string_numbers(std::span<const std::uint64_t> strings, std::uint64_t count) {
  const auto wrong = std::ranges::find_if(strings, [&](std::uint64_t string) { return string >= count; });
  if (wrong != strings.end()) check_string_number(*wrong, count);
}

std::unique_ptr<const ColumnCompressPlan> plan_dense_column(const ArrowStrings& strings,
                                                            const reference::CompressOptions& options,
                                                            std::optional<std::uint8_t> separator) {
  return std::make_unique<const DenseColumnCompressPlan>(strings, options, separator);
}

std::unique_ptr<const ColumnPlan> plan_column(std::span<const std::uint8_t> column,
                                              const DecompressOptions& options) {
  if (is_lookup_column(column)) return plan_lookup_column(column, options);
  return std::make_unique<const DenseColumnPlan>(column, options);
}

}  // namespace gsst::library
