#include "experiments/measure_cpu_stages/stage_works.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure_cpu_stages/bare_file.hpp"
#include "experiments/measure_cpu_stages/memory_copy.hpp"
#include "experiments/measure_cpu_stages/plan_execution.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Json = nlohmann::ordered_json;
using stage::Operation;

// The input, and the last file that the codec has made of it.
class MeasuredInput {
public:
  explicit MeasuredInput(const std::filesystem::path& path) : bytes_(read_input_file(path)) {}

  const Bytes& bytes() const { return bytes_; }

  const Bytes& file_of(const Input& input) {
    if (made_of_ != input) {
      file_ = Bytes();
      file_ = make_frame(input, bytes_);
      made_of_ = input;
    }
    return file_;
  }

private:
  Bytes bytes_;
  Bytes file_ = {};
  std::optional<Input> made_of_ = std::nullopt;
};

struct Times {
  std::vector<double> stage = {};
  std::vector<double> copy = {};
  /// Empty for a stage with one thread.
  std::vector<double> parallel_copy = {};
};

// A stage that is ready to run. What it reads lies where it lies as long as the object.
class StageExecution {
public:
  StageExecution(const StagePoint& measured, const Bytes& input, const Bytes& file) {
    const Point& point = measured.point;
    if (measured.operation == Operation::encode) {
      const std::vector<std::span<const std::uint8_t>> inputs = {input};
      execution_.emplace(
          point.stage->encode.at(stage::Executor::cpu)->plan_of(input_to_encode(point, input.size())), inputs,
          file);
      return;
    }
    stage::DecodeSubject subject = subject_of(point.input, input, file);
    subject.parameters = point.parameters;
    const std::vector<std::span<const std::uint8_t>> inputs = {file, bare_index_};
    execution_.emplace(point.stage->decode.at(stage::Executor::cpu).make(subject), inputs, input);
  }

  PlanExecution& operator*() { return *execution_; }
  PlanExecution* operator->() { return &*execution_; }

private:
  stage::DecodeSubject subject_of(const Input& how, const Bytes& input, const Bytes& file) {
    if (how.format != format::zero_length::bare_format) return {.frame = stage::frame_shape(file)};
    BareFile bare = read_bare_file(file, how.block_bytes, input.size());
    bare_index_ = std::move(bare.index);
    return bare.subject;
  }

  Bytes bare_index_ = {};
  std::optional<PlanExecution> execution_ = std::nullopt;
};

double elapsed_seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The value of a parameter that the stage may not have.
std::optional<std::int64_t> parameter_of(const Point& point, const std::string& name) {
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    if (parameter.name == name) return parameter_value(point.stage->description, point.parameters, name);
  }
  return std::nullopt;
}

// A stage without the parameter has one thread.
unsigned threads_of(const Point& point) {
  return reference::thread_count(static_cast<unsigned>(parameter_of(point, "threads").value_or(1)));
}

// Bytes at a time: the most of the processor where the stage chooses, and 1 for a stage without the
// parameter.
std::int64_t vector_bytes_of(const Point& point) {
  constexpr const char* name = "vector_bytes";
  const std::int64_t bytes = parameter_of(point, name).value_or(1);
  if (bytes != 0) return bytes;
  const auto& parameters = point.stage->description.parameters;
  return std::ranges::max(std::ranges::find(parameters, name, &stage::Parameter::name)->values);
}

Times time_in_turn(PlanExecution& execution, std::span<const std::uint8_t> input, unsigned threads,
                   std::size_t repetitions) {
  // Not the output: a copy of the input there could pass for what a decoder has written.
  HostBuffer copy(input.size());
  Times times;
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
    times.copy.push_back(elapsed_seconds([&] { copy_memory(input, copy.bytes(), 1); }));
    if (threads > 1) {
      times.parallel_copy.push_back(elapsed_seconds([&] { copy_memory(input, copy.bytes(), threads); }));
    }
    times.stage.push_back(elapsed_seconds([&] { execution.run(); }));
  }
  return times;
}

Json parameters_of(const StagePoint& measured) {
  const Point& point = measured.point;
  Json parameters = {{"block_bytes", point.input.block_bytes}};
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    parameters[parameter.name] = parameter_value(point.stage->description, point.parameters, parameter.name);
  }
  return parameters;
}

std::string name_of(const StagePoint& measured) {
  return measured.point.id + " " + std::string(stage::operation_name(measured.operation)) + " " +
         parameters_of(measured).dump();
}

Json measure_point(const StagePoint& measured, MeasuredInput& data, std::size_t repetitions,
                   const Dataset& dataset) {
  const Point& point = measured.point;
  const Bytes& input = data.bytes();
  const Bytes& file = data.file_of(point.input);
  StageExecution execution(measured, input, file);
  execution->poison();
  execution->run();
  execution->verify(name_of(measured) + ", before timing");

  execution->poison();
  const unsigned threads = threads_of(point);
  const Times times = time_in_turn(*execution, input, threads, repetitions);
  execution->verify(name_of(measured) + ", after timing");

  const double copy = gigabytes_per_second(input.size(), summarize(times.copy).median);
  Json row = row_to_json({.stage = measured.stage_id(),
                          .variant = point.variant,
                          .parameters = parameters_of(measured),
                          .uncompressed_bytes = input.size(),
                          .compressed_bytes = file.size(),
                          .seconds = summarize(times.stage)},
                         dataset);
  row["operation"] = stage::operation_name(measured.operation);
  row["format"] = format::block_format_name(point.input.format);
  row["threads"] = threads;
  row["processors"] = reference::thread_count(0);
  row["vector_bytes"] = vector_bytes_of(point);
  row["compiler_vectorisation"] = measured.is_vectorised_by_compiler();
  row["from_dram"] = input.size() >= least_bytes_from_dram;
  row["memcpy_gb_per_s"] = copy;
  row["parallel_memcpy_gb_per_s"] =
      threads > 1 ? gigabytes_per_second(input.size(), summarize(times.parallel_copy).median) : copy;
  row.update(point.row);
  return row;
}

}  // namespace

std::vector<StudiedWork> stage_works(const StageOptions& options, std::span<const StagePoint> points,
                                     const Dataset& dataset) {
  const auto data = std::make_shared<MeasuredInput>(options.input);
  std::vector<StudiedWork> works;
  for (const StagePoint& point : points) {
    works.push_back({.key = {{"operation", stage::operation_name(point.operation)},
                             {"format", format::block_format_name(point.point.input.format)},
                             {"point", point_to_json(point.point)}},
                     .measure = [=, repetitions = options.repetitions] {
                       return std::vector{measure_point(point, *data, repetitions, dataset)};
                     }});
  }
  return works;
}

}  // namespace gsst::experiments
