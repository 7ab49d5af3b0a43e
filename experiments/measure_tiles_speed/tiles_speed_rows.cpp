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

#include "common/format/encoding.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/format/stream.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/frame_encoder.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What FSST's own tool takes.
constexpr std::uint64_t fsst_block_bytes = std::uint64_t{4} << 20;
// An input that is one block: training is much of its time.
constexpr std::size_t small_input_bytes = std::size_t{2} << 20;

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

// One of the decoders, or encoders, that run by turns.
struct TimedCodec {
  std::string stage;
  std::string variant;
  nlohmann::ordered_json parameters;
  std::uint64_t compressed_bytes;
  // Writes the output that is verified. An encoder leaves its file elsewhere, and nothing here.
  DecodeFunction run;
  std::vector<double> seconds = {};
};

std::vector<TimedCodec> decoders_of(std::span<const std::uint8_t> tiles, std::span<const std::uint8_t> fsst,
                                    const TilesSpeedOptions& options, std::uint32_t code_bits) {
  const nlohmann::ordered_json of_tiles = {{"code_bits", code_bits},
                                           {"level", options.level},
                                           {"block_bytes", options.block_bytes},
                                           {"threads", 1},
                                           {"checksum", "none"}};
  const nlohmann::ordered_json of_fsst = {
      {"block_bytes", fsst_block_bytes}, {"threads", 1}, {"checksum", "none"}};
  std::vector<TimedCodec> decoders;
  for (const auto& [name, decode] :
       {std::pair<const char*, CodesDecoder>{"portable", reference::decode_fast_portable},
        std::pair<const char*, CodesDecoder>{"fastest", reference::decode_fast}}) {
    decoders.push_back({.stage = "reference_cpu/fast",
                        .variant = name,
                        .parameters = of_fsst,
                        .compressed_bytes = fsst.size(),
                        .run = [fsst, decode = decode](std::span<std::uint8_t> output) {
                          decode_frame_blocks(format::parse_frame(fsst), decode, 1, output);
                        }});
  }
  decoders.push_back({.stage = "reference_cpu/tiles",
                      .variant = "oracle",
                      .parameters = of_tiles,
                      .compressed_bytes = tiles.size(),
                      .run = [=](std::span<std::uint8_t> output) {
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
         .run = [=](std::span<std::uint8_t> output) { decode_with(instructions, tiles, output); }});
  }
  nlohmann::ordered_json checked = of_tiles;
  checked["checksum"] = format::checksum_kind_name(format::ChecksumKind::xxh64_tree);
  decoders.push_back({.stage = "cpu/tiles",
                      .variant = "fastest, with checksums",
                      .parameters = checked,
                      .compressed_bytes = tiles.size(),
                      .run = [=](std::span<std::uint8_t> output) { decode_and_check(tiles, output); }});
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

double seconds_of(const DecodeFunction& run, std::span<std::uint8_t> output) {
  const double start = thread_seconds();
  run(output);
  return thread_seconds() - start;
}

// By turns, so that what disturbs the machine for a while disturbs all of them.
void time_by_turns(std::vector<TimedCodec>& decoders, std::span<const std::uint8_t> input,
                   std::size_t repetitions) {
  Bytes output(input.size());
  const auto check = [&](const TimedCodec& decoder, const char* when) {
    poison(output, input);
    decoder.run(output);
    experiments::verify(output, input, decoder.stage + " " + decoder.variant + when);
  };
  for (const TimedCodec& decoder : decoders) check(decoder, ", before timing");
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
    for (TimedCodec& decoder : decoders) decoder.seconds.push_back(seconds_of(decoder.run, output));
  }
  for (const TimedCodec& decoder : decoders) check(decoder, ", after timing");
}

double median_ratio(const TimedCodec& peer, const TimedCodec& codec) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < codec.seconds.size(); ++i) {
    ratios.push_back(peer.seconds[i] / codec.seconds[i]);
  }
  return summarize(ratios).median;
}

// The first of `codecs` is FSST's.
std::vector<nlohmann::ordered_json> rows_of(std::span<const TimedCodec> codecs, std::size_t input_bytes,
                                            std::uint32_t code_bits, const Dataset& dataset) {
  std::vector<nlohmann::ordered_json> rows;
  for (const TimedCodec& codec : codecs) {
    nlohmann::ordered_json row = row_to_json({.stage = codec.stage,
                                              .variant = codec.variant,
                                              .parameters = codec.parameters,
                                              .uncompressed_bytes = input_bytes,
                                              .compressed_bytes = codec.compressed_bytes,
                                              .seconds = summarize(codec.seconds)},
                                             dataset);
    // Rows of the same peer are in the works of all widths.
    row["beside_code_bits"] = code_bits;
    row["times_fsst"] = median_ratio(codecs.front(), codec);
    rows.push_back(row);
  }
  return rows;
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
  std::vector<TimedCodec> decoders = decoders_of(tiles, fsst, options, code_bits);
  time_by_turns(decoders, input, options.repetitions);
  return rows_of(decoders, input.size(), code_bits, dataset);
}

