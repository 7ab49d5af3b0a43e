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
#include "reference_cpu/codec.hpp"
#include "reference_cpu/memory_codec.hpp"

// The first bytes choose what is tried, the rest is the input. Either a block is encoded with a table whose
// symbols are cut from the input: fast, and with tables that no training would give. Or the input goes
// through the codec of any series' format and back, and in series gsst through both of its ways of
// decompression, which takes some 30 times as long.

namespace {

using gsst::format::BlockFormat;
using gsst::format::SymbolTable;
using gsst::reference::Codec;
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

const Codec& codec_of(const Choices& choices) {
  const std::vector<const Codec*> codecs = gsst::reference::registered_codecs();
  return *codecs[choices.format % codecs.size()];
}

BlockFormat format_of(const Choices& choices) {
  return codec_of(choices).traits().format;
}

bool is_of_series_gsst(BlockFormat format) {
  return format <= BlockFormat::tiles;
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
  // A block of a frame is neither empty nor of format fsst; encode_block() is of series gsst.
  if (input.empty() || !codec_of(choices).is_framed() || !is_of_series_gsst(format_of(choices))) return;
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
  const Codec& codec = codec_of(choices);
  const std::size_t smallest = input.size() / most_blocks + 1;
  const std::size_t block_bytes = smallest + (input.size() + 1) * choices.block_size / 256;
  gsst::reference::EncodeSettings settings = {.block_bytes = block_bytes, .threads = threads_of(choices)};
  if (codec.has_option("splits")) settings.options["splits"] = split_count_of(choices);
  const Bytes compressed = gsst::reference::encode_file(codec, input, settings);
  const Bytes output = gsst::reference::decode_file(codec, compressed, threads_of(choices));
  require(std::equal(output.begin(), output.end(), input.begin(), input.end()), "a file gives other bytes");
  if (!is_of_series_gsst(codec.traits().format)) return;
  require(
      (codec.is_framed() ? gsst::reference::decompress_frame(compressed, threads_of(choices))
                         : gsst::reference::decompress_fsst_file(compressed, threads_of(choices))) == output,
      "the memory decoder gives other bytes");
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
