#include "experiments/measure_tiles_speed/tiles_speed_rows.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What FSST's own tool takes.
constexpr std::uint64_t fsst_block_bytes = std::uint64_t{4} << 20;

// Calls decode(parsed, output, block, table) for each block of a frame of format tiles.
template <typename Decode>
void decode_each(std::span<const std::uint8_t> file, std::span<std::uint8_t> output, const Decode& decode) {
  const format::FrameView frame = format::parse_frame(file);
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    const format::IndexEntry& entry = frame.index.entries[block];
    const format::BlockView parsed = format::parse_block(frame, block);
    const bool is_raw = parsed.layout == format::BlockLayout::raw;
    decode(parsed, output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes), block,
           is_raw ? std::span<const std::uint8_t>() : format::find_table(frame, block));
  }
}

void decode_with(const cpu::tiles::InstructionSet& instructions, std::span<const std::uint8_t> file,
                 std::span<std::uint8_t> output) {
  decode_each(file, output, [&](const auto& parsed, auto place, std::size_t block, auto table) {
    if (parsed.layout == format::BlockLayout::raw) {
      std::ranges::copy(parsed.codes, place.begin());
      return;
    }
    const cpu::tiles::BlockDecoder decoder(format::TilesHeader(parsed.header.data()),
                                           format::TilesHeader(table.data()), instructions);
    decoder.decode_all(place, block);
  });
}

// With the fastest instruction set, and compares each block's checksum.
void decode_and_check(std::span<const std::uint8_t> file, std::span<std::uint8_t> output) {
  decode_with(cpu::tiles::instruction_sets().back(), file, output);
  const format::FrameView frame = format::parse_frame(file);
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    const format::IndexEntry& entry = frame.index.entries[block];
    cpu::tiles::check_checksum(output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes),
                               entry.record, block);
  }
}

// One of the decoders that run by turns.
struct TimedDecoder {
  std::string stage;
  std::string variant;
  nlohmann::ordered_json parameters;
  std::uint64_t compressed_bytes;
  DecodeFunction decode;
  std::vector<double> seconds = {};
};

std::vector<TimedDecoder> decoders_of(std::span<const std::uint8_t> tiles, std::span<const std::uint8_t> fsst,
                                      const TilesSpeedOptions& options, std::uint32_t code_bits) {
  const nlohmann::ordered_json of_tiles = {{"code_bits", code_bits},
                                           {"level", options.level},
                                           {"block_bytes", options.block_bytes},
                                           {"threads", 1},
                                           {"checksum", "none"}};
  const nlohmann::ordered_json of_fsst = {
      {"block_bytes", fsst_block_bytes}, {"threads", 1}, {"checksum", "none"}};
  std::vector<TimedDecoder> decoders;
  for (const auto& [name, decode] :
       {std::pair<const char*, CodesDecoder>{"portable", reference::decode_fast_portable},
        std::pair<const char*, CodesDecoder>{"fastest", reference::decode_fast}}) {
    decoders.push_back({.stage = "reference_cpu/fast",
                        .variant = name,
                        .parameters = of_fsst,
                        .compressed_bytes = fsst.size(),
                        .decode = [fsst, decode = decode](std::span<std::uint8_t> output) {
                          decode_frame_blocks(format::parse_frame(fsst), decode, 1, output);
                        }});
  }
  decoders.push_back({.stage = "reference_cpu/tiles",
                      .variant = "oracle",
                      .parameters = of_tiles,
                      .compressed_bytes = tiles.size(),
                      .decode = [=](std::span<std::uint8_t> output) {
                        decode_each(tiles, output,
                                    [](const auto& parsed, auto place, auto block, auto table) {
                                      reference::decode_block(parsed, place, block, 1, table);
                                    });
                      }});
  for (const cpu::tiles::InstructionSet& instructions : cpu::tiles::instruction_sets()) {
    decoders.push_back(
        {.stage = "cpu/tiles",
         .variant = std::string(instructions.name),
         .parameters = of_tiles,
         .compressed_bytes = tiles.size(),
         .decode = [=](std::span<std::uint8_t> output) { decode_with(instructions, tiles, output); }});
  }
  nlohmann::ordered_json checked = of_tiles;
  checked["checksum"] = format::checksum_kind_name(format::ChecksumKind::xxh64_tree);
  decoders.push_back({.stage = "cpu/tiles",
                      .variant = "fastest, with checksums",
                      .parameters = checked,
                      .compressed_bytes = tiles.size(),
                      .decode = [=](std::span<std::uint8_t> output) { decode_and_check(tiles, output); }});
  return decoders;
}