// Memory that an encoder writes a file to, without asking for more while it is timed.
class FileInMemory {
public:
  explicit FileInMemory(std::size_t input_bytes) : bytes_(2 * input_bytes + fixed_bytes) {}

  format::WriteFunction writer() {
    size_ = 0;
    return [this](std::span<const std::uint8_t> bytes) {
      std::ranges::copy(bytes, std::span(bytes_).subspan(size_, bytes.size()).begin());
      size_ += bytes.size();
    };
  }
  std::span<const std::uint8_t> file() const { return std::span(bytes_).first(size_); }

private:
  // Of headers and index.
  static constexpr std::size_t fixed_bytes = std::size_t{1} << 16;

  Bytes bytes_;
  std::size_t size_ = 0;
};

// Encodes `input` at level 1 from memory to memory, training and checksums included.
using EncodeFunction = std::function<format::EncodeTotals(
    const format::ReadFunction&, const format::WriteFunction&, const format::EncodeSettings&)>;

struct NamedEncoder {
  const char* stage;
  EncodeFunction encode;
};

std::vector<NamedEncoder> encoders() {
  const auto of_codec = [](format::BlockFormat of_format) {
    return
        [codec = &reference::codec_of(of_format)](const auto& read, const auto& write, const auto& settings) {
          return codec->encode(read, write, settings, {});
        };
  };
  return {
      {.stage = "reference_cpu/blocks_encoder", .encode = of_codec(format::BlockFormat::blocks)},
      {.stage = "reference_cpu/tiles_encoder", .encode = of_codec(format::BlockFormat::tiles)},
      {.stage = "cpu/tiles_encoder", .encode = [](const auto& read, const auto& write, const auto& settings) {
         return cpu::tiles::encode_frame(read, write, settings);
       }}};
}

// The encoders of `input` by turns. FSST's are those of format blocks.
std::vector<nlohmann::ordered_json> encoder_rows(std::span<const std::uint8_t> input, const char* variant,
                                                 std::uint64_t block_bytes, std::size_t repetitions,
                                                 const Dataset& dataset) {
  format::EncodeSettings settings;
  settings.block_bytes = block_bytes;
  settings.checksum_kind = format::ChecksumKind::xxh64_tree;
  settings.threads = 1;
  FileInMemory memory(input.size());
  std::vector<TimedCodec> timed;
  for (const NamedEncoder& encoder : encoders()) {
    encoder.encode(format::reader_of(input), memory.writer(), settings);
    const std::string what = std::string(encoder.stage) + ", " + variant;
    experiments::verify(reference::decompress_frame(memory.file(), 1), input, what);
    timed.push_back({.stage = encoder.stage,
                     .variant = variant,
                     .parameters = {{"level", settings.level},
                                    {"block_bytes", block_bytes},
                                    {"threads", 1},
                                    {"checksum", format::checksum_kind_name(*settings.checksum_kind)}},
                     .compressed_bytes = memory.file().size(),
                     .run = [&memory, input, settings, encode = encoder.encode](std::span<std::uint8_t>) {
                       encode(format::reader_of(input), memory.writer(), settings);
                     }});
  }
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
    for (TimedCodec& encoder : timed) encoder.seconds.push_back(seconds_of(encoder.run, {}));
  }
  for (const TimedCodec& encoder : timed) {
    encoder.run({});
    experiments::verify(reference::decompress_frame(memory.file(), 1), input,
                        encoder.stage + ", after timing");
  }
  // Level 1 has codes of 8 bits.
  std::vector<nlohmann::ordered_json> rows = rows_of(timed, input.size(), 8, dataset);
  for (nlohmann::ordered_json& row : rows) {
    row["operation"] = "encode";
    row["end_to_end"] = true;
  }
  return rows;
}

// All of the input, and as much of its start as is one block.
std::vector<nlohmann::ordered_json> encoder_rows_of(std::span<const std::uint8_t> input,
                                                    const TilesSpeedOptions& options,
                                                    const Dataset& dataset) {
  std::vector<nlohmann::ordered_json> rows =
      encoder_rows(input, "whole", options.block_bytes, options.repetitions, dataset);
  const auto start = input.first(std::min(input.size(), small_input_bytes));
  const auto of_block = encoder_rows(start, "one block", small_input_bytes, options.repetitions, dataset);
  rows.insert(rows.end(), of_block.begin(), of_block.end());
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
  works.push_back({.key = {{"block_bytes", options.block_bytes}, {"operation", "encode"}},
                   .measure = [=] { return encoder_rows_of(*input, options, dataset); }});
  return works;
}

}  // namespace gsst::experiments
