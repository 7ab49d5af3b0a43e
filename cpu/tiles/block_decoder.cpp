#include "cpu/tiles/block_decoder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::cpu::tiles {
namespace {

// Runs of strips that a thread gets: as many as even out what other programs take from some of the threads.
constexpr unsigned runs_of_a_thread = 4;

CodeKind kind_of(const format::TilesHeader& block) {
  switch (block.shape().code_bits) {
    case 12:
      return CodeKind::bits_12;
    case 10:
      return CodeKind::bits_10;
    default:
      return block.escape_free() != 0 ? CodeKind::bits_8 : CodeKind::bits_8_with_halves;
  }
}

// The symbol of `length` bytes at `stored`. A symbol before the last few is read as a word.
std::uint64_t read_symbol(const std::uint8_t* stored, std::size_t length, const std::uint8_t* end) {
  if (length == 0) return 0;
  if (static_cast<std::size_t>(end - stored) >= format::max_symbol_length) {
    const unsigned unused_bits = 8 * static_cast<unsigned>(format::max_symbol_length - length);
    return format::load_little_endian<8>(stored) & (~std::uint64_t{0} >> unused_bits);
  }
  std::uint64_t symbol = 0;
  for (std::size_t byte = 0; byte < length; ++byte) symbol |= std::uint64_t{stored[byte]} << (8 * byte);
  return symbol;
}

// TilesHeader::symbol() of all codes, in one pass: a block's table is read for each block.
void read_symbols(const format::TilesHeader& holder, CodeTable& table) {
  const std::uint32_t code_count = holder.shape().code_count();
  const std::uint32_t class_codes = holder.shape().class_codes();
  const std::uint32_t first_stored = holder.first_stored_code();
  for (std::uint32_t code = 0; code < first_stored; ++code) table.symbols[code] = holder.symbol(code);
  const std::uint8_t* stored = holder.stored_symbols();
  const std::uint8_t* const end = stored + holder.stored_symbol_bytes(code_count);
  for (std::uint32_t code = first_stored; code < code_count; ++code) {
    const std::size_t length = table.class_lengths[code / class_codes];
    table.symbols[code] = read_symbol(stored, length, end);
    stored += length;
  }
  for (std::uint32_t code = 0; code < code_count; ++code) {
    table.lengths[code] = table.class_lengths[code / class_codes];
  }
}

// A block stores them in this order, except for the literal bytes of the first classes.
void pack_symbols(const format::TilesHeader& holder, CodeTable& table) {
  const std::uint32_t first_stored = holder.first_stored_code();
  for (std::uint32_t code = 0; code < first_stored; ++code) {
    table.packed_symbols[code] = static_cast<std::uint8_t>(table.symbols[code]);
  }
  std::memcpy(table.packed_symbols + first_stored, holder.stored_symbols(),
              holder.stored_symbol_bytes(holder.shape().code_count()));
  std::uint8_t start = 0;
  for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
    table.class_starts[i] = start;
    start = static_cast<std::uint8_t>(start + table.class_lengths[i]);
  }
}

[[noreturn]] void throw_problem(StripProblem problem, std::uint32_t strip,
                                std::optional<std::uint64_t> block_number) {
  const reference::DecodeProblem described = problem == StripProblem::output_too_long
                                                 ? reference::DecodeProblem::output_too_long
                                                 : reference::DecodeProblem::output_too_short;
  throw format::FormatError(block_number, "codes of strip " + std::to_string(strip),
                            reference::describe(described));
}

}  // namespace

std::unique_ptr<const CodeTable> read_code_table(const format::TilesHeader& holder) {
  auto table = std::make_unique_for_overwrite<CodeTable>();
  table->kind = kind_of(holder);
  for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
    table->class_lengths[i] = static_cast<std::uint8_t>(holder.class_length(i));
    table->class_masks[i] = static_cast<std::uint8_t>((1u << table->class_lengths[i]) - 1);
  }
  read_symbols(holder, *table);
  if (table->kind == CodeKind::bits_12) pack_symbols(holder, *table);
  if (table->kind == CodeKind::bits_8_with_halves) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      table->symbols[literal_bytes + byte] = byte;
      table->lengths[literal_bytes + byte] = 1;
    }
  }
  return table;
}

