#include "search/codes/checked_block.hpp"

#include <algorithm>
#include <utility>

#include "cpu/tiles/block_decoder.hpp"
#include "search/codes/code_reader.hpp"

namespace gsst::search::codes {
namespace {

constexpr std::size_t sample_bytes = std::size_t{64} << 10;

}  // namespace

CheckedBlock check_block(std::span<const std::uint8_t> payload, const format::BlockRecord& record,
                         format::TableWindow& tables, std::uint64_t number) {
  const format::BlockView view = format::parse_block(payload,
                                                     {.format = format::BlockFormat::tiles,
                                                      .layout = record.layout,
                                                      .uncompressed_bytes = record.uncompressed_bytes,
                                                      .split_count = 1},
                                                     number);
  format::TableBlock table = tables.table_of(view, number);
  return {.view = view, .table = std::move(table), .number = number};
}

std::vector<std::uint8_t> decode(const CheckedBlock& block) {
  std::vector<std::uint8_t> text(block.view.uncompressed_bytes);
  const std::span<const std::uint8_t> table_block =
      block.is_raw() ? std::span<const std::uint8_t>() : std::span(*block.table);
  cpu::tiles::decode_block(block.view, text, block.number, 1, table_block);
  return text;
}

std::vector<std::uint8_t> sample_of(const CheckedBlock& block) {
  if (block.is_raw()) {
    const auto start = block.view.codes.first(std::min(sample_bytes, block.view.codes.size()));
    return {start.begin(), start.end()};
  }
  const auto table = cpu::tiles::read_code_table(block.table_holder());
  std::vector<std::uint8_t> sample;
  CodeReader(block.header(), *table, block.number).append_text(0, 0, sample_bytes, sample);
  return sample;
}

}  // namespace gsst::search::codes
