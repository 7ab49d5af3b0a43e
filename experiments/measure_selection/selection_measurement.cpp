#include "experiments/measure_selection/selection_measurement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/kernels_on.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "experiments/measure_selection/selected_rows.hpp"
#include "experiments/measure_selection/selected_sums.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/plain_frame.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::uint32_t>;

struct NamedFormat {
  std::string_view name;
  ColumnFormat format;
  // Of the codec; of a plain column, what its raw blocks are called.
  format::BlockFormat encoded;
};

constexpr std::array named_formats = {
    NamedFormat{"plain", ColumnFormat::plain, format::tile_integer::for_format},
    NamedFormat{"for", ColumnFormat::packed, format::tile_integer::for_format},
    NamedFormat{"dfor", ColumnFormat::deltas, format::tile_integer::dfor_format},
    NamedFormat{"rfor", ColumnFormat::runs, format::tile_integer::rfor_format}};

[[noreturn]] void refuse_point(const Point& point, const std::string& why) {
  throw InputError(point_to_json(point).dump() + ": " + why);
}

const NamedFormat& format_of(const Point& point) {
  const Json name = point.row.value("format", Json());
  const auto found =
      std::ranges::find_if(named_formats, [&](const auto& named) { return name == named.name; });
  if (found == named_formats.end()) refuse_point(point, "'format' of 'row' must be plain, for, dfor or rfor");
  return *found;
}

double selectivity_of(const Point& point) {
  const Json part = point.row.value("selectivity", Json());
  const double selected = part.is_number() ? part.get<double>() : -1;
  if (selected < 0 || selected > 1) refuse_point(point, "'selectivity' of 'row' must be 0 to 1");
  return selected;
}

std::span<const std::uint8_t> bytes_of_words(std::span<const std::uint32_t> words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()};
}

// Of one selectivity, in the executor's memory.
struct Selection {
  Selection(const QueryTools& tools, std::span<const std::uint32_t> values, double selectivity)
      : words(select_values(values.size(), selectivity)),
        expected(sums_of_selected(values, words)),
        on_device(pipeline::Buffer::on_device(tools.executor, words.size() * sizeof(std::uint32_t))) {
    for (const std::uint32_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    pipeline::Queue queue(tools.executor);
    queue.copy(on_device.data(), bytes_of_words(words));
    queue.wait();
  }

  Words words;
  std::vector<std::uint64_t> expected;
  std::uint64_t count = 0;
  pipeline::Buffer on_device;
};

// A column in one format, in the executor's memory, followed by room for the bits that select: the streaming
// limit reads as many bytes.
struct StoredColumn {
  StoredColumn(const QueryTools& tools, const std::vector<std::uint8_t>& frame, std::uint64_t selection_bytes)
      : shape(stage::frame_shape(frame)),
        device(pipeline::Buffer::on_device(tools.executor, frame.size() + selection_bytes)) {
    shape.bytes = device.data();
    pipeline::Queue queue(tools.executor);
    queue.copy(device.data(), frame);
    queue.wait();
    const pipeline::Buffer written =
        pipeline::Buffer::on_device(tools.executor, selected_sums * sizeof(std::uint64_t));
    limit = tools.limit({.input = device.data(),
                         .read_bytes = device.size(),
                         .output = written.data(),
                         .written_bytes = written.size()});
  }

  stage::FrameOnDevice shape;
  pipeline::Buffer device;
  StreamingTime limit;
};

// Throws InputError unless the points' blocks are cut at the borders of tiles.
std::uint32_t block_values_of(const Point& point) {
  const std::uint64_t bytes = point.input.block_bytes;
  if (bytes % (selected_tile_values * sizeof(std::uint32_t)) != 0) {
    refuse_point(point, "blocks must have whole tiles of 512 values");
  }
  return static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t));
}

// What is measured of one point.
class SummedPoint {
public:
  SummedPoint(const Point& point, const QueryTools& tools, const StoredColumn& column,
              const Selection& selection)
      : point_(point),
        tools_(tools),
        column_(column),
        selection_(selection),
        sums_(pipeline::Buffer::on_device(tools.executor, selected_sums * sizeof(std::uint64_t))) {}