BlockDecoder::BlockDecoder(const format::TilesHeader& block, const format::TilesHeader& table_holder,
                           const InstructionSet& instructions)
    : block_(block), decode_strip_(instructions.decode_strip), table_(read_code_table(table_holder)) {}

StripCodes BlockDecoder::codes_of(std::uint32_t strip) const {
  const format::TileShape shape = block_.shape();
  const std::uint64_t strip_codes = std::uint64_t{block_.tiles_per_strip()} * shape.codes();
  const std::uint64_t begin = strip * strip_codes;
  return {.first_tile = block_.tile(std::uint64_t{strip} * block_.tiles_per_strip()),
          .tile_codes = shape.codes(),
          .tile_bytes = shape.bytes(),
          .codes = static_cast<std::uint32_t>(std::min(strip_codes, block_.code_count() - begin))};
}

void BlockDecoder::decode_strip_before(std::uint32_t strip, std::uint8_t* begin,
                                       const std::uint8_t* output_end,
                                       std::optional<std::uint64_t> block_number) const {
  const std::size_t bytes = block_.strip_output(strip + 1) - block_.strip_output(strip);
  const StripProblem problem =
      decode_strip_(*table_, codes_of(strip),
                    {.begin = begin, .bytes = bytes, .room = static_cast<std::size_t>(output_end - begin)});
  if (problem != StripProblem::none) throw_problem(problem, strip, block_number);
}

void BlockDecoder::decode_strip(std::uint32_t strip, std::span<std::uint8_t> output,
                                std::optional<std::uint64_t> block_number) const {
  decode_strip_before(strip, output.data(), output.data() + output.size(), block_number);
}

void BlockDecoder::decode_all(std::span<std::uint8_t> output, std::optional<std::uint64_t> block_number,
                              unsigned threads) const {
  const std::uint64_t strips = strip_count();
  const std::uint64_t wanted_runs = threads <= 1 ? 1 : std::uint64_t{threads} * runs_of_a_thread;
  const std::uint64_t runs = std::min(strips, wanted_runs);
  reference::parallel_for(runs, threads, [&](std::size_t run) {
    const auto first = static_cast<std::uint32_t>(strips * run / runs);
    const auto last = static_cast<std::uint32_t>(strips * (run + 1) / runs);
    // A strip may write past its end where the strips of this run follow, not where those of another do.
    const std::uint8_t* const end = output.data() + block_.strip_output(last);
    for (std::uint32_t strip = first; strip < last; ++strip) {
      decode_strip_before(strip, output.data() + block_.strip_output(strip), end, block_number);
    }
  });
}

void decode_block(const format::BlockView& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number, unsigned threads,
                  std::span<const std::uint8_t> table_block) {
  if (block.format != format::BlockFormat::tiles) {
    throw std::invalid_argument("decode_block: the block is not of format tiles");
  }
  if (output.size() != block.uncompressed_bytes) {
    throw std::invalid_argument("decode_block: the output has " + std::to_string(output.size()) +
                                " bytes, the block " + std::to_string(block.uncompressed_bytes));
  }
  if (block.layout == format::BlockLayout::raw) {
    std::copy(block.codes.begin(), block.codes.end(), output.begin());
    return;
  }
  const format::TilesHeader header(block.header.data());
  if (table_block.empty() && header.dictionary_id() != 0) {
    throw std::invalid_argument("decode_block: the block's table is in another block");
  }
  BlockDecoder(header, table_block.empty() ? header : format::TilesHeader(table_block.data()))
      .decode_all(output, block_number, threads);
}

}  // namespace gsst::cpu::tiles
