#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "common/format/block.hpp"
#include "common/format/symbol_table.hpp"
#include "fuzz/stream_decoding.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/memory_codec.hpp"

// The first bytes choose what is tried, the rest is the input. Either a block is encoded with a table whose
// symbols are cut from the input: fast, and with tables that no training would give. Or the input goes
// through training, compression and both ways of decompression, which takes some 30 times as long.

namespace {

using gsst::format::BlockFormat;
using gsst::format::SymbolTable;
using Bytes = std::vector<std::uint8_t>;

// Each block trains a table, which is what takes the time.
constexpr std::size_t most_blocks = 3;
constexpr std::array<std::uint32_t, 12> split_counts = {1, 2, 3, 7, 32, 33, 128, 254, 255, 256, 257, 1000};

struct Choices {
  std::uint8_t format;
  std::uint8_t split_count;
  std::uint8_t threads;
  std::uint8_t block_size;
  std::uint8_t symbol_count;
  std::uint8_t whole_file;
};

BlockFormat format_of(const Choices& choices) {
  return static_cast<BlockFormat>(choices.format % 5);
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
  // A block of a frame is neither empty nor of format fsst.
  if (input.empty() || format_of(choices) == BlockFormat::fsst) return;
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

void check_file(std::span<const std::uint8_t> input, const Choices& choices) {
  const bool fsst = format_of(choices) == BlockFormat::fsst;
  const std::size_t smallest = input.size() / most_blocks + 1;
  const std::size_t block_bytes = smallest + (input.size() + 1) * choices.block_size / 256;
  const Bytes compressed = gsst::reference::compress(input, {.format = format_of(choices),
                                                             .block_bytes = block_bytes,
                                                             .split_count = split_count_of(choices),
                                                             .threads = threads_of(choices)});
  const Bytes output = fsst ? gsst::reference::decompress_fsst_file(compressed, threads_of(choices))
                            : gsst::reference::decompress_frame(compressed, threads_of(choices));
  require(std::equal(output.begin(), output.end(), input.begin(), input.end()),
          "the memory decoder gives other bytes");
  require(gsst::fuzz::decode_as_stream(compressed, fsst) == output, "the stream decoder gives other bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < sizeof(Choices)) return 0;
  const Choices choices{.format = data[0],
                        .split_count = data[1],
                        .threads = data[2],
                        .block_size = data[3],
                        .symbol_count = data[4],
                        .whole_file = data[5]};
  const std::span input(data + sizeof(Choices), size - sizeof(Choices));
  // Not the value 0, which mutations like best.
  if (choices.whole_file % 64 == 63) {
    check_file(input, choices);
  } else {
    check_block(input, choices);
  }
  return 0;
}
