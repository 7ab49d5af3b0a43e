#include "experiments/measure_pipeline/pipeline_measurement.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "common/format/part_size.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/kernels_on.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure_pipeline/two_way_copy.hpp"
#include "stages/zero_length/shared/host_to_host.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

double time_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const zero_length::HostToHost& functions_of(const Point& point, stage::Executor executor) {
  const auto& functions = stage::KernelsOn<zero_length::HostToHost>::get(executor);
  if (functions.stage == point.id) return functions;
  throw InputError("stage " + point.id + " does not go from host memory to host memory, " +
                   std::string(functions.stage) + " does");
}

// What a work has to write is in none of these bytes before.
void write_others(std::span<std::uint8_t> output, std::span<const std::uint8_t> expected) {
  std::ranges::transform(expected, output.begin(), std::bit_not<>());
}

void check_bytes(const Point& point, const char* operation, std::span<const std::uint8_t> output,
                 std::span<const std::uint8_t> expected) {
  if (std::ranges::equal(output, expected)) return;
  throw MismatchError(point_to_json(point).dump() + ": " + operation + " writes " +
                      std::to_string(output.size()) + " bytes that are not the " +
                      std::to_string(expected.size()) + " expected");
}

}  // namespace

PipelineMeasurement::PipelineMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                         unsigned repetitions, const PipelineTools& tools)
    : text_(text),
      dataset_(std::move(dataset)),
      repetitions_(repetitions),
      tools_(tools),
      input_(pipeline::Buffer::on_host(tools.executor, text.size())),
      file_(pipeline::Buffer::on_host(tools.executor, 0)),
      output_(pipeline::Buffer::on_host(tools.executor, 0)) {
  std::ranges::copy(text, input_.data());
}

void PipelineMeasurement::make_expected(std::uint64_t block_bytes) {
  if (block_bytes_ == block_bytes) return;
  const Input bare = {.format = format::zero_length::bare_format, .block_bytes = block_bytes};
  expected_ = make_frame(bare, text_);
  block_bytes_ = block_bytes;
  if (file_.size() < expected_.size()) file_ = pipeline::Buffer::on_host(tools_.executor, expected_.size());
  const std::size_t most = std::max(expected_.size(), text_.size());
  if (output_.size() < most) output_ = pipeline::Buffer::on_host(tools_.executor, most);
}

std::vector<Json> PipelineMeasurement::measure(const Point& point) {
  const zero_length::HostToHost& functions = functions_of(point, tools_.executor);
  make_expected(point.input.block_bytes);
  const zero_length::BatchShape shape = functions.shape(point.input.block_bytes, point.parameters);
  const std::unique_ptr<zero_length::HostEncoder> encoder = functions.make_encoder(shape);
  const std::unique_ptr<zero_length::HostDecoder> decoder = functions.make_decoder(shape);
  const std::uint64_t batches = format::part_size(text_.size(), shape.batch_bytes());
  const std::span<std::uint8_t> file = file_.bytes().first(expected_.size());
  const std::span<std::uint8_t> output = output_.bytes().first(text_.size());
  TwoWayCopy copy(tools_.executor, format::part_size(std::max(text_.size(), expected_.size()), batches));

  const auto verify = [&] {
    write_others(file, expected_);
    check_bytes(point, "encode", file.first(encoder->encode(input_.bytes(), file)), expected_);
    write_others(output, text_);
    check_bytes(point, "decode", output.first(decoder->decode(file, output)), text_);
  };
  // Copies leave the file as it is, which is decoded in between.
  const std::vector<TimedWork> works = {
      {.name = "encode", .seconds = [&] { return time_of([&] { encoder->encode(input_.bytes(), file); }); }},
      {.name = "copies of encoding",
       .seconds = [&] { return copy.seconds(input_.bytes(), output_.bytes().first(file.size()), batches); }},
      {.name = "decode", .seconds = [&] { return time_of([&] { decoder->decode(file, output); }); }},
      {.name = "copies of decoding", .seconds = [&] { return copy.seconds(file, output, batches); }}};
  verify();
  std::vector<std::vector<double>> seconds;
  const Json clocks = tools_.clocks_during([&] { seconds = time_interleaved(works, repetitions_); });
  verify();

  const auto make_row = [&](const char* operation, std::size_t work, std::uint64_t device_bytes) {
    Json row = row_to_json({.stage = point.id,
                            .variant = point.variant,
                            .parameters = encode_parameters(point),
                            .uncompressed_bytes = text_.size(),
                            .compressed_bytes = expected_.size(),
                            .seconds = summarize(seconds[work])},
                           dataset_);
    row["operation"] = operation;
    row["end_to_end"] = true;
    row["batch_bytes"] = shape.batch_bytes();
    row["batches"] = batches;
    row["device_bytes"] = device_bytes;
    row["two_way_copy_gb_per_s"] = gigabytes_per_second(text_.size(), summarize(seconds[work + 1]).median);
    row["clocks"] = clocks;
    row.update(point.row);
    return row;
  };
  return {make_row("encode", 0, encoder->memory_bytes()), make_row("decode", 2, decoder->memory_bytes())};
}

}  // namespace gsst::experiments
