#include "experiments/measure_command/command_measurement.hpp"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/default_stages.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure_command/spawned_command.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// For all rounds of a point; texts that take longer have the least number of rounds.
constexpr double most_round_seconds = 15;
constexpr unsigned least_rounds = 3;

fs::path new_folder(const fs::path& in) {
  std::string pattern = in / "gsst_measure_command_XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "a folder in " + in.string());
  }
  return pattern;
}

std::string device_name(stage::Executor executor) {
  return std::string(stage::executor_name(executor));
}

double seconds_taken_by(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The folder, if it has room for a text, its compressed bytes and what they are decompressed to.
const fs::path& with_room(const fs::path& folder, std::size_t text_bytes) {
  const std::uintmax_t wanted = 3 * std::uintmax_t{text_bytes};
  const std::uintmax_t available = fs::space(folder).available;
  if (available >= wanted) return folder;
  throw InputError(folder.string() + " has room for " + std::to_string(available) + " bytes; " +
                   std::to_string(wanted) + " are needed");
}

// GB/s of the fastest of some copies: others wait for memory that is used for the first time.
Json link_of(stage::Executor executor) {
  constexpr std::uint64_t copied_bytes = std::uint64_t{256} << 20;
  constexpr unsigned copies = 10;
  const auto host = pipeline::Buffer::on_host(executor, copied_bytes);
  const auto device = pipeline::Buffer::on_device(executor, copied_bytes);
  pipeline::Queue queue(executor);
  const auto rate = [&](std::uint8_t* to, std::span<const std::uint8_t> from) {
    std::vector<double> seconds;
    seconds.reserve(copies);
    for (unsigned i = 0; i < copies; ++i) {
      seconds.push_back(seconds_taken_by([&] {
        queue.copy(to, from);
        queue.wait();
      }));
    }
    return gigabytes_per_second(copied_bytes, std::ranges::min(seconds));
  };
  std::ranges::fill(host.bytes(), std::uint8_t{1});
  const double up = rate(device.data(), host.bytes());
  return {{"up", up}, {"down", rate(host.data(), device.bytes())}};
}

}  // namespace

struct CommandMeasurement::Way {
  // Of the row.
  std::string variant;
  std::string device;
  // Devices that the command finds; 0 for the CPU.
  std::size_t devices;
  std::vector<std::string> command;
  bool writes_a_file;
  bool writes_to_a_pipe;
  // What verifies the file: the command that decompresses it, empty where it is the text itself.
  std::vector<std::string> back;

  // What it writes can be compared. Others only end with status 0, in every repetition.
  bool writes() const { return writes_a_file || writes_to_a_pipe; }
};

CommandMeasurement::CommandMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                       unsigned repetitions, const CommandTools& tools)
    : text_(text),
      dataset_(std::move(dataset)),
      repetitions_(repetitions),
      tools_(tools),
      folder_(new_folder(with_room(tools.folder, text.size()))),
      link_(link_of(tools.executor)) {
  std::ofstream file(text_file(), std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.write(reinterpret_cast<const char*>(text.data()), static_cast<std::streamsize>(text.size()));
  file.close();
}

CommandMeasurement::~CommandMeasurement() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::vector<std::string> CommandMeasurement::gsst(const std::string& device,
                                                  std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {tools_.command.string(), "--quiet", "--device", device});
  return arguments;
}

std::vector<std::string> CommandMeasurement::with_one_device(std::vector<std::string> command) const {
  // Where there is one, nothing runs in front of the command.
  if (tools_.devices > 1) {
    command.insert(command.begin(), {"env", "CUDA_VISIBLE_DEVICES=" + tools_.first_device});
  }
  return command;
}

std::vector<std::string> CommandMeasurement::compress(const Point& point, const std::string& device,
                                                      const fs::path& output) const {
  std::vector<std::string> arguments = {"--format",
                                        std::string(format::block_format_name(point.input.format)),
                                        "--block-size", std::to_string(point.input.block_bytes)};
  for (const auto& [name, value] : point.input.options) {
    std::string option = "--" + name;
    std::ranges::replace(option, '_', '-');
    arguments.insert(arguments.end(), {option, std::to_string(value)});
  }
  arguments.insert(arguments.end(), {text_file(), "-o", output});
  return gsst(device, std::move(arguments));
}

std::vector<CommandMeasurement::Way> CommandMeasurement::ways_to_encode(const Point& point) const {
  std::vector<Way> ways;
  for (const std::string& device : {device_name(tools_.executor), std::string("cpu")}) {
    ways.push_back({.variant = "compress",
                    .device = device,
                    // However many there are, it takes the first.
                    .devices = device == "cpu" ? 0U : 1U,
                    .command = compress(point, device, output_file()),
                    .writes_a_file = true,
                    .writes_to_a_pipe = false,
                    .back = gsst("cpu", {"-dc", output_file()})});
  }
  return ways;
}

std::vector<CommandMeasurement::Way> CommandMeasurement::ways_to_decode_on(const std::string& device) const {
  std::vector<Way> ways;
  const auto add = [&](const char* variant, std::vector<std::string> arguments, bool to_file, bool to_pipe) {
    ways.push_back({.variant = variant,
                    .device = device,
                    .devices = device == "cpu" ? 0 : tools_.devices,
                    .command = gsst(device, std::move(arguments)),
                    .writes_a_file = to_file,
                    .writes_to_a_pipe = to_pipe,
                    .back = {}});
  };
  const std::string file = compressed_file();
  add("test", {"-t", file}, false, false);
  add("to a file", {"-d", file, "-o", output_file()}, true, false);
  add("to a pipe", {"-dc", file}, false, true);
  add("to /dev/null", {"-dc", file}, false, false);
  return ways;
}

