// gsst_measure_stages: measures decoder stages on a GPU and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "common/format/block.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure/row.hpp"
#include "experiments/measure_gpu/device_check.hpp"
#include "experiments/measure_gpu/event_timer.hpp"
#include "experiments/measure_gpu/streaming_limit.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

// One line of the plan: what is measured.
struct Point {
  const stage::RegisteredStage* stage;
  stage::ParameterValues parameters;
  std::uint64_t blocks;
  std::uint32_t splits;
};

std::vector<Point> read_points(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError("cannot open " + path.string());
  std::vector<Point> points;
  for (const auto& entry : nlohmann::json::parse(file)) {
    const std::string id = entry.at("stage");
    const stage::RegisteredStage* const found = stage::find_stage(id);
    if (found == nullptr) throw InputError(path.string() + ": there is no stage '" + id + "'");
    Point point{.stage = found,
                .parameters = entry.value("parameters", stage::ParameterValues()),
                .blocks = entry.at("blocks"),
                .splits = entry.at("splits")};
    stage::check_parameters(found->description, point.parameters);
    points.push_back(std::move(point));
  }
  return points;
}

// A compressed form of the input, on the device. Several points share it.
struct DeviceFrame {
  stage::DecodePlan plan;
  std::uint64_t frame_bytes;
  cuda::DeviceBuffer bytes;
};

using FrameKey = std::tuple<format::BlockFormat, std::uint64_t, std::uint32_t>;

FrameKey frame_key(const Point& point) {
  const format::BlockFormat block_format = point.stage->description.format;
  return {block_format, point.blocks, format::has_splits(block_format) ? point.splits : 1};
}

class Measurement {
public:
  Measurement(std::vector<Point> points, const std::vector<std::uint8_t>& input, Dataset dataset)
      : points_(std::move(points)),
        dataset_(std::move(dataset)),
        expected_(input),
        output_(input.size()),
        status_(most_blocks * sizeof(std::uint32_t)) {
    for (const Point& point : points_) {
      if (!frames_.contains(frame_key(point))) add_frame(point, input);
    }
  }

  nlohmann::ordered_json run(unsigned repetitions) {
    for (std::size_t i = 0; i < points_.size(); ++i) verify(i);
    std::vector<std::size_t> order(points_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Interleaved, so that a drift of the clocks meets all points alike.
    std::mt19937 generator(1);
    std::vector<std::vector<double>> seconds(points_.size());
    for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
      std::shuffle(order.begin(), order.end(), generator);
      for (const std::size_t i : order) {
        seconds[i].push_back(timer_.seconds(nullptr, [&] { decode(points_[i]); }));
      }
      std::cerr << "repetition " << repetition + 1 << " of " << repetitions << std::endl;
    }
    for (std::size_t i = 0; i < points_.size(); ++i) verify(i);
    return make_rows(seconds);
  }

private:
  void add_frame(const Point& point, const std::vector<std::uint8_t>& input) {
    const auto [block_format, blocks, splits] = frame_key(point);
    const std::vector<std::uint8_t> frame =
        reference::compress(input, {.format = block_format,
                                    .block_bytes = format::part_size(input.size(), blocks),
                                    .split_count = splits});
    frames_.emplace(frame_key(point), DeviceFrame{.plan = stage::DecodePlan(frame),
                                                  .frame_bytes = frame.size(),
                                                  .bytes = cuda::DeviceBuffer(frame)});
  }

  void decode(const Point& point) {
    DeviceFrame& frame = frames_.at(frame_key(point));
    point.stage->decode.at(stage::Executor::gpu)({.frame = frame.plan.frame_at(frame.bytes.data()),
                                                  .output = output_.data(),
                                                  .status = reinterpret_cast<std::uint32_t*>(status_.data()),
                                                  .parameters = point.parameters,
                                                  .stream = nullptr});
  }

  void verify(std::size_t index) {
    const Point& point = points_[index];
    poison_on_device(output_.data(), expected_.data(), expected_.size());
    decode(point);
    const std::uint64_t differences = count_differences(output_.data(), expected_.data(), expected_.size());
    if (differences != 0) {
      throw MismatchError(point.stage->description.id + ": " + std::to_string(differences) +
                          " bytes differ from the text");
    }
  }

  nlohmann::ordered_json make_rows(const std::vector<std::vector<double>>& seconds) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    std::map<FrameKey, StreamingLimit> limits;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      const DeviceFrame& frame = frames_.at(frame_key(point));
      if (!limits.contains(frame_key(point))) {
        limits[frame_key(point)] = measure_streaming_limit(frame.bytes.data(), frame.frame_bytes,
                                                           output_.data(), output_.size(), limit_repetitions);
      }
      const StreamingLimit& limit = limits.at(frame_key(point));
      nlohmann::ordered_json parameters = point.parameters;
      parameters["blocks"] = frame.plan.block_count();
      parameters["splits"] = point.splits;
      nlohmann::ordered_json row = row_to_json({.stage = point.stage->description.id,
                                                .variant = "",
                                                .parameters = parameters,
                                                .uncompressed_bytes = expected_.size(),
                                                .compressed_bytes = frame.frame_bytes,
                                                .seconds = summarize(seconds[i])},
                                               dataset_);
      row["streaming_limit_gb_per_s"] = gigabytes_per_second(expected_.size(), limit.seconds);
      row["streaming_limit_moved_gb_per_s"] =
          static_cast<double>(expected_.size() + frame.frame_bytes) / limit.seconds * 1e-9;
      row["copy_moved_gb_per_s"] = limit.copy_bytes_per_second * 1e-9;
      rows.push_back(row);
    }
    return rows;
  }

  static constexpr unsigned limit_repetitions = 5;
  static constexpr std::size_t most_blocks = std::size_t{1} << 20;

  std::vector<Point> points_;
  Dataset dataset_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer status_;
  std::map<FrameKey, DeviceFrame> frames_;
  EventTimer timer_;
};

int run(int argc, char** argv) {
  CLI::App app("Measures decoder stages on a GPU; every row is verified byte for byte before and after.");
  std::filesystem::path input;
  std::filesystem::path points;
  std::filesystem::path output;
  Dataset dataset;
  unsigned repetitions = 10;
  app.add_option("--input", input, "File to measure with")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")->required();
  app.add_option("--points", points, "JSON list of {stage, parameters, blocks, splits}")->required();
  app.add_option("--repetitions", repetitions, "Times that each point is timed")
      ->check(CLI::Range(1u, 10000u));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  CLI11_PARSE(app, argc, argv);

  const std::vector<std::uint8_t> bytes = read_input_file(input);
  Measurement measurement(read_points(points), bytes, dataset);
  const nlohmann::ordered_json rows = measurement.run(repetitions);
  std::ofstream file(output);
  file << rows.dump(2) << "\n";
  file.close();
  if (!file) throw InputError("cannot write " + output.string());
  for (const auto& row : rows) {
    std::cout << row["stage"].get<std::string>() << ' ' << row["parameters"].dump() << ": ratio "
              << row["ratio"].get<double>() << ", " << row["throughput_gb_per_s"].get<double>()
              << " GB/s, limit " << row["streaming_limit_gb_per_s"].get<double>() << ", moved "
              << row["streaming_limit_moved_gb_per_s"].get<double>() << " of "
              << row["copy_moved_gb_per_s"].get<double>() << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_stages: " << error.what() << std::endl;
    return 1;
  }
}
