#include "experiments/measure_cpu/widths_command.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "common/format/part_size.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

/// Training takes seconds a table: so many blocks, from everywhere in the input, show what a table for each
/// costs.
constexpr std::uint64_t blocks_with_own_tables = 4;

/// Bytes of the frame of `input`, verified.
std::uint64_t stored_bytes(std::span<const std::uint8_t> input, const reference::CompressOptions& options) {
  const std::vector<std::uint8_t> frame = reference::compress(input, options);
  const std::vector<std::uint8_t> decoded = reference::decompress_frame(frame);
  if (!std::ranges::equal(decoded, input)) {
    throw MismatchError("blocks of " + std::to_string(options.block_bytes) + " bytes, codes of " +
                        std::to_string(options.code_bits) + " bits: decoded bytes differ from the input");
  }
  return frame.size();
}

Row row_of(const std::string& variant, const reference::CompressOptions& options, std::uint64_t blocks) {
  return {.stage = "reference_cpu/tiles",
          .variant = variant,
          .parameters = {{"block_bytes", options.block_bytes},
                         {"code_bits", options.code_bits},
                         {"level", options.level},
                         {"blocks", blocks}},
          .uncompressed_bytes = 0,
          .compressed_bytes = 0,
          .seconds = {}};
}

Row measure_shared_table(std::span<const std::uint8_t> input, const reference::CompressOptions& options) {
  Row row = row_of("shared table", options, format::part_size(input.size(), options.block_bytes));
  row.uncompressed_bytes = input.size();
  row.compressed_bytes = stored_bytes(input, options);
  return row;
}

/// The row is about as many bytes as the input has, in the proportion of the blocks that were made.
Row measure_own_tables(std::span<const std::uint8_t> input, const reference::CompressOptions& options) {
  const std::uint64_t whole_blocks = input.size() / options.block_bytes;
  const std::uint64_t blocks = std::min(whole_blocks, blocks_with_own_tables);
  std::uint64_t stored = 0;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::uint64_t begin = i * whole_blocks / blocks * options.block_bytes;
    stored += stored_bytes(input.subspan(begin, options.block_bytes), options);
  }
  Row row = row_of("own tables", options, blocks);
  row.uncompressed_bytes = input.size();
  row.compressed_bytes =
      static_cast<std::uint64_t>(static_cast<double>(stored) * static_cast<double>(input.size()) /
                                 static_cast<double>(blocks * options.block_bytes));
  return row;
}

}  // namespace

std::vector<StudiedWork> widths_works(const WidthsOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  const std::uint64_t largest = *std::max_element(options.block_bytes.begin(), options.block_bytes.end());
  if (largest > input->size()) {
    throw InputError("--block-bytes " + std::to_string(largest) + ": the input has only " +
                     std::to_string(input->size()) + " bytes, not one whole block");
  }
  std::vector<StudiedWork> works;
  for (const std::uint64_t block_bytes : options.block_bytes) {
    for (const std::uint32_t code_bits : options.code_bits) {
      const reference::CompressOptions compression = {.format = format::BlockFormat::tiles,
                                                      .block_bytes = block_bytes,
                                                      .code_bits = code_bits,
                                                      .level = options.level};
      for (const auto& [tables, measure] :
           {std::pair("shared", &measure_shared_table), std::pair("own", &measure_own_tables)}) {
        works.push_back({.key = {{"tables", tables},
                                 {"block_bytes", block_bytes},
                                 {"code_bits", code_bits},
                                 {"level", options.level}},
                         .measure = [=, measure = measure] {
                           return std::vector{row_to_json(measure(*input, compression), dataset)};
                         }});
      }
    }
  }
  return works;
}

}  // namespace gsst::experiments
