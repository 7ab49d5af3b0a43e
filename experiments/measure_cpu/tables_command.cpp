#include "experiments/measure_cpu/tables_command.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t split_bytes = 4096;

// What one table holds.
struct TableUse {
  std::array<unsigned, format::max_symbol_length> symbols_by_length{};
  unsigned rows = 0;
  unsigned most_columns = 0;
  // Pairs of bytes that FSST's table of short codes has a code for.
  unsigned short_codes = 0;
};

TableUse use_of(const format::SymbolTable& table) {
  TableUse use;
  std::array<unsigned, 256> columns{};
  std::array<bool, 256> singles{};
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    ++use.symbols_by_length[table.lengths[code] - 1];
    const auto first_byte = static_cast<std::uint8_t>(table.symbols[code]);
    if (table.lengths[code] == 1) singles[first_byte] = true;
    if (table.lengths[code] == 2) ++columns[first_byte];
  }
  for (std::size_t byte = 0; byte < columns.size(); ++byte) {
    use.rows += columns[byte] != 0 ? 1 : 0;
    use.most_columns = std::max(use.most_columns, columns[byte]);
    // A symbol of one byte has the entries of all pairs that start with it and are no symbols themselves.
    use.short_codes += singles[byte] ? 256 : columns[byte];
  }
  return use;
}

struct EncodedBlock {
  TableUse use;
  std::uint64_t bytes;
};

EncodedBlock encode(std::span<const std::uint8_t> block, const reference::TableLimits& limits,
                    std::uint64_t number) {
  const auto splits = static_cast<std::uint32_t>(format::part_size(block.size(), split_bytes));
  const format::SymbolTable table =
      reference::train_symbol_table(block, reference::default_training_seed, limits);
  const format::BuiltBlock built = reference::encode_block(format::BlockFormat::splits, table, block, splits);
  const format::BlockView view =
      format::parse_block(built.bytes,
                          {.format = format::BlockFormat::splits,
                           .layout = built.layout,
                           .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                           .split_count = splits},
                          number);
  std::vector<std::uint8_t> decoded(block.size());
  reference::decode_block(view, decoded, number);
  if (!std::ranges::equal(decoded, block)) {
    throw MismatchError("block " + std::to_string(number) + ": decoded bytes differ from the input");
  }
  // A block that coding makes larger is stored as it is.
  return {.use = use_of(table), .bytes = std::min(built.bytes.size(), block.size())};
}

double mean(std::uint64_t sum, std::size_t count) {
  return static_cast<double>(sum) / static_cast<double>(count);
}

Json summary_of(std::span<const EncodedBlock> blocks) {
  std::array<std::uint64_t, format::max_symbol_length> symbols{};
  std::uint64_t rows = 0;
  std::uint64_t pairs = 0;
  std::uint64_t short_codes = 0;
  unsigned most_rows = 0;
  unsigned most_columns = 0;
  for (const EncodedBlock& block : blocks) {
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] += block.use.symbols_by_length[i];
    rows += block.use.rows;
    pairs += block.use.symbols_by_length[1];
    short_codes += block.use.short_codes;
    most_rows = std::max(most_rows, block.use.rows);
    most_columns = std::max(most_columns, block.use.most_columns);
  }
  return {{"count", blocks.size()},
          {"symbols_by_length", symbols},
          {"mean_short_codes", mean(short_codes, blocks.size())},
          {"most_rows", most_rows},
          {"mean_rows", mean(rows, blocks.size())},
          {"most_columns", most_columns},
          {"mean_columns", rows == 0 ? 0 : mean(pairs, rows)}};
}

Json measure(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
             const reference::TableLimits& limits, const Dataset& dataset) {
  std::vector<EncodedBlock> blocks(format::part_size(input.size(), block_bytes));
  reference::parallel_for(blocks.size(), reference::thread_count(0), [&](std::size_t number) {
    const std::size_t begin = number * block_bytes;
    const auto block = input.subspan(begin, std::min<std::size_t>(block_bytes, input.size() - begin));
    blocks[number] = encode(block, limits, number);
  });
  std::uint64_t bytes = 0;
  for (const EncodedBlock& block : blocks) bytes += block.bytes;
  Json row = row_to_json({.stage = "reference_cpu/fast",
                          .variant = "splits",
                          .parameters = {{"block_bytes", block_bytes},
                                         {"hash_entries", limits.long_symbols},
                                         {"match_rows", limits.pair_rows},
                                         {"match_pairs", limits.pairs_per_row}},
                          .uncompressed_bytes = input.size(),
                          .compressed_bytes = bytes,
                          .seconds = {}},
                         dataset);
  row["operation"] = "encode";
  row["tables"] = summary_of(blocks);
  return row;
}

}  // namespace

std::vector<StudiedWork> tables_works(const TablesOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  for (const unsigned hash_entries : options.hash_entries) {
    for (const unsigned match_rows : options.match_rows) {
      for (const unsigned match_pairs : options.match_pairs) {
        const reference::TableLimits limits = {
            .long_symbols = hash_entries, .pair_rows = match_rows, .pairs_per_row = match_pairs};
        works.push_back({.key = {{"block_bytes", options.block_bytes},
                                 {"hash_entries", hash_entries},
                                 {"match_rows", match_rows},
                                 {"match_pairs", match_pairs}},
                         .measure = [=, block_bytes = options.block_bytes] {
                           return std::vector{measure(*input, block_bytes, limits, dataset)};
                         }});
      }
    }
  }
  return works;
}

}  // namespace gsst::experiments
