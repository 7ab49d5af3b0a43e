#include "experiments/measure_query/query_measurement.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/kernels_on.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/plain_frame.hpp"
#include "stages/tile_integer/09_queries/questions.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

constexpr const char* plain_storage = "plain";
constexpr const char* packed_storage = "packed";
constexpr const char* smallest_storage = "smallest";
constexpr const char* vertical_storage = "vertical";
constexpr const char* on_the_device = "device";
constexpr const char* on_the_host = "host";

// Of the limit, that a query on plain columns has to read at.
constexpr double share_of_a_measure = 0.9;
// Of the streaming kernel.
constexpr std::uint64_t least_streamed_bytes = 8192;
// Frames begin at a multiple of so many bytes, as memory that the device allocates.
constexpr std::uint64_t frame_alignment = 256;

std::uint64_t next_frame(std::uint64_t bytes) {
  return (bytes + frame_alignment - 1) / frame_alignment * frame_alignment;
}

std::string word_of(const Point& point, const char* key, std::initializer_list<const char*> allowed) {
  const Json value = point.row.value(key, Json());
  for (const char* const word : allowed) {
    if (value == word) return word;
  }
  throw InputError(point_to_json(point).dump() + ": '" + key + "' of 'row' is not one of its words");
}

std::string query_of(const Point& point) {
  const Json query = point.row.value("query", Json());
  if (!query.is_string()) throw InputError(point_to_json(point).dump() + ": 'row' names no 'query'");
  return query;
}

std::span<const std::uint8_t> bytes_of_column(std::span<const std::uint32_t> column) {
  return {reinterpret_cast<const std::uint8_t*>(column.data()), column.size_bytes()};
}

// Of a column that is not plain. Joined tables are of format `for`, however the fact table is stored.
format::BlockFormat format_of_column(const std::string& column, const std::string& storage) {
  const bool has_runs = column == "lo_orderdate" || column == "lo_custkey";
  if (storage == smallest_storage && has_runs) return format::tile_integer::rfor_format;
  const bool is_fact = column.starts_with("lo_");
  if (storage == vertical_storage && is_fact) return format::tile_integer::vfor_format;
  return format::tile_integer::for_format;
}

// What the bytes of an answer are.
Bytes bytes_of_sums(std::span<const std::uint64_t> sums) {
  Bytes bytes(sums.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), sums.data(), bytes.size());
  return bytes;
}

// The columns of a query as one storage has them, one behind the other in the executor's memory.
struct StoredColumns {
  StoredColumns(const QueryTools& tools, std::span<const Bytes* const> frames) : device(empty(tools)) {
    for (const Bytes* const frame : frames) {
      offsets.push_back(bytes);
      shapes.push_back(stage::frame_shape(*frame));
      uncompressed_bytes += shapes.back().uncompressed_bytes;
      stored_bytes += frame->size();
      bytes = next_frame(bytes + frame->size());
    }
    device = pipeline::Buffer::on_device(tools.executor, bytes);
    pipeline::Queue queue(tools.executor);
    for (std::size_t i = 0; i < frames.size(); ++i) queue.copy(device.data() + offsets[i], *frames[i]);
    queue.wait();
  }

  // Makes page-locked memory with the same columns, once.
  const pipeline::Buffer& on_host(const QueryTools& tools, std::span<const Bytes* const> frames) {
    if (!host) {
      host = pipeline::Buffer::on_host(tools.executor, bytes);
      for (std::size_t i = 0; i < frames.size(); ++i) {
        std::ranges::copy(*frames[i], host->data() + offsets[i]);
      }
    }
    return *host;
  }

  static pipeline::Buffer empty(const QueryTools& tools) {
    return pipeline::Buffer::on_device(tools.executor, 0);
  }

  std::vector<stage::FrameOnDevice> shapes;
  std::vector<std::uint64_t> offsets;
  // Of all frames, with what is between them and without.
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t uncompressed_bytes = 0;
  pipeline::Buffer device;
  std::optional<pipeline::Buffer> host;
  // Of reading all and writing the answer; found once.
  std::optional<StreamingTime> limit;
};

// A point with its plan and memory.
class AskedPoint {
public:
  AskedPoint(const Point& point, const QueryTools& tools, StoredColumns& columns,
             const pipeline::Buffer* host, const std::string& query, const Bytes& expected)
      : point_(point), tools_(tools), columns_(columns), host_(host), expected_(expected) {
    plan_ = point.stage->query.at(tools.executor)
                .make({.frames = columns.shapes,
                       .question = query,
                       .output_bytes = expected.size(),
                       .parameters = point.parameters});
    const std::span<const stage::Part> parts = plan_->parts();
    for (std::size_t i = 0; i < columns.shapes.size(); ++i) {
      given_.push_back({.data = columns.device.data() + columns.offsets[i], .bytes = parts[i].bytes});
    }
    for (const stage::Part& part : parts.subspan(columns.shapes.size())) {
      memory_.push_back(pipeline::Buffer::on_device(tools.executor, part.bytes));
      given_.push_back({.data = memory_.back().data(), .bytes = part.bytes});
      if (part.role == stage::Role::output) answer_ = memory_.size() - 1;
      if (part.role == stage::Role::result) result_ = memory_.size() - 1;
      if (part.role == stage::Role::status) status_ = memory_.size() - 1;
    }
    plan_->prepare(given_, nullptr);
  }

