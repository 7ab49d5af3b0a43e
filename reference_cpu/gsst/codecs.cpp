#include <array>
#include <stdexcept>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/gsst/settings.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/stream_codec.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/tile_plan.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;

constexpr std::array<std::uint64_t, 3> code_bits_values = {8, 10, 12};
constexpr std::array<std::uint64_t, 3> codes_per_lane_values = {16, 24, 32};
constexpr std::array<std::uint64_t, 3> strip_codes_values = {512, 1024, 2048};
constexpr std::array<std::string_view, 2> parse_names = {"greedy", "optimal"};

constexpr std::array<CodecOption, 1> options_of_splits = {{
    {.name = "splits",
     .help = "Splits per block, 1 to 65536 (default 128); for splits and coalesced",
     .least = 1,
     .most = format::max_split_count},
}};

constexpr std::array<CodecOption, 4> options_of_tiles = {{
    {.name = "code-bits",
     .help = "Bits of a code, 8, 10 or 12 (default: chosen by a\n"
             "sample of each input, and with -v explained); for tiles",
     .values = code_bits_values},
    {.name = "codes-per-lane",
     .help = "Codes that a GPU's thread decodes of a tile, 16, 24 or\n"
             "32 (default: chosen as well); for tiles",
     .values = codes_per_lane_values},
    {.name = "strip-codes",
     .help = "Most codes of a strip, the unit of random access: 512,\n"
             "1024 or 2048 (default). Short strips read less for a byte\n"
             "and make the file a little larger; for tiles",
     .values = strip_codes_values},
    {.name = "parse", .help = "greedy or optimal (default: the level's); for tiles", .names = parse_names},
}};

std::optional<std::uint32_t> chosen(const EncodeSettings& settings, std::string_view option) {
  const auto found = settings.options.find(option);
  if (found == settings.options.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found->second);
}

// Codes of each strip but a block's last one, in the first block that is not stored raw.
std::optional<std::uint64_t> strip_codes_of(const format::FrameView& frame) {
  if (frame.header.format != BlockFormat::tiles) return std::nullopt;
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    const format::BlockRecord& record = frame.index.entries[block].record;
    if (record.layout == format::BlockLayout::raw) continue;
    format::check_tiles_header(frame.payload(block), record.uncompressed_bytes, block);
    const format::TilesHeader header(frame.payload(block).data());
    return std::uint64_t{header.tiles_per_strip()} * header.shape().codes();
  }
  return std::nullopt;
}

std::vector<FileListing::Number> numbers_of(std::optional<std::uint64_t> splits,
                                            std::optional<std::uint64_t> strip_codes) {
  return {{.name = "splits", .value = splits, .has_column = true},
          {.name = "strip_codes", .value = strip_codes, .has_column = false}};
}

// The level and what it stands for.
std::string level_text(unsigned level) {
  return "level " + std::to_string(level) + " (table from up to " +
         std::to_string(level_sample_bytes(level) >> 10) + " KiB of each block, " +
         (level_parse(level) == Parse::greedy ? "greedy" : "optimal") + " parse), ";
}

// What all formats of the series have in common.
class GsstCodec : public Codec {
public:
  using Codec::Codec;

  void check(const EncodeSettings& settings) const final {
    const std::uint32_t strip_codes = chosen(settings, "strip-codes").value_or(default_strip_codes);
    const std::uint32_t codes_per_lane = chosen(settings, "codes-per-lane").value_or(0);
    const std::uint32_t tile_codes = format::tile_lanes * codes_per_lane;
    if (tile_codes <= strip_codes) return;
    throw std::invalid_argument("--strip-codes: " + std::to_string(strip_codes) + " are fewer than the " +
                                std::to_string(tile_codes) + " codes of a tile with --codes-per-lane " +
                                std::to_string(codes_per_lane));
  }

  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings, const format::ProgressFunction& progress) const final {
    const CompressOptions options = compress_options(traits().format, settings);
    return describe_totals(options, compress_stream(read, write, options, progress));
  }

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned threads, const format::ProgressFunction& progress) const final {
    return decompress_stream(
        read, write, {.fsst_file = traits().format == BlockFormat::fsst, .threads = threads}, progress);
  }

