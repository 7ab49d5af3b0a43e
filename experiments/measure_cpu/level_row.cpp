#include "experiments/measure_cpu/level_row.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Pieces that go to training and to the held-out part by turns.
constexpr std::size_t piece_bytes = std::size_t{16} << 10;

/// What takes longer than this for all repetitions makes fewer.
constexpr double seconds_limit = 0.5;

constexpr std::size_t least_encodings = 3;

std::string parse_name(reference::Parse parse) {
  return parse == reference::Parse::greedy ? "greedy" : "optimal";
}

nlohmann::ordered_json seconds_json(const SecondsSummary& seconds) {
  return {{"median", seconds.median},
          {"min", seconds.min},
          {"max", seconds.max},
          {"stddev", seconds.stddev},
          {"repetitions", seconds.repetitions}};
}

}  // namespace

Repetitions decoding_repetitions(std::size_t wanted) {
  return {.wanted = wanted, .seconds_limit = seconds_limit, .minimum = wanted};
}

Repetitions encoding_repetitions(std::size_t wanted) {
  return {.wanted = wanted, .seconds_limit = seconds_limit, .minimum = std::min(wanted, least_encodings)};
}

Repetitions training_repetitions(std::size_t wanted) {
  return {.wanted = wanted, .seconds_limit = seconds_limit, .minimum = 1};
}

SecondsSummary time_repeatedly(const std::function<void()>& work, const Repetitions& repetitions) {
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<double> seconds = {timed()};
  const std::size_t count = repetitions.count(seconds[0]);
  while (seconds.size() < count) seconds.push_back(timed());
  return summarize(seconds);
}

HeldOut hold_out(std::span<const std::uint8_t> input) {
  HeldOut parts;
  for (std::size_t begin = 0; begin < input.size(); begin += piece_bytes) {
    const auto piece = input.subspan(begin, std::min(piece_bytes, input.size() - begin));
    Bytes& part = begin / piece_bytes % 2 == 0 ? parts.training : parts.evaluated;
    part.insert(part.end(), piece.begin(), piece.end());
  }
  std::array<bool, 256> known{};
  for (const std::uint8_t byte : parts.training) known[byte] = true;
  for (const std::uint8_t byte : parts.evaluated) {
    if (!known[byte]) parts.training.push_back(byte);
    known[byte] = true;
  }
  return parts;
}

std::vector<std::span<const std::uint8_t>> cut_blocks(std::span<const std::uint8_t> input) {
  std::vector<std::span<const std::uint8_t>> blocks;
  for (std::size_t begin = 0; begin < input.size(); begin += level_block_bytes)
    blocks.push_back(input.subspan(begin, std::min<std::size_t>(level_block_bytes, input.size() - begin)));
  return blocks;
}

std::vector<std::uint8_t> build_frame(format::BlockFormat format,
                                      std::span<const reference::CompressedBlock> blocks) {
  const auto header =
      format::build_frame_header({.format = format, .block_size = level_block_bytes, .split_count = 1});
  Bytes frame(header.begin(), header.end());
  format::FrameIndex index;
  for (const reference::CompressedBlock& block : blocks) {
    reference::append_to_index(index, block.record);
    const auto record = format::build_block_record(block.record);
    frame.insert(frame.end(), record.begin(), record.end());
    frame.insert(frame.end(), block.bytes.begin(), block.bytes.end());
  }
  const Bytes end = format::build_frame_end(index);
  frame.insert(frame.end(), end.begin(), end.end());
  return frame;
}

LevelRow make_level_row(format::BlockFormat format, unsigned level, unsigned code_bits,
                        reference::Parse parse, std::size_t input_bytes, std::size_t frame_bytes) {
  const bool is_tiles = format == format::BlockFormat::tiles;
  return {.row = {.stage = is_tiles ? "reference_cpu/tiles" : "reference_cpu/fast",
                  .variant = std::string(format::block_format_name(format)),
                  .parameters = {{"level", level},
                                 {"code_bits", code_bits},
                                 {"parse", parse_name(parse)},
                                 {"block_bytes", level_block_bytes},
                                 {"threads", 1}},
                  .uncompressed_bytes = input_bytes,
                  .compressed_bytes = frame_bytes,
                  .seconds = {}},
          .training = {},
          .trained_tables = 0,
          .encoding = {},
          .held_out_bytes = 0,
          .held_out_code_bytes = 0};
}

std::string describe(const LevelRow& row) {
  const nlohmann::ordered_json& parameters = row.row.parameters;
  return row.row.variant + " level " + parameters.at("level").dump() + ", " +
         parameters.at("code_bits").dump() + " bits, " + parameters.at("parse").get<std::string>();
}

nlohmann::ordered_json level_row_to_json(const LevelRow& row, const Dataset& dataset) {
  nlohmann::ordered_json json = row_to_json(row.row, dataset);
  json["training_seconds"] = seconds_json(row.training);
  json["trained_tables"] = row.trained_tables;
  json["encoding_seconds"] = seconds_json(row.encoding);
  json["held_out_bytes"] = row.held_out_bytes;
  json["held_out_code_bytes"] = row.held_out_code_bytes;
  return json;
}

}  // namespace gsst::experiments
