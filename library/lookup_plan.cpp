#include "library/lookup_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "library/frame_reader.hpp"
#include "library/lookup_column.hpp"
#include "library/string_block.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::library {
namespace {

using Numbers = std::span<const std::uint64_t>;

// Strings whose records, and whose codes, are fetched while others are read.
constexpr std::size_t records_ahead = 24;
constexpr std::size_t codes_ahead = 12;
// More strings one after another are decoded with those around them, which is faster.
constexpr std::uint64_t most_looked_up = 1024;
constexpr std::size_t strings_of_a_thread = 1024;

class LookupColumnPlan final : public ColumnPlan {
public:
  LookupColumnPlan(std::span<const std::uint8_t> column, const DecompressOptions& options)
      : column_(column),
        options_(options),
        view_(parse_lookup_column(column)),
        frame_(view_.frame, options),
        blocks_(parse_frame(view_.frame), view_, options.verify_checksums) {
    const FrameSummary summary = frame_.plan().summary();
    if (!has_lookup_layout(summary.format)) {
      throw format::FormatError(std::nullopt, "column frame", "is of a format that keeps no strings apart");
    }
    if (summary.uncompressed_bytes != view_.string_bytes) {
      throw format::FormatError(std::nullopt, "string lengths",
                                "add up to " + std::to_string(view_.string_bytes) + ", the frame holds " +
                                    std::to_string(summary.uncompressed_bytes) + " bytes");
    }
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
            .layout = GSST_COLUMN_LOOKUP,
            .reserved_2 = 0,
            .has_separator = 0,
            .separator = 0};
  }

  void decompress(std::uint64_t first, std::uint64_t count, ArrowSchema& schema, ArrowArray& array,
                  ReadCount* read) const override {
    check_string_numbers(first, count, view_.string_count);
    std::vector<CodedString> strings;
    strings.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) strings.push_back(view_.string(first + i));
    read_array(strings, count > most_looked_up, schema, array, read);
  }

  void take(Numbers numbers, ArrowSchema& schema, ArrowArray& array, ReadCount* read) const override {
    check_string_numbers(numbers, view_.string_count);
    std::vector<CodedString> strings;
    strings.reserve(numbers.size());
    visit_strings(numbers, [&](const CodedString& string) { strings.push_back(string); });
    read_array(strings, false, schema, array, read);
  }

  CodedString find_string(std::uint64_t string) const override {
    check_string_number(string, view_.string_count);
    view_.prefetch_codes(string);
    return view_.string(string);
  }

  void read_string(const CodedString& string, std::span<std::uint8_t> output) const override {
    if (output.empty()) return;
    const StringBlock& block = blocks_.get(blocks_.number_of(string.place.offset));
    if (block.holds(string.place)) return block.decode(string, output);
    // It goes over the end of the block.
    const gsst_range range{.offset = string.place.offset, .bytes = string.place.bytes, .output_offset = 0};
    frame_.read(std::span(&range, 1), output);
  }

  std::span<const std::uint8_t> column() const override { return column_; }
  std::span<const std::uint8_t> frame() const override { return view_.frame; }

  std::uint64_t find_strings(Numbers numbers, std::span<gsst_range> ranges,
                             std::span<std::uint8_t> nulls) const override {
    // Before anything is written.
    check_string_numbers(numbers, view_.string_count);
    std::uint64_t end = 0;
    std::size_t i = 0;
    visit_strings(numbers, [&](const CodedString& string) {
      ranges[i] = {.offset = string.place.offset, .bytes = string.place.bytes, .output_offset = end};
      if (!nulls.empty()) nulls[i] = string.place.is_null ? 1 : 0;
      end += string.place.bytes;
      ++i;
    });
    return end;
  }