  bool is_on_host() const { return host_ != nullptr; }
  const Point& point() const { return point_; }
  StoredColumns& columns() const { return columns_; }

  void copy_columns(stage::Stream stream) const {
    tools_.copy(columns_.device.data(), host_->bytes(), stream);
  }

  void ask(stage::Stream stream) const {
    if (is_on_host()) copy_columns(stream);
    stage::enqueue_all(*plan_, given_, stream);
  }

  // Runs `work`, which asks once, after making what an earlier run has left useless. Throws MismatchError.
  void verify(const std::function<void()>& work) const {
    pipeline::Queue queue(tools_.executor);
    Bytes others(expected_.size());
    std::ranges::transform(expected_, others.begin(), std::bit_not<>());
    queue.copy(memory_[answer_].data(), others);
    // Columns that come from the host have to arrive.
    const Bytes noise(is_on_host() ? columns_.bytes : 0, 0xff);
    if (is_on_host()) queue.copy(columns_.device.data(), noise);
    queue.wait();
    work();
    const stage::Outcome outcome =
        plan_->check(std::as_bytes(std::span<const std::uint8_t>(read(status_))),
                     std::as_bytes(std::span<const std::uint8_t>(read(result_))), 0);
    stage::throw_problem(outcome);
    if (!outcome.is_complete || read(answer_) != expected_) {
      throw MismatchError(point_to_json(point_).dump() + ": the answer differs from the oracle's");
    }
  }

  void ask_once() const {
    static_cast<void>(tools_.seconds([this](stage::Stream stream) { ask(stream); }));
  }

private:
  Bytes read(std::size_t part) const {
    Bytes bytes(memory_[part].size());
    pipeline::Queue queue(tools_.executor);
    queue.copy(bytes.data(), memory_[part].bytes());
    queue.wait();
    return bytes;
  }

  const Point& point_;
  const QueryTools& tools_;
  StoredColumns& columns_;
  const pipeline::Buffer* host_;
  const Bytes& expected_;
  std::unique_ptr<stage::Plan> plan_;
  std::vector<stage::Given> given_;
  // Of the plan's parts after the frames.
  std::vector<pipeline::Buffer> memory_;
  std::size_t answer_ = 0;
  std::size_t result_ = 0;
  std::size_t status_ = 0;
};

// Seconds of each repetition: of the query, and as a graph or of the copy of its columns alone.
struct TimesOfPoint {
  std::span<const double> query;
  std::span<const double> other;
};

const StreamingTime& limit_of(StoredColumns& columns, const QueryTools& tools, std::uint64_t answer_bytes) {
  if (!columns.limit) {
    pipeline::Buffer written =
        pipeline::Buffer::on_device(tools.executor, std::max(answer_bytes, least_streamed_bytes));
    columns.limit = tools.limit({.input = columns.device.data(),
                                 .read_bytes = static_cast<std::size_t>(columns.bytes),
                                 .output = written.data(),
                                 .written_bytes = written.size()});
  }
  return *columns.limit;
}

Json row_of_asked(const AskedPoint& asked, const TimesOfPoint& times, const StreamingTime& limit,
                  const Dataset& dataset) {
  const Point& point = asked.point();
  const StoredColumns& columns = asked.columns();
  Row row = {.stage = point.id,
             .variant = point.variant,
             .parameters = {{"block_bytes", point.input.block_bytes}},
             .uncompressed_bytes = columns.uncompressed_bytes,
             .compressed_bytes = columns.stored_bytes,
             .seconds = summarize(times.query)};
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    row.parameters[parameter.name] =
        stage::parameter_value(point.stage->description, point.parameters, parameter.name);
  }
  Json json = row_to_json(row, dataset);
  json["operation"] = stage::operation_name(stage::Operation::query);
  json["streaming_limit_gb_per_s"] = gigabytes_per_second(columns.uncompressed_bytes, limit.seconds);
  json["streaming_limit_variant"] = limit.variant;
  json["streaming_limit_read_gb_per_s"] = gigabytes_per_second(columns.bytes, limit.seconds);
  json["fact_rows"] = columns.shapes.front().uncompressed_bytes / sizeof(std::uint32_t);
  const SecondsSummary other = summarize(times.other);
  if (asked.is_on_host()) {
    json["end_to_end"] = true;
    json["link_gb_per_s"] = gigabytes_per_second(columns.bytes, other.median);
    return json;
  }
  if (point.row.at("storage") == plain_storage && row.parameters.value("skip", 1) == 0) {
    // Both were timed in the same way, with the host's work.
    json["reads_at_limit"] = limit.seconds >= share_of_a_measure * row.seconds->median;
  }
  row.seconds = other;
  json["graph_seconds"] = row_to_json(row, dataset).at("seconds");
  return json;
}

}  // namespace

