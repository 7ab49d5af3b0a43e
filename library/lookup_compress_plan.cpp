#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "library/lookup_column_writer.hpp"
#include "library/lookup_plan.hpp"
#include "library/string_frame.hpp"

namespace gsst::library {
namespace {

class LookupColumnCompressPlan final : public ColumnCompressPlan {
public:
  LookupColumnCompressPlan(const ArrowStrings& strings, const reference::CompressOptions& options)
      : strings_(strings), options_(options), frame_bytes_(plan_frame()) {}

  std::uint64_t output_bytes() const override {
    return format::column_header_bytes + frame_bytes_ + group_bytes_ + format::column_trailer_bytes;
  }

  std::span<const std::uint8_t> input() const override { return strings_.bytes(); }

  std::size_t execute(std::span<std::uint8_t> output) const override {
    std::ranges::copy(build_lookup_header(strings_.type()), output.begin());
    const StringFrame frame = compress_frame(output.subspan(format::column_header_bytes));
    LookupColumnWriter writer(strings_.type());
    for (std::uint64_t number = 0; number < strings_.size(); ++number) {
      const auto string = strings_.string(number);
      if (string) {
        writer.add_string(static_cast<std::uint32_t>(string->size()), frame.code_ends[number]);
      } else {
        writer.add_null();
      }
    }
    const std::vector<std::uint8_t> end = writer.finish(frame.bytes);
    const std::size_t frame_end = format::column_header_bytes + frame.bytes;
    std::ranges::copy(end, output.begin() + static_cast<std::ptrdiff_t>(frame_end));
    return frame_end + end.size();
  }

private:
  // Most bytes of the frame. Reads all lengths for string_bytes_ and group_bytes_.
  std::uint64_t plan_frame() {
    if (!has_lookup_layout(options_.format)) {
      throw std::invalid_argument("options: the layout for lookups has format blocks or splits alone");
    }
    format::StringColumnWriter lengths(strings_.type());
    add_lengths(strings_, lengths);
    string_bytes_ = lengths.string_bytes();
    const CompressPlan frame(string_bytes_, options_);
    bound_groups();
    return frame.output_bytes();
  }

  void bound_groups() {
    GroupBounds group;
    std::uint64_t record_bytes = 0;
    for (std::uint64_t number = 0; number < strings_.size(); ++number) {
      if (number % strings_per_record == 0) record_bytes = 0;
      const auto string = strings_.string(number);
      record_bytes += string ? string->size() : 0;
      group.bytes += string ? string->size() : 0;
      group.has_nulls = group.has_nulls || !string;
      group.record_bytes = std::max(group.record_bytes, record_bytes);
      if ((number + 1) % format::strings_per_group != 0 && number + 1 != strings_.size()) continue;
      const std::uint64_t blocks = group.bytes / options_.block_bytes + 2;
      group_bytes_ += most_bytes_of_group(group, blocks * max_bytes_between_codes(options_));
      group = {};
    }
  }

  StringFrame compress_frame(std::span<std::uint8_t> output) const {
    std::vector<std::uint64_t> ends;
    ends.reserve(strings_.size());
    std::uint64_t end = 0;
    for (std::uint64_t number = 0; number < strings_.size(); ++number) {
      const auto string = strings_.string(number);
      end += string ? string->size() : 0;
      ends.push_back(end);
    }
    // Else nulls have bytes, which no column holds.
    if (input().size() == string_bytes_) return encode_string_frame(input(), ends, options_, output);
    return encode_string_frame(strings_.gather(string_bytes_), ends, options_, output);
  }

  ArrowStrings strings_;
  reference::CompressOptions options_;
  std::uint64_t string_bytes_ = 0;
  std::uint64_t group_bytes_ = 0;
  std::uint64_t frame_bytes_;
};

}  // namespace

std::unique_ptr<const ColumnCompressPlan> plan_lookup_column(const ArrowStrings& strings,
                                                             const reference::CompressOptions& options) {
  return std::make_unique<const LookupColumnCompressPlan>(strings, options);
}

}  // namespace gsst::library