  double seconds() const {
    return tools_.seconds([this](stage::Stream stream) {
      stage::KernelsOn<SelectedSums>::get(tools_.executor)
          .enqueue(format_of(point_).format, column_.shape, block_values_of(point_),
                   reinterpret_cast<const std::uint32_t*>(selection_.on_device.data()),
                   reinterpret_cast<std::uint64_t*>(sums_.data()), stream);
    });
  }

  // Throws MismatchError.
  void verify() const {
    pipeline::Queue queue(tools_.executor);
    std::vector<std::uint8_t> sums(sums_.size(), 0xcd);
    queue.copy(sums_.data(), sums);
    queue.wait();
    static_cast<void>(seconds());
    queue.copy(sums.data(), sums_.bytes());
    queue.wait();
    if (std::memcmp(sums.data(), selection_.expected.data(), sums.size()) != 0) {
      throw MismatchError(point_to_json(point_).dump() + ": the sums differ from the oracle's");
    }
  }

  Json row(std::span<const double> seconds, std::uint64_t uncompressed_bytes, const Dataset& dataset) const {
    Json row = row_to_json({.stage = point_.id,
                            .variant = point_.variant,
                            .parameters = {{"block_bytes", point_.input.block_bytes}},
                            .uncompressed_bytes = uncompressed_bytes,
                            .compressed_bytes = column_.shape.frame_bytes,
                            .seconds = summarize(seconds)},
                           dataset);
    row["operation"] = stage::operation_name(stage::Operation::query);
    row["streaming_limit_gb_per_s"] = gigabytes_per_second(uncompressed_bytes, column_.limit.seconds);
    row["streaming_limit_variant"] = column_.limit.variant;
    row["selected_values"] = selection_.count;
    return row;
  }

private:
  const Point& point_;
  const QueryTools& tools_;
  const StoredColumn& column_;
  const Selection& selection_;
  pipeline::Buffer sums_;
};

}  // namespace

SelectionMeasurement::SelectionMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                           unsigned repetitions, const QueryTools& tools)
    : text_(text), dataset_(std::move(dataset)), repetitions_(repetitions), tools_(tools) {
  if (text.size() % sizeof(std::uint32_t) != 0) throw InputError("the column ends within a value");
}

std::vector<Json> SelectionMeasurement::measure(std::span<const Point> points) const {
  const std::span values(reinterpret_cast<const std::uint32_t*>(text_.data()),
                         text_.size() / sizeof(std::uint32_t));
  std::map<double, std::unique_ptr<Selection>> selections;
  std::map<ColumnFormat, std::unique_ptr<StoredColumn>> columns;
  std::vector<std::unique_ptr<SummedPoint>> summed;
  for (const Point& point : points) {
    static_cast<void>(block_values_of(point));
    std::unique_ptr<Selection>& selection = selections[selectivity_of(point)];
    if (!selection) selection = std::make_unique<Selection>(tools_, values, selectivity_of(point));
    const NamedFormat& named = format_of(point);
    std::unique_ptr<StoredColumn>& column = columns[named.format];
    if (!column) {
      constexpr auto type = static_cast<std::uint64_t>(format::tile_integer::Type::u32);
      const std::uint64_t block_bytes = point.input.block_bytes;
      column = std::make_unique<StoredColumn>(
          tools_,
          named.format == ColumnFormat::plain
              ? reference::tile_integer::plain_frame(text_, block_bytes)
              : reference::encode_file(reference::codec_of(named.encoded), text_,
                                       {.block_bytes = block_bytes, .options = {{"type", type}}}),
          selection->on_device.size());
    }
    summed.push_back(std::make_unique<SummedPoint>(point, tools_, *column, *selection));
  }

  const auto verify_all = [&] {
    for (const auto& point : summed) point->verify();
  };
  verify_all();
  std::vector<TimedWork> works;
  works.reserve(summed.size());
  for (const auto& point : summed) {
    works.push_back({.name = "selection", .seconds = [&point = *point] { return point.seconds(); }});
  }
  std::vector<std::vector<double>> seconds;
  const Json clocks = tools_.clocks_during([&] { seconds = time_interleaved(works, repetitions_); });
  verify_all();

  std::vector<Json> rows;
  for (std::size_t i = 0; i < summed.size(); ++i) {
    rows.push_back(summed[i]->row(seconds[i], text_.size(), dataset_));
    rows.back()["clocks"] = clocks;
    rows.back().update(points[i].row);
  }
  return rows;
}

}  // namespace gsst::experiments
