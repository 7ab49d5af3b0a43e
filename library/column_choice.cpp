#include "library/column_choice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "library/column.hpp"
#include "library/lookup_plan.hpp"

namespace gsst::library {
namespace {

// Of strings one after another, at places that are spread evenly over the column. Together they are a block
// of the usual size, so that tables weigh in a sample what they weigh in a long column.
constexpr std::uint64_t sample_runs = 16;
constexpr std::uint64_t bytes_of_run = std::uint64_t{256} << 10;
// Of nulls and empty strings a run would have no end.
constexpr std::uint64_t most_strings_of_run = std::uint64_t{64} << 10;

// An array of some of a column's strings.
class SampledStrings {
public:
  explicit SampledStrings(const ArrowStrings& strings) {
    for (std::uint64_t run = 0; run < sample_runs; ++run) {
      add_run(strings, strings.size() * run / sample_runs, strings.size() * (run + 1) / sample_runs);
    }
  }

  // Refers to this object.
  ArrowStrings strings() {
    buffers_ = {validity_.data(), ends_.data(), data_.data()};
    const ArrowSchema schema = make_arrow_schema({.kind = format::StringKind::bytes, .offset_width = 8});
    const ArrowArray array{.length = static_cast<std::int64_t>(ends_.size() - 1),
                           .null_count = -1,
                           .offset = 0,
                           .n_buffers = static_cast<std::int64_t>(buffers_.size()),
                           .n_children = 0,
                           .buffers = buffers_.data(),
                           .children = nullptr,
                           .dictionary = nullptr,
                           // Of an array that nobody releases.
                           .release = [](ArrowArray*) {},
                           .private_data = nullptr};
    return {schema, array};
  }

private:
  // From string `first` on, none behind `last`. What is too long for the run is cut.
  void add_run(const ArrowStrings& strings, std::uint64_t first, std::uint64_t last) {
    std::uint64_t left = bytes_of_run;
    last = std::min(last, first + most_strings_of_run);
    for (std::uint64_t number = first; number < last && left != 0; ++number) {
      const auto string = strings.string(number);
      const std::size_t place = ends_.size() - 1;
      if (place % 8 == 0) validity_.push_back(0);
      if (string) {
        validity_.back() |= static_cast<std::uint8_t>(1U << (place % 8));
        const auto taken = string->first(std::min<std::uint64_t>(string->size(), left));
        data_.insert(data_.end(), taken.begin(), taken.end());
        left -= taken.size();
      }
      ends_.push_back(static_cast<std::int64_t>(data_.size()));
    }
  }

  std::vector<std::uint8_t> validity_;
  std::vector<std::int64_t> ends_ = {0};
  std::vector<std::uint8_t> data_;
  std::array<const void*, 3> buffers_{};
};

std::uint64_t bytes_of_column(const ColumnCompressPlan& plan) {
  std::vector<std::uint8_t> output(plan.output_bytes());
  return plan.execute(output);
}

bool costs_at_most_a_quarter(const ArrowStrings& strings, const reference::CompressOptions& dense,
                             const reference::CompressOptions& lookup) {
  const std::uint64_t dense_bytes = bytes_of_column(*plan_dense_column(strings, dense, std::nullopt));
  const std::uint64_t lookup_bytes = bytes_of_column(*plan_lookup_column(strings, lookup));
  return lookup_bytes <= dense_bytes + dense_bytes / 4;
}

}  // namespace

bool is_lookup_layout_worth_it(const ArrowStrings& strings, const reference::CompressOptions& dense,
                               const reference::CompressOptions& lookup) {
  if (strings.bytes().size() <= sample_runs * bytes_of_run &&
      strings.size() <= sample_runs * most_strings_of_run) {
    return costs_at_most_a_quarter(strings, dense, lookup);
  }
  SampledStrings sample(strings);
  return costs_at_most_a_quarter(sample.strings(), dense, lookup);
}

}  // namespace gsst::library
