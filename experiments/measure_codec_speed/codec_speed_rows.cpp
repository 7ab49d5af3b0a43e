#include "experiments/measure_codec_speed/codec_speed_rows.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "common/format/stream.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "experiments/measure_cpu_stages/memory_copy.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr double codec_seconds_limit = 10;
constexpr std::size_t least_codec_repetitions = 3;

double codec_seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Decodes into memory that is there.
void decode_into(const reference::Codec& codec, std::span<const std::uint8_t> file,
                 std::span<std::uint8_t> output, unsigned threads) {
  std::size_t written = 0;
  const auto write = [&](std::span<const std::uint8_t> bytes) {
    if (bytes.size() > output.size() - written) throw MismatchError("more bytes were decoded than encoded");
    std::ranges::copy(bytes, output.begin() + static_cast<std::ptrdiff_t>(written));
    written += bytes.size();
  };
  codec.decode(format::reader_of(file), write, threads, {});
  if (written != output.size()) throw MismatchError("fewer bytes were decoded than encoded");
}

// One direction of the codec.
struct Direction {
  const char* operation;
  SecondsSummary seconds;
};

// The file is kept in memory that was written before, so that no repetition pays for new pages.
Direction time_encoding(const reference::Codec& codec, std::span<const std::uint8_t> input, Bytes& file,
                        const reference::EncodeSettings& settings, const Repetitions& repetitions) {
  const auto encode = [&] {
    file.clear();
    codec.encode(format::reader_of(input), format::writer_to(file), settings, {});
  };
  std::vector<double> seconds(repetitions.count(codec_seconds_of(encode)));
  for (double& repetition : seconds) repetition = codec_seconds_of(encode);
  return {.operation = "encode", .seconds = summarize(seconds)};
}

double memcpy_gb_per_s(std::span<const std::uint8_t> input, std::span<std::uint8_t> output, unsigned threads,
                       std::size_t repetitions) {
  std::vector<double> seconds(repetitions);
  for (double& repetition : seconds) {
    repetition = codec_seconds_of([&] { copy_memory(input, output, threads); });
  }
  return gigabytes_per_second(input.size(), summarize(seconds).median);
}

const reference::Codec& measured_codec(const std::string& name) {
  const std::optional<format::BlockFormat> found = format::block_format_from_name(name);
  if (!found) throw InputError("--format: there is no format '" + name + "'");
  return reference::codec_of(*found);
}

}  // namespace

std::vector<nlohmann::ordered_json> codec_speed_rows(const reference::Codec& codec,
                                                     std::span<const std::uint8_t> input,
                                                     const CodecSpeed& speed, const Dataset& dataset) {
  const reference::EncodeSettings settings = {.block_bytes = speed.block_bytes, .threads = speed.threads};
  const Repetitions repetitions = {
      .wanted = speed.repetitions, .seconds_limit = codec_seconds_limit, .minimum = least_codec_repetitions};
  const std::string name =
      "format " + std::string(codec.name()) + " with " + std::to_string(speed.threads) + " threads";
  Bytes output(input.size());
  const auto decode = [&](const Bytes& file) { decode_into(codec, file, output, speed.threads); };
  const auto check = [&](const Bytes& file, const std::string& when) {
    poison(output, input);
    decode(file);
    verify(output, input, name + ", " + when);
  };

  Bytes file = reference::encode_file(codec, input, settings);
  check(file, "before timing");
  const Direction encoding = time_encoding(codec, input, file, settings, repetitions);
  check(file, "after the timing of encoding");
  const Direction decoding = {
      .operation = "decode",
      .seconds =
          time_verified([&](std::span<std::uint8_t> to) { decode_into(codec, file, to, speed.threads); },
                        input, repetitions, name)};
  const double copied = memcpy_gb_per_s(input, output, speed.threads, speed.repetitions);

  std::vector<nlohmann::ordered_json> rows;
  for (const Direction& direction : {encoding, decoding}) {
    nlohmann::ordered_json row =
        row_to_json({.stage = "reference_cpu/codec",
                     .variant = std::string(codec.name()),
                     .parameters = {{"block_bytes", speed.block_bytes}, {"threads", speed.threads}},
                     .uncompressed_bytes = input.size(),
                     .compressed_bytes = file.size(),
                     .seconds = direction.seconds},
                    dataset);
    row["operation"] = direction.operation;
    row["memcpy_gb_per_s"] = copied;
    rows.push_back(row);
  }
  return rows;
}

std::vector<StudiedWork> codec_speed_works(const CodecSpeedOptions& options, const Dataset& dataset) {
  const reference::Codec& codec = measured_codec(options.format);
  if (options.block_bytes > codec.traits().max_block_bytes) {
    throw InputError("--block-bytes " + std::to_string(options.block_bytes) + ": format " + options.format +
                     " has blocks of at most " + std::to_string(codec.traits().max_block_bytes) + " bytes");
  }
  const auto input = std::make_shared<const Bytes>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  for (const unsigned threads : options.threads) {
    const CodecSpeed speed = {
        .block_bytes = options.block_bytes, .threads = threads, .repetitions = options.repetitions};
    works.push_back(
        {.key = {{"format", options.format}, {"block_bytes", options.block_bytes}, {"threads", threads}},
         .measure = [&codec, input, speed, dataset] {
           return codec_speed_rows(codec, *input, speed, dataset);
         }});
  }
  return works;
}

}  // namespace gsst::experiments