std::vector<CommandMeasurement::Way> CommandMeasurement::ways_to_decode() const {
  const std::string device = device_name(tools_.executor);
  std::vector<Way> ways = ways_to_decode_on(device);
  for (Way& way : ways) {
    way.devices = 1;
    way.command = with_one_device(way.command);
  }
  if (tools_.devices > 1) {
    for (Way& way : ways_to_decode_on(device)) {
      way.device = "all " + device + "s";
      ways.push_back(std::move(way));
    }
  }
  std::ranges::move(ways_to_decode_on("cpu"), std::back_inserter(ways));
  return ways;
}

void CommandMeasurement::compare_with_text(const fs::path& file, const std::string& way) const {
  // By all processors: one alone takes longer for a long text than the command.
  constexpr std::size_t piece_bytes = std::size_t{8} << 20;
  std::error_code no_file;
  std::atomic<bool> is_same = fs::file_size(file, no_file) == text_.size();
  const std::size_t pieces = is_same ? format::part_size(text_.size(), piece_bytes) : 0;
  reference::parallel_for(pieces, reference::thread_count(0), [&](std::size_t number) {
    const auto expected =
        text_.subspan(number * piece_bytes, std::min(piece_bytes, text_.size() - number * piece_bytes));
    std::vector<char> bytes(expected.size());
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(number * piece_bytes));
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream || std::memcmp(bytes.data(), expected.data(), expected.size()) != 0) is_same = false;
  });
  if (!is_same) throw MismatchError(way + ": writes other bytes than the text's");
}

void CommandMeasurement::verify(const Way& way) const {
  const std::string name = way.variant + ", " + way.device;
  fs::remove(output_file());
  std::size_t position = 0;
  bool is_same = true;
  const TakeBytes compare = [&](std::span<const std::uint8_t> bytes) {
    is_same = is_same && bytes.size() <= text_.size() - position &&
              std::ranges::equal(bytes, text_.subspan(position, bytes.size()));
    position += bytes.size();
  };
  seconds_of_command(way.command, way.writes_to_a_pipe ? compare : TakeBytes());
  if (!way.back.empty()) seconds_of_command(way.back, compare);
  if (way.writes_to_a_pipe || !way.back.empty()) {
    if (!is_same || position != text_.size()) throw MismatchError(name + ": other bytes than the text's");
  } else if (way.writes_a_file) {
    compare_with_text(output_file(), name);
  }
}

void CommandMeasurement::verify_all(std::span<const Way> ways) const {
  for (const Way& way : ways) {
    if (way.writes()) verify(way);
  }
}

std::vector<Json> CommandMeasurement::measure(const Point& point) {
  const stage::Operation operation = point.stage->description.operation;
  const bool encodes = operation == stage::Operation::encode;
  const stage::RegisteredStage* const used =
      stage::default_stage(point.input.format, operation, tools_.executor);
  if (used != point.stage) {
    throw InputError("stage " + point.id + " is not the one that the command takes" +
                     (used == nullptr ? "" : ", but " + used->description.id));
  }
  fs::remove(compressed_file());
  seconds_of_command(compress(point, device_name(tools_.executor), compressed_file()));
  const std::vector<Way> ways = encodes ? ways_to_encode(point) : ways_to_decode();
  const TakeBytes read_only = [](std::span<const std::uint8_t> /*bytes*/) {};
  std::vector<TimedWork> works;
  works.reserve(ways.size() + 1);
  for (const Way& way : ways) {
    works.push_back({.name = way.variant + ", " + way.device, .seconds = [&] {
                       if (way.writes_a_file) fs::remove(output_file());
                       return seconds_of_command(way.command, way.writes_to_a_pipe ? read_only : TakeBytes());
                     }});
  }
  if (!encodes) {
    works.push_back({.name = "cp", .seconds = [&] {
                       fs::remove(output_file());
                       return seconds_of_command({"cp", text_file(), output_file()});
                     }});
  }
  // About as long as a round.
  const double round_seconds = seconds_taken_by([&] { verify_all(ways); });
  const unsigned repetitions =
      std::clamp(static_cast<unsigned>(std::min(most_round_seconds / round_seconds, 1e6)),
                 std::min(least_rounds, repetitions_), repetitions_);
  std::vector<std::vector<double>> seconds;
  const Json clocks = tools_.clocks_during([&] { seconds = time_interleaved(works, repetitions); });
  verify_all(ways);

  Json parameters = {{"block_bytes", point.input.block_bytes}};
  for (const auto& [name, value] : point.input.options) parameters[name] = value;
  std::vector<Json> rows;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Json row = row_to_json({.stage = point.id,
                            .variant = ways[i].variant,
                            .parameters = parameters,
                            .uncompressed_bytes = text_.size(),
                            .compressed_bytes = fs::file_size(compressed_file()),
                            .seconds = summarize(seconds[i])},
                           dataset_);
    row["operation"] = encodes ? "encode" : "decode";
    row["end_to_end"] = true;
    row["device"] = ways[i].device;
    if (ways[i].devices != 0) row["devices"] = ways[i].devices;
    row["format"] = format::block_format_name(point.input.format);
    if (!encodes) {
      const SecondsSummary cp = summarize(seconds.back());
      row["cp_seconds"] = {{"median", cp.median}, {"min", cp.min}, {"max", cp.max}};
    }
    row["link_gb_per_s"] = link_;
    row["clocks"] = clocks;
    row.update(point.row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gsst::experiments