QueryMeasurement::QueryMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                                   const QueryTools& tools, Answer answer)
    : dataset_(std::move(dataset)),
      repetitions_(repetitions),
      tools_(tools),
      answer_(std::move(answer)),
      tables_(text) {}

const QueryMeasurement::Frame& QueryMeasurement::frame(const std::string& column, const std::string& storage,
                                                       std::uint64_t block_bytes) {
  const bool is_plain = storage == plain_storage && column.starts_with("lo_");
  const format::BlockFormat format = format_of_column(column, storage);
  const std::string encoding = is_plain ? plain_storage : std::to_string(static_cast<unsigned>(format));
  Frame& frame = frames_[{column, encoding, block_bytes}];
  if (!frame.empty()) return frame;
  const std::span<const std::uint8_t> bytes = bytes_of_column(tables_.column(column));
  constexpr auto type = static_cast<std::uint64_t>(format::tile_integer::Type::u32);
  frame = is_plain ? reference::tile_integer::plain_frame(bytes, block_bytes)
                   : reference::encode_file(reference::codec_of(format), bytes,
                                            {.block_bytes = block_bytes, .options = {{"type", type}}});
  return frame;
}

std::vector<Json> QueryMeasurement::measure(std::span<const Point> points) {
  const std::string query = query_of(points.front());
  const std::vector<std::string> names =
      stage::KernelsOn<tile_integer::Questions>::get(tools_.executor).columns(query);
  const Bytes expected = bytes_of_sums(answer_(tables_, query));

  std::map<std::string, std::unique_ptr<StoredColumns>> stored;
  std::vector<std::unique_ptr<AskedPoint>> asked;
  for (const Point& point : points) {
    const std::string storage =
        word_of(point, "storage", {plain_storage, packed_storage, smallest_storage, vertical_storage});
    std::vector<const Bytes*> frames;
    frames.reserve(names.size());
    for (const std::string& name : names) frames.push_back(&frame(name, storage, point.input.block_bytes));
    // Points of a group have blocks of one size.
    std::unique_ptr<StoredColumns>& columns = stored[storage];
    if (!columns) columns = std::make_unique<StoredColumns>(tools_, frames);
    const bool is_on_host = word_of(point, "place", {on_the_device, on_the_host}) == on_the_host;
    const pipeline::Buffer* const host = is_on_host ? &columns->on_host(tools_, frames) : nullptr;
    asked.push_back(std::make_unique<AskedPoint>(point, tools_, *columns, host, query, expected));
  }

  for (const auto& point : asked) point->verify([&] { point->ask_once(); });
  std::vector<TimedWork> works;
  std::vector<std::function<double()>> graphs(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const AskedPoint& point = *asked[i];
    works.push_back({.name = query, .seconds = [&] {
                       return tools_.seconds([&](stage::Stream stream) { point.ask(stream); });
                     }});
    if (point.is_on_host()) {
      works.push_back({.name = query + ", copies", .seconds = [&] {
                         return tools_.seconds([&](stage::Stream stream) { point.copy_columns(stream); });
                       }});
    } else {
      graphs[i] = tools_.as_graph([&](stage::Stream stream) { point.ask(stream); });
      works.push_back({.name = query + ", as a graph", .seconds = [&graph = graphs[i]] { return graph(); }});
    }
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    static_cast<void>(limit_of(asked[i]->columns(), tools_, expected.size()));
    if (graphs[i]) asked[i]->verify([&] { static_cast<void>(graphs[i]()); });
  }
  std::vector<std::vector<double>> seconds;
  const Json clocks = tools_.clocks_during([&] { seconds = time_interleaved(works, repetitions_); });
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i]->verify([&] { asked[i]->ask_once(); });
    if (graphs[i]) asked[i]->verify([&] { static_cast<void>(graphs[i]()); });
  }

  std::vector<Json> rows;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const StreamingTime& limit = limit_of(asked[i]->columns(), tools_, expected.size());
    Json row = row_of_asked(*asked[i], {seconds[2 * i], seconds[2 * i + 1]}, limit, dataset_);
    row["answer_bytes"] = expected.size();
    row["clocks"] = clocks;
    row.update(asked[i]->point().row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::vector<std::size_t>> group_by_query(std::span<const Point> points) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& members) {
      return query_of(points[members.front()]) == query_of(points[i]);
    });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

}  // namespace gsst::experiments