// Of this thread on its processor: what other programs take in between is no decoder's.
double thread_seconds() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) {
    throw std::system_error(errno, std::generic_category(), "the time of a thread");
  }
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(const DecodeFunction& decode, std::span<std::uint8_t> output) {
  const double start = thread_seconds();
  decode(output);
  return thread_seconds() - start;
}

// By turns, so that what disturbs the machine for a while disturbs all of them.
void time_by_turns(std::vector<TimedDecoder>& decoders, std::span<const std::uint8_t> input,
                   std::size_t repetitions) {
  Bytes output(input.size());
  const auto check = [&](const TimedDecoder& decoder, const char* when) {
    poison(output, input);
    decoder.decode(output);
    experiments::verify(output, input, decoder.stage + " " + decoder.variant + when);
  };
  for (const TimedDecoder& decoder : decoders) check(decoder, ", before timing");
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
    for (TimedDecoder& decoder : decoders) decoder.seconds.push_back(seconds_of(decoder.decode, output));
  }
  for (const TimedDecoder& decoder : decoders) check(decoder, ", after timing");
}

double median_ratio(const TimedDecoder& peer, const TimedDecoder& decoder) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < decoder.seconds.size(); ++i) {
    ratios.push_back(peer.seconds[i] / decoder.seconds[i]);
  }
  return summarize(ratios).median;
}

std::vector<nlohmann::ordered_json> tiles_speed_rows(std::span<const std::uint8_t> input,
                                                     const TilesSpeedOptions& options,
                                                     std::uint32_t code_bits, const Dataset& dataset) {
  reference::CompressOptions tile_options;
  tile_options.format = format::BlockFormat::tiles;
  tile_options.block_bytes = options.block_bytes;
  tile_options.level = options.level;
  tile_options.code_bits = code_bits;
  tile_options.checksum_kind = format::ChecksumKind::xxh64_tree;
  const Bytes tiles = reference::compress(input, tile_options);
  const Bytes fsst = reference::compress(
      input, {.format = format::BlockFormat::blocks, .block_bytes = fsst_block_bytes, .split_count = 1});
  std::vector<TimedDecoder> decoders = decoders_of(tiles, fsst, options, code_bits);
  time_by_turns(decoders, input, options.repetitions);
  std::vector<nlohmann::ordered_json> rows;
  for (const TimedDecoder& decoder : decoders) {
    nlohmann::ordered_json row = row_to_json({.stage = decoder.stage,
                                              .variant = decoder.variant,
                                              .parameters = decoder.parameters,
                                              .uncompressed_bytes = input.size(),
                                              .compressed_bytes = decoder.compressed_bytes,
                                              .seconds = summarize(decoder.seconds)},
                                             dataset);
    // Rows of the same peer are in the works of all widths.
    row["beside_code_bits"] = code_bits;
    row["times_fsst"] = median_ratio(decoders.front(), decoder);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::vector<StudiedWork> tiles_speed_works(const TilesSpeedOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const Bytes>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  for (const std::uint32_t code_bits : options.code_bits) {
    works.push_back(
        {.key = {{"block_bytes", options.block_bytes}, {"level", options.level}, {"code_bits", code_bits}},
         .measure = [=] { return tiles_speed_rows(*input, options, code_bits, dataset); }});
  }
  return works;
}

}  // namespace gsst::experiments