private:
  // Calls visit(string) for each of `numbers`, which the column has, in their order.
  template <typename Visit>
  void visit_strings(Numbers numbers, const Visit& visit) const {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i + records_ahead < numbers.size()) view_.prefetch(numbers[i + records_ahead]);
      visit(view_.string(numbers[i]));
    }
  }

  // `is_run`: they follow one another, and are decoded together.
  void read_array(std::span<const CodedString> strings, bool is_run, ArrowSchema& schema, ArrowArray& array,
                  ReadCount* read) const {
    std::uint64_t bytes = 0;
    for (const CodedString& string : strings) bytes += string.place.bytes;
    ArrowStringsBuilder builder(view_.type, strings.size(), bytes);
    for (const CodedString& string : strings) add_to(builder, string.place.bytes, string.place.is_null);
    if (is_run) {
      const gsst_range range{.offset = strings.front().place.offset, .bytes = bytes, .output_offset = 0};
      if (read != nullptr) *read = frame_.count(std::span(&range, 1));
      frame_.read(std::span(&range, 1), builder.data());
    } else {
      if (read != nullptr) *read = count(strings);
      read_all(strings, builder.data());
    }
    builder.move_to(schema, array);
  }

  // What read_all() decodes: blocks that are made are verified, of others the strings alone.
  ReadCount count(std::span<const CodedString> strings) const {
    std::vector<bool> is_read(blocks_.count());
    ReadCount sum;
    for (const CodedString& string : strings) {
      if (string.place.bytes == 0) continue;
      const std::uint64_t last = blocks_.number_of(string.place.offset + string.place.bytes - 1);
      for (std::uint64_t block = blocks_.number_of(string.place.offset); block <= last; ++block) {
        if (is_read[block]) continue;
        is_read[block] = true;
        ++sum.blocks;
        ++sum.parts;
        if (is_verified_whole(block)) sum.bytes += blocks_.bytes(block);
      }
      if (!is_verified_whole(last)) sum.bytes += string.place.bytes;
    }
    return sum;
  }

  bool is_verified_whole(std::uint64_t block) const {
    return options_.verify_checksums && blocks_.is_new(block);
  }

  // To `output`, one after another.
  void read_all(std::span<const CodedString> strings, std::span<std::uint8_t> output) const {
    if (options_.threads == 1 || strings.size() < 2 * strings_of_a_thread) return read_run(strings, output);
    make_blocks(strings);
    const std::size_t runs = (strings.size() + strings_of_a_thread - 1) / strings_of_a_thread;
    std::vector<std::uint64_t> begins = {0};
    for (std::size_t i = 0; i < strings.size(); ++i) {
      if (i != 0 && i % strings_of_a_thread == 0) begins.push_back(begins.back());
      begins.back() += strings[i].place.bytes;
    }
    reference::parallel_for(runs, options_.threads, [&](std::size_t run) {
      const std::size_t first = run * strings_of_a_thread;
      const std::uint64_t begin = run == 0 ? 0 : begins[run - 1];
      read_run(strings.subspan(first, std::min(strings_of_a_thread, strings.size() - first)),
               output.subspan(begin, begins[run] - begin));
    });
  }

  // Else several threads would verify the same block.
  void make_blocks(std::span<const CodedString> strings) const {
    std::vector<bool> is_read(blocks_.count());
    for (const CodedString& string : strings) {
      if (string.place.bytes != 0) is_read[blocks_.number_of(string.place.offset)] = true;
    }
    reference::parallel_for(is_read.size(), options_.threads, [&](std::size_t block) {
      if (is_read[block]) blocks_.get(block);
    });
  }

  void read_run(std::span<const CodedString> strings, std::span<std::uint8_t> output) const {
    for (std::size_t i = 0; i < strings.size(); ++i) {
      if (i + codes_ahead < strings.size()) prefetch_codes(strings[i + codes_ahead]);
      const CodedString& string = strings[i];
      if (string.place.bytes == 0) continue;
      const StringBlock& block = blocks_.get(blocks_.number_of(string.place.offset));
      if (output.size() >= string.place.bytes + bytes_decoded_ahead && block.holds(string.place)) {
        block.decode_ahead(string, output.data());
      } else {
        read_string(string, output.first(string.place.bytes));
      }
      output = output.subspan(string.place.bytes);
    }
  }

  void prefetch_codes(const CodedString& string) const {
    const std::uint8_t* const frame = view_.frame.data();
    __builtin_prefetch(frame + string.codes_after);
    __builtin_prefetch(frame + string.code_end);
  }

  std::span<const std::uint8_t> column_;
  DecompressOptions options_;
  LookupColumnView view_;
  FrameReader frame_;
  StringBlocks blocks_;
};

}  // namespace

std::unique_ptr<const ColumnPlan> plan_lookup_column(std::span<const std::uint8_t> column,
                                                     const DecompressOptions& options) {
  return std::make_unique<const LookupColumnPlan>(column, options);
}

}  // namespace gsst::library
