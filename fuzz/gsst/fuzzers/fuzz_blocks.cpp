#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/block_codec.hpp"

// The first bytes choose what is tried, the rest is the input: a block encoded with a table whose symbols are
// cut from the input. Fast, and with tables that no training would give.

namespace {

using gsst::format::BlockFormat;
using gsst::format::SymbolTable;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array formats = {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced,
                                BlockFormat::tiles};
constexpr std::array<std::uint32_t, 12> split_counts = {1, 2, 3, 7, 32, 33, 128, 254, 255, 256, 257, 1000};

struct Choices {
  std::uint8_t format;
  std::uint8_t split_count;
  std::uint8_t threads;
  std::uint8_t symbol_count;
};

BlockFormat format_of(const Choices& choices) {
  return formats[choices.format % formats.size()];
}

std::uint32_t split_count_of(const Choices& choices) {
  return gsst::format::has_splits(format_of(choices))
             ? split_counts[choices.split_count % split_counts.size()]
             : 1;
}

unsigned threads_of(const Choices& choices) {
  return choices.threads % 16 == 0 ? 2 : 1;
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Symbols of chosen lengths one after the other from the input, in the stored order; some may be alike.
SymbolTable table_from(std::span<const std::uint8_t> input, unsigned symbol_count) {
  std::array<std::vector<std::uint64_t>, gsst::format::max_symbol_length + 1> by_length;
  for (unsigned i = 0; i < symbol_count && input.size() > gsst::format::max_symbol_length; ++i) {
    const unsigned length = 1 + input[0] % gsst::format::max_symbol_length;
    std::uint64_t symbol = 0;
    for (unsigned byte = 0; byte < length; ++byte) symbol |= std::uint64_t{input[1 + byte]} << (8 * byte);
    by_length[length].push_back(symbol);
    input = input.subspan(length);
  }
  SymbolTable table;
  for (const unsigned length : gsst::format::stored_length_order) {
    for (const std::uint64_t symbol : by_length[length]) {
      table.symbols[table.symbol_count] = symbol;
      table.lengths[table.symbol_count++] = static_cast<std::uint8_t>(length);
    }
  }
  return table;
}

void check_block(std::span<const std::uint8_t> input, const Choices& choices) {
  // No block of a frame is empty.
  if (input.empty()) return;
  const SymbolTable table = table_from(input, choices.symbol_count);
  const std::uint32_t split_count = split_count_of(choices);
  const auto built =
      gsst::reference::encode_block(format_of(choices), table, input, split_count, threads_of(choices));
  const auto view = gsst::format::parse_block(built.bytes,
                                              {.format = format_of(choices),
                                               .layout = built.layout,
                                               .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                                               .split_count = split_count},
                                              0);
  Bytes output(input.size());
  gsst::reference::decode_block(view, output, 0, threads_of(choices));
  require(std::equal(output.begin(), output.end(), input.begin()), "a block gives other bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < sizeof(Choices)) return 0;
  check_block({data + sizeof(Choices), size - sizeof(Choices)},
              {.format = data[0], .split_count = data[1], .threads = data[2], .symbol_count = data[3]});
  return 0;
}
