#include "experiments/measure_peers/peer_rows.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <random>
#include <string>

#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

constexpr double seconds_of_all_repetitions = 1;
constexpr std::size_t least_repetitions_of_peers = 1;
// The order of one round differs from that of another, and is the same in every run.
constexpr std::uint32_t seed_of_order = 1;

double wall_seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One direction of a codec.
struct TimedDirection {
  MemoryCodec* codec;
  const char* operation;
  std::function<double()> seconds_once;
  std::size_t wanted = 0;
  std::vector<double> seconds = {};
};

// Decompresses what was compressed last and compares it. Gives the seconds of the first alone.
double decode_and_compare(MemoryCodec& codec, std::span<std::uint8_t> output,
                          std::span<const std::uint8_t> input) {
  poison(output, input);
  const double seconds = wall_seconds([&] { codec.decompress(output); });
  verify(output, input, codec.name().stage + " " + codec.name().variant);
  return seconds;
}

std::vector<TimedDirection> directions_of(std::span<const std::unique_ptr<MemoryCodec>> codecs,
                                          std::span<std::uint8_t> output, std::span<const std::uint8_t> input,
                                          std::size_t repetitions) {
  const Repetitions limited = {.wanted = repetitions,
                               .seconds_limit = seconds_of_all_repetitions,
                               .minimum = least_repetitions_of_peers};
  std::vector<TimedDirection> directions;
  for (const std::unique_ptr<MemoryCodec>& each : codecs) {
    MemoryCodec* const codec = each.get();
    directions.push_back({.codec = codec, .operation = "encode", .seconds_once = [codec, input] {
                            return wall_seconds([&] { codec->compress(input); });
                          }});
    directions.push_back({.codec = codec, .operation = "decode", .seconds_once = [=] {
                            return decode_and_compare(*codec, output, input);
                          }});
  }
  // In this order: a codec compresses before it decompresses.
  for (TimedDirection& direction : directions) {
    const double first_seconds = direction.seconds_once();
    if (first_seconds > seconds_of_all_repetitions) {
      direction.seconds = {first_seconds};
    } else {
      direction.wanted = limited.count(first_seconds);
    }
  }
  return directions;
}

void time_in_random_order(std::vector<TimedDirection>& directions) {
  std::mt19937 random(seed_of_order);
  for (std::size_t round = 0;; ++round) {
    std::vector<TimedDirection*> left;
    for (TimedDirection& direction : directions) {
      if (direction.wanted > round) left.push_back(&direction);
    }
    if (left.empty()) return;
    std::ranges::shuffle(left, random);
    for (TimedDirection* const direction : left) direction->seconds.push_back(direction->seconds_once());
  }
}

std::vector<std::unique_ptr<MemoryCodec>> measured_codecs(const PeerOptions& options) {
  const Blocks blocks = {.bytes = options.block_bytes, .threads = options.threads};
  std::vector<std::unique_ptr<MemoryCodec>> codecs;
  codecs.push_back(fsst_codec(blocks));
  codecs.push_back(gsst_codec(format::BlockFormat::splits, reference::default_level, blocks));
  for (const unsigned level : options.levels) {
    codecs.push_back(gsst_codec(format::BlockFormat::tiles, level, blocks));
  }
  for (const LinkedPeer& peer : linked_peers()) {
    if (peer.compressors == nullptr) continue;
    for (const BlockCompressor& compressor : peer.compressors()) {
      codecs.push_back(peer_codec(compressor, blocks));
    }
  }
  return codecs;
}

}  // namespace

std::vector<nlohmann::ordered_json> peer_rows(std::span<const std::unique_ptr<MemoryCodec>> codecs,
                                              std::span<const std::uint8_t> input, const Blocks& blocks,
                                              std::size_t repetitions, const Dataset& dataset) {
  std::vector<std::uint8_t> output(input.size());
  std::vector<TimedDirection> directions = directions_of(codecs, output, input, repetitions);
  time_in_random_order(directions);
  // What the last repetition of each has compressed.
  for (const std::unique_ptr<MemoryCodec>& codec : codecs) decode_and_compare(*codec, output, input);

  std::vector<nlohmann::ordered_json> rows;
  for (const TimedDirection& direction : directions) {
    const MemoryCodec::Name& name = direction.codec->name();
    nlohmann::ordered_json parameters = name.parameters;
    parameters["block_bytes"] = blocks.bytes;
    parameters["threads"] = blocks.threads;
    nlohmann::ordered_json row = row_to_json({.stage = name.stage,
                                              .variant = name.variant,
                                              .parameters = std::move(parameters),
                                              .uncompressed_bytes = input.size(),
                                              .compressed_bytes = direction.codec->compressed_bytes(),
                                              .seconds = summarize(direction.seconds)},
                                             dataset);
    row["operation"] = direction.operation;
    rows.push_back(row);
  }
  return rows;
}

std::vector<StudiedWork> peer_works(const PeerOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  for (const LinkedPeer& peer : linked_peers()) {
    if (peer.compressors == nullptr) std::cerr << "missing codec: " << peer.name << "\n";
  }
  return {{.key = {{"block_bytes", options.block_bytes}, {"threads", options.threads}}, .measure = [=] {
             const auto codecs = measured_codecs(options);
             return peer_rows(codecs, *input, {.bytes = options.block_bytes, .threads = options.threads},
                              options.repetitions, dataset);
           }}};
}

}  // namespace gsst::experiments
