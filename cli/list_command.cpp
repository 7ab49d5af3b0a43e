#include "cli/list_command.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/input_format.hpp"
#include "cli/mapped_file.hpp"
#include "cli/quantity_text.hpp"
#include "cli/summary.hpp"
#include "common/format/block.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/frame.hpp"
#include "common/format/fsst_file.hpp"
#include "common/format/tiles.hpp"
#include "reference_cpu/decoder.hpp"

namespace gsst::cli {
namespace {

std::optional<std::uint32_t> strip_codes(const format::FrameView& frame) {
  if (frame.header.format != format::BlockFormat::tiles) return std::nullopt;
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    const format::BlockRecord& record = frame.index.entries[block].record;
    if (record.layout == format::BlockLayout::raw) continue;
    format::check_tiles_header(frame.payload(block), record.uncompressed_bytes, block);
    const format::TilesHeader header(frame.payload(block).data());
    return header.tiles_per_strip() * header.shape().codes();
  }
  return std::nullopt;
}

Listing list_frame(std::span<const std::uint8_t> bytes, const std::string& name) {
  const format::FrameView frame = format::parse_frame(bytes);
  return {.file = name,
          .format = frame.header.format,
          .blocks = frame.index.entries.size(),
          .block_bytes = frame.header.block_size,
          .splits = format::has_splits(frame.header.format) ? std::optional(frame.header.split_count)
                                                            : std::nullopt,
          .strip_codes = strip_codes(frame),
          .compressed_bytes = bytes.size(),
          .uncompressed_bytes = frame.index.uncompressed_bytes,
          .checksum = std::string(format::checksum_kind_name(frame.header.checksum_kind))};
}

Listing list_fsst_file(std::span<const std::uint8_t> bytes, const std::string& name) {
  Listing listing{.file = name,
                  .format = format::BlockFormat::fsst,
                  .blocks = 0,
                  .block_bytes = {},
                  .splits = {},
                  .strip_codes = {},
                  .compressed_bytes = bytes.size(),
                  .uncompressed_bytes = 0,
                  .checksum = {}};
  while (!bytes.empty()) {
    const format::FsstBlockView block = format::parse_fsst_block(bytes, listing.blocks);
    const reference::DecodedSize size = reference::decoded_size(block.table, block.codes);
    if (size.problem != reference::DecodeProblem::none) {
      throw format::FormatError(listing.blocks, "codes", reference::describe(size.problem));
    }
    listing.uncompressed_bytes += size.bytes;
    bytes = bytes.subspan(format::parse_fsst_block_length(bytes, listing.blocks));
    ++listing.blocks;
  }
  return listing;
}

Listing list_bytes(const Options& options, std::span<const std::uint8_t> bytes, const std::string& name) {
  const auto start = bytes.first(std::min(bytes.size(), recognised_bytes));
  if (recognise_format(start, name, options.format) == format::BlockFormat::fsst) {
    return list_fsst_file(bytes, name);
  }
  return list_frame(bytes, name);
}

using Row = std::array<std::string, 9>;

// Names stand to the left, numbers to the right.
constexpr std::array<bool, 9> left_aligned = {true, false, false, false, false, false, false, true, true};

Row row_of(const Listing& listing) {
  const auto number_or_dash = [](auto value) { return value ? std::to_string(*value) : std::string("-"); };
  return {std::string(format::block_format_name(listing.format)),
          std::to_string(listing.blocks),
          number_or_dash(listing.block_bytes),
          number_or_dash(listing.splits),
          std::to_string(listing.compressed_bytes),
          std::to_string(listing.uncompressed_bytes),
          ratio_text(listing.uncompressed_bytes, listing.compressed_bytes),
          listing.checksum.value_or("none"),
          listing.file};
}

template <typename Value>
nlohmann::ordered_json value_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

Listing list_file(const Options& options, const InputFile& input) {
  const MappedFile file(input);
  try {
    Listing listing = list_bytes(options, file.bytes(), input.name());
    file.check_unchanged();
    return listing;
  } catch (const std::exception&) {
    // A file that was cut meanwhile is not damaged.
    file.check_unchanged();
    throw;
  }
}

std::string listing_text(const std::vector<Listing>& listings) {
  std::vector<Row> rows = {
      {"format", "blocks", "block size", "splits", "compressed", "uncompressed", "ratio", "check", "file"}};
  for (const Listing& listing : listings) rows.push_back(row_of(listing));

  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - row[column].size(), ' ');
      line += left_aligned[column] ? row[column] + padding : padding + row[column];
      line += "  ";
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

nlohmann::ordered_json listing_json(const Listing& listing) {
  return {{"file", listing.file},
          {"format", format::block_format_name(listing.format)},
          {"blocks", listing.blocks},
          {"block_bytes", value_or_null(listing.block_bytes)},
          {"splits", value_or_null(listing.splits)},
          {"strip_codes", value_or_null(listing.strip_codes)},
          {"compressed_bytes", listing.compressed_bytes},
          {"uncompressed_bytes", listing.uncompressed_bytes},
          {"ratio", ratio_json(listing.uncompressed_bytes, listing.compressed_bytes)},
          {"checksum", value_or_null(listing.checksum)}};
}

}  // namespace gsst::cli