protected:
  ~GsstCodec() = default;
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class FrameCodec final : public GsstCodec {
public:
  constexpr FrameCodec(BlockFormat format, std::span<const CodecOption> options, bool is_default = false)
      : GsstCodec({.format = format,
                   .suffix = ".gsst",
                   .max_level = max_level,
                   .options = options,
                   .is_default = is_default}) {}

  std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> payload,
                                           const format::BlockExpectation& expected,
                                           const format::PayloadPart& part,
                                           std::uint64_t block) const override {
    std::vector<std::uint8_t> output(expected.uncompressed_bytes);
    decode_block(format::parse_block(payload, expected, block), output, block, 1,
                 part ? std::span(*part) : std::span<const std::uint8_t>());
    return output;
  }

  FileListing list(std::span<const std::uint8_t> file) const override {
    const format::FrameView frame = format::parse_frame(file);
    FileListing listing = list_frame(frame);
    std::optional<std::uint64_t> splits;
    if (format::has_splits(frame.header.format)) splits = frame.header.split_count;
    listing.numbers = numbers_of(splits, strip_codes_of(frame));
    return listing;
  }
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class FsstCodec final : public GsstCodec {
public:
  constexpr FsstCodec()
      : GsstCodec({.format = BlockFormat::fsst,
                   .suffix = ".fsst",
                   .tool = "FSST's own tool",
                   .max_block_bytes = format::max_fsst_block_bytes,
                   .max_level = max_level}) {}

  std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> /*payload*/,
                                           const format::BlockExpectation& /*expected*/,
                                           const format::PayloadPart& /*part*/,
                                           std::uint64_t /*block*/) const override {
    throw std::invalid_argument("no frame holds blocks of format fsst");
  }

  // Files store no sizes: this looks at all codes.
  FileListing list(std::span<const std::uint8_t> file) const override {
    FileListing listing;
    listing.numbers = numbers_of(std::nullopt, std::nullopt);
    while (!file.empty()) {
      const format::FsstBlockView block = format::parse_fsst_block(file, listing.blocks);
      const DecodedSize size = decoded_size(block.table, block.codes);
      if (size.problem != DecodeProblem::none) {
        throw format::FormatError(listing.blocks, "codes", reference::describe(size.problem));
      }
      listing.uncompressed_bytes += size.bytes;
      file = file.subspan(format::parse_fsst_block_length(file, listing.blocks));
      ++listing.blocks;
    }
    return listing;
  }
};

constexpr FsstCodec fsst_codec;
constexpr FrameCodec blocks_codec(BlockFormat::blocks, {});
constexpr FrameCodec splits_codec(BlockFormat::splits, options_of_splits, true);
constexpr FrameCodec coalesced_codec(BlockFormat::coalesced, options_of_splits);
constexpr FrameCodec tiles_codec(BlockFormat::tiles, options_of_tiles);

constexpr std::array<const Codec*, 5> codecs = {&fsst_codec, &blocks_codec, &splits_codec, &coalesced_codec,
                                                &tiles_codec};

}  // namespace

CompressOptions compress_options(BlockFormat format, const EncodeSettings& settings) {
  CompressOptions options;
  options.format = format;
  options.block_bytes = settings.block_bytes;
  options.level = settings.level;
  options.checksum_kind = settings.checksum_kind.value_or(options.checksum_kind);
  options.threads = settings.threads;
  options.split_count = chosen(settings, "splits").value_or(options.split_count);
  options.code_bits = chosen(settings, "code-bits").value_or(options.code_bits);
  options.codes_per_lane = chosen(settings, "codes-per-lane").value_or(options.codes_per_lane);
  options.strip_codes = chosen(settings, "strip-codes").value_or(options.strip_codes);
  if (const auto parse = chosen(settings, "parse")) options.parse = static_cast<Parse>(*parse);
  return options;
}

EncodeTotals describe_totals(const CompressOptions& options, const CompressTotals& totals) {
  EncodeTotals described;
  const format::StreamTotals& counts = totals;
  static_cast<format::StreamTotals&>(described) = counts;
  described.numbers = {{"level", options.level}};
  if (!totals.tiles) {
    described.how = level_text(options.level);
    return described;
  }
  described.how = describe(*totals.tiles) + ", level " + std::to_string(options.level) + ", " +
                  std::to_string(totals.tables) + (totals.tables == 1 ? " table for " : " tables for ");
  described.numbers.insert(described.numbers.end(), {{"code_bits", totals.tiles->code_bits},
                                                     {"codes_per_lane", totals.tiles->codes_per_lane},
                                                     {"strip_codes", codes_per_strip(*totals.tiles)},
                                                     {"tables", totals.tables}});
  return described;
}

std::span<const Codec* const> codecs_of_gsst() {
  return codecs;
}

}  // namespace gsst::reference
