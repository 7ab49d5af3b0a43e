#include "experiments/measure_overlap/overlap_measurement.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "common/pipeline/decode_to_device.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure_overlap/paced_interconnect.hpp"
#include "experiments/measure_overlap/resident_frame.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

pipeline::Buffer make_frame(const Point& point, std::span<const std::uint8_t> text,
                            stage::Executor executor) {
  const std::vector<std::uint8_t> frame = make_frame(point.input, text);
  pipeline::Buffer page_locked = pipeline::Buffer::on_host(executor, frame.size());
  std::copy(frame.begin(), frame.end(), page_locked.data());
  return page_locked;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One number of batches.
struct Cut {
  Cut(const pipeline::StageRun& run, std::span<const std::uint8_t> frame, std::uint64_t batch_count)
      : decoder(run, frame, batch_count),
        first_batch(run, frame_of(decoder.batches().front(), format::parse_frame_header(frame))) {}

  pipeline::DeviceDecoder decoder;
  ResidentFrame first_batch;
};

// The time from the start of the transfer to the last decoded byte.
double ingest(pipeline::DeviceDecoder& decoder, std::uint8_t* output, std::optional<double> interconnect) {
  if (!interconnect) return seconds_of([&] { decoder.decode(output); });
  PacedInterconnect paced(*interconnect);
  return seconds_of([&] {
    paced.start();
    decoder.decode(output, [&paced](std::uint64_t bytes) { paced.hold_back(bytes); });
  });
}

// The blocks of a frame, transferred with nothing else.
class LoneTransfer {
public:
  LoneTransfer(std::span<const std::uint8_t> bytes, stage::Executor executor)
      : bytes_(bytes), to_(pipeline::Buffer::on_device(executor, bytes.size())), queue_(executor) {}

  double seconds(std::optional<double> interconnect) {
    PacedInterconnect paced(interconnect.value_or(1));
    std::function<void()> arrived = [&] { paced.hold_back(bytes_.size()); };
    return seconds_of([&] {
      paced.start();
      queue_.copy(to_.data(), bytes_);
      if (interconnect) queue_.call(arrived);
      queue_.wait();
    });
  }

private:
  std::span<const std::uint8_t> bytes_;
  pipeline::Buffer to_;
  pipeline::Queue queue_;
};

// Blocks and records, which is what batches transfer.
std::span<const std::uint8_t> blocks_of(std::span<const std::uint8_t> frame) {
  const format::FrameIndex index = format::parse_frame(frame).index;
  const format::IndexEntry& last = index.entries.back();
  return frame.subspan(format::frame_header_bytes,
                       last.payload_offset + last.record.payload_bytes - format::frame_header_bytes);
}

Json make_row(const Point& point, std::span<const std::uint8_t> frame, const pipeline::DeviceDecoder& decoder,
              std::span<const double> seconds, const Dataset& dataset) {
  const std::size_t batches = decoder.batches().size();
  const pipeline::Batch& last = decoder.batches().back();
  const std::size_t last_blocks = last.index.entries.size();
  Json row = row_to_json({.stage = point.id,
                          .variant = point.variant,
                          .parameters = decode_parameters(point, last.first_block + last_blocks,
                                                          format::parse_frame_header(frame).split_count),
                          .uncompressed_bytes = decoder.uncompressed_bytes(),
                          .compressed_bytes = frame.size(),
                          .seconds = summarize(seconds)},
                         dataset);
  row["end_to_end"] = true;
  row["batches"] = batches;
  row["blocks_per_batch"] = decoder.batches().front().index.entries.size();
  row["last_batch_blocks"] = last_blocks;
  return row;
}

double median_throughput(std::uint64_t bytes, std::span<const double> seconds) {
  return gigabytes_per_second(bytes, summarize(seconds).median);
}

}  // namespace

