#include "experiments/measure/levels_command.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>

#include "common/format/block.hpp"
#include "common/format/frame.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure/frame_blocks.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure/verified_timing.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/table_encoder.hpp"

namespace gsst::experiments {
namespace {

/// The size that the command `gsst` takes by itself.
const std::uint64_t level_block_bytes = reference::CompressOptions{}.block_bytes;

/// Pieces that go to training and to the held-out part by turns.
constexpr std::size_t piece_bytes = std::size_t{16} << 10;

/// What takes longer than this for all repetitions makes fewer, but one at least.
constexpr double seconds_limit = 0.5;

using Bytes = std::vector<std::uint8_t>;

SecondsSummary time_repeatedly(const std::function<void()>& work, std::size_t repetitions) {
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<double> seconds = {timed()};
  const std::size_t count =
      Repetitions{.wanted = repetitions, .seconds_limit = seconds_limit, .minimum = 1}.count(seconds[0]);
  while (seconds.size() < count) seconds.push_back(timed());
  return summarize(seconds);
}

std::size_t encoded_bytes(const format::SymbolTable& table, reference::Parse parse,
                          std::span<const std::uint8_t> input, Bytes& codes) {
  return reference::TableEncoder(table, parse).encode(input, codes);
}

/// Fills the held-out numbers of `row`.
void measure_held_out(std::span<const std::uint8_t> input, unsigned level, LevelRow& row) {
  Bytes training;
  Bytes held_out;
  for (std::size_t piece = 0; piece * piece_bytes < input.size(); ++piece) {
    const auto bytes =
        input.subspan(piece * piece_bytes).first(std::min(piece_bytes, input.size() - piece * piece_bytes));
    Bytes& part = piece % 2 == 0 ? training : held_out;
    part.insert(part.end(), bytes.begin(), bytes.end());
  }
  const format::SymbolTable table = reference::train_for_level(training, level);
  Bytes codes(reference::Encoder::max_encoded_bytes(held_out.size()));
  row.held_out_bytes = held_out.size();
  row.held_out_code_bytes = encoded_bytes(table, reference::level_parse(level), held_out, codes);
  Bytes decoded(held_out.size());
  poison(decoded, held_out);
  // What is wrong with the codes shows in the bytes.
  static_cast<void>(reference::decode_fast(table, std::span(codes).first(row.held_out_code_bytes), decoded));
  verify(decoded, held_out, row.row.variant + ", held out");
}

LevelRow measure_level(std::span<const std::uint8_t> input, unsigned level, std::size_t repetitions) {
  const std::string name = "level " + std::to_string(level);
  std::cerr << name << "\n";
  const Bytes compressed = reference::compress(input, {.format = format::BlockFormat::blocks,
                                                       .block_bytes = level_block_bytes,
                                                       .split_count = 1,
                                                       .level = level,
                                                       .threads = 1});
  const format::FrameView frame = format::parse_frame(compressed);
  const auto decode = [&](std::span<std::uint8_t> output) {
    decode_frame_blocks(frame, reference::decode_fast, 1, output);
  };
  const auto block = [&](std::size_t index) {
    const format::IndexEntry& entry = frame.index.entries[index];
    return input.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes);
  };

  const std::size_t block_count = frame.index.entries.size();
  std::vector<format::SymbolTable> tables(block_count);
  const auto train = [&] {
    for (std::size_t i = 0; i < block_count; ++i) tables[i] = reference::train_for_level(block(i), level);
  };
  Bytes codes(reference::Encoder::max_encoded_bytes(level_block_bytes));
  const auto encode = [&] {
    for (std::size_t i = 0; i < block_count; ++i)
      encoded_bytes(tables[i], reference::level_parse(level), block(i), codes);
  };
  LevelRow row{
      .row = {.stage = "reference_cpu/fast",
              .variant = name,
              .parameters = {{"level", level}, {"block_bytes", level_block_bytes}, {"threads", 1}},
              .uncompressed_bytes = input.size(),
              .compressed_bytes = compressed.size(),
              .seconds = time_verified(
                  decode, input,
                  {.wanted = repetitions, .seconds_limit = seconds_limit, .minimum = repetitions}, name)},
      .training = time_repeatedly(train, repetitions),
      .encoding = time_repeatedly(encode, repetitions),
      .held_out_bytes = 0,
      .held_out_code_bytes = 0};
  if (input.size() > piece_bytes) measure_held_out(input, level, row);
  return row;
}

nlohmann::ordered_json seconds_json(const SecondsSummary& seconds) {
  return {{"median", seconds.median},
          {"min", seconds.min},
          {"max", seconds.max},
          {"stddev", seconds.stddev},
          {"repetitions", seconds.repetitions}};
}

}  // namespace

std::vector<LevelRow> measure_levels(const LevelsOptions& options) {
  const Bytes input = read_input_file(options.input);
  std::vector<LevelRow> rows;
  for (unsigned level = reference::min_level; level <= reference::max_level; ++level)
    rows.push_back(measure_level(input, level, options.repetitions));
  return rows;
}

void write_level_rows(const std::vector<LevelRow>& rows, const Dataset& dataset,
                      const std::filesystem::path& path) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const LevelRow& row : rows) {
    nlohmann::ordered_json entry = row_to_json(row.row, dataset);
    entry["training_seconds"] = seconds_json(row.training);
    entry["encoding_seconds"] = seconds_json(row.encoding);
    entry["held_out_bytes"] = row.held_out_bytes;
    entry["held_out_code_bytes"] = row.held_out_code_bytes;
    json.push_back(std::move(entry));
  }
  std::filesystem::path temporary = path;
  temporary += ".partial";
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream << json.dump(2) << "\n";
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(temporary, path, error);
  if (stream && !error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  throw InputError("cannot write " + path.string());
}

}  // namespace gsst::experiments