OverlapMeasurement::OverlapMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                       unsigned repetitions, const ExecutorTools& tools)
    : text_(text),
      dataset_(std::move(dataset)),
      repetitions_(repetitions),
      tools_(tools),
      expected_(pipeline::Buffer::on_device(tools.executor, text.size())),
      output_(pipeline::Buffer::on_device(tools.executor, text.size())) {
  pipeline::Queue queue(tools.executor);
  queue.copy(expected_.data(), text);
  queue.wait();
}

std::vector<Json> OverlapMeasurement::measure(const Point& point, const OverlapGrid& grid) {
  const pipeline::StageRun run{
      .stage = point.stage, .executor = tools_.executor, .parameters = point.parameters};
  const pipeline::Buffer frame = make_frame(point, text_, tools_.executor);
  ResidentFrame resident(run, frame.bytes());
  const std::span<const std::uint8_t> blocks = blocks_of(frame.bytes());
  LoneTransfer transfer(blocks, tools_.executor);
  pipeline::Queue queue(tools_.executor);
  std::vector<std::unique_ptr<Cut>> cuts;
  for (const std::uint64_t batches : grid.batches) {
    cuts.push_back(std::make_unique<Cut>(run, frame.bytes(), batches));
  }

  const auto verify = [&] {
    for (const auto& cut : cuts) {
      tools_.poison(output_.data(), expected_.data(), expected_.size());
      cut->decoder.decode(output_.data());
      const std::uint64_t differences =
          tools_.count_differences(output_.data(), expected_.data(), expected_.size());
      if (differences == 0) continue;
      throw MismatchError(point_to_json(point).dump() + " in " +
                          std::to_string(cut->decoder.batches().size()) +
                          " batches: " + std::to_string(differences) + " bytes differ from the text");
    }
  };
  const auto decode_alone = [&](ResidentFrame& resident_frame) {
    return tools_.seconds(queue, [&] { resident_frame.decode(output_.data(), queue); });
  };

  // One after the other in this order: all decoded, then each transfer, each first batch, each combination.
  std::vector<TimedWork> works;
  works.push_back({.name = "decode", .seconds = [&] { return decode_alone(resident); }});
  for (const auto& interconnect : grid.interconnects) {
    works.push_back({.name = "transfer", .seconds = [&] { return transfer.seconds(interconnect); }});
  }
  for (const auto& cut : cuts) {
    works.push_back({.name = "batch", .seconds = [&] { return decode_alone(cut->first_batch); }});
  }
  for (const auto& cut : cuts) {
    for (const auto& interconnect : grid.interconnects) {
      works.push_back(
          {.name = "ingest", .seconds = [&] { return ingest(cut->decoder, output_.data(), interconnect); }});
    }
  }

  verify();
  std::vector<std::vector<double>> seconds;
  const Json clocks = tools_.clocks_during([&] { seconds = time_interleaved(works, repetitions_); });
  verify();

  const auto transfers = std::span(seconds).subspan(1, grid.interconnects.size());
  const auto first_batches = std::span(seconds).subspan(1 + transfers.size(), cuts.size());
  const auto ingestions = std::span(seconds).subspan(1 + transfers.size() + cuts.size());
  std::vector<Json> rows;
  for (std::size_t i = 0; i < ingestions.size(); ++i) {
    const std::size_t cut = i / transfers.size();
    const std::size_t link = i % transfers.size();
    const std::optional<double>& interconnect = grid.interconnects[link];
    Json row = make_row(point, frame.bytes(), cuts[cut]->decoder, ingestions[i], dataset_);
    row["full_wave_blocks"] = tools_.full_wave(format::parse_frame_header(frame.bytes()).split_count);
    row["interconnect_gb_per_s"] = interconnect ? Json(*interconnect) : Json(nullptr);
    row["transfer_gb_per_s"] = median_throughput(blocks.size(), transfers[link]);
    row["decode_gb_per_s"] = median_throughput(text_.size(), seconds.front());
    row["batch_decode_gb_per_s"] =
        median_throughput(cuts[cut]->first_batch.uncompressed_bytes(), first_batches[cut]);
    row["clocks"] = clocks;
    row.update(point.row);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace gsst::experiments
