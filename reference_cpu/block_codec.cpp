#include "reference_cpu/block_codec.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/format/checksum.hpp"
#include "common/format/error.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/tile_table.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;
using format::FormatError;

// Bytes that are written before they are read: a vector would set all of them to zero first.
class Scratch {
public:
  explicit Scratch(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(size)), size_(size) {}

  std::span<std::uint8_t> span() { return {bytes_.get(), size_}; }

private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_;
};

// The codes of a block in the order of the output, with what its header says of each split.
struct EncodedBlock {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint32_t> split_locations;
  std::vector<std::uint8_t> split_starts_escaped;
};

std::vector<std::uint8_t> encode_sequence(const TableEncoder& encoder, std::span<const std::uint8_t> input) {
  Scratch scratch(Encoder::max_encoded_bytes(input.size()));
  const std::size_t code_bytes = encoder.encode(input, scratch.span());
  const auto codes = scratch.span().first(code_bytes);
  return {codes.begin(), codes.end()};
}

// FORMAT.md, section 4: each split on its own.
EncodedBlock encode_splits(const TableEncoder& encoder, std::span<const std::uint8_t> input,
                           std::uint32_t split_count, unsigned threads) {
  const std::size_t split_bytes = format::part_size(input.size(), split_count);
  std::vector<std::vector<std::uint8_t>> split_codes(split_count);
  parallel_for(split_count, threads, [&](std::size_t split) {
    const std::size_t begin = std::min(split * split_bytes, input.size());
    const std::size_t end = std::min(begin + split_bytes, input.size());
    split_codes[split] = encode_sequence(encoder, input.subspan(begin, end - begin));
  });
  EncodedBlock encoded;
  for (const auto& codes : split_codes) {
    encoded.split_locations.push_back(static_cast<std::uint32_t>(encoded.codes.size()));
    encoded.codes.insert(encoded.codes.end(), codes.begin(), codes.end());
  }
  return encoded;
}

// FORMAT.md, section 5: one sequence, dealt out to the splits code by code.
EncodedBlock encode_coalesced(const TableEncoder& encoder, const format::SymbolTable& table,
                              std::span<const std::uint8_t> input, std::uint32_t split_count) {
  const std::vector<std::uint8_t> codes = encode_sequence(encoder, input);
  const auto code_bytes = static_cast<std::uint32_t>(codes.size());
  EncodedBlock encoded{
      .codes = std::vector<std::uint8_t>(codes.size()), .split_locations = {}, .split_starts_escaped = {}};
  std::uint32_t output_offset = 0;
  bool escaped = false;
  std::size_t position = 0;
  for (std::uint32_t split = 0; split < split_count; ++split) {
    const std::uint32_t split_codes = format::coalesced_split_codes(code_bytes, split_count, split);
    encoded.split_locations.push_back(output_offset);
    encoded.split_starts_escaped.push_back(escaped && split_codes != 0 ? 1 : 0);
    for (std::uint32_t index = 0; index < split_codes; ++index) {
      const std::uint8_t code = codes[position++];
      encoded.codes[format::coalesced_code_location(split_count, split, index)] = code;
      if (escaped) {
        ++output_offset;
        escaped = false;
      } else if (code == format::escape_code) {
        escaped = true;
      } else {
        output_offset += table.lengths[code];
      }
    }
  }
  return encoded;
}

[[noreturn]] void throw_codes_error(DecodeProblem problem, std::optional<std::uint64_t> block,
                                    std::optional<std::uint32_t> split) {
  throw FormatError(block, split ? "codes of split " + std::to_string(*split) : "codes", describe(problem));
}

void decode_split(const format::BlockView& block, std::uint32_t index, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number) {
  const format::Split split = block.split(index);
  const DecodeProblem problem =
      decode_fast(block.table, block.codes.subspan(split.first_code, split.code_bytes),
                  output.subspan(split.output_offset, split.output_bytes));
  if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, index);
}

void decode_coalesced_split(const format::BlockView& block, std::uint32_t index,
                            std::span<std::uint8_t> output, std::optional<std::uint64_t> block_number) {
  const format::Split split = block.split(index);
  std::vector<std::uint8_t> gathered(split.code_bytes);
  for (std::uint32_t code = 0; code < split.code_bytes; ++code) {
    gathered[code] = block.codes[format::coalesced_code_location(block.split_count, index, code)];
  }
  std::span<const std::uint8_t> codes = gathered;
  std::span<std::uint8_t> split_output = output.subspan(split.output_offset, split.output_bytes);
  if (split.starts_escaped) {
    if (split_output.empty()) throw_codes_error(DecodeProblem::output_too_long, block_number, index);
    split_output[0] = codes[0];
    codes = codes.subspan(1);
    split_output = split_output.subspan(1);
  }
  const bool escapes_next = index + 1 < block.split_count && block.split(index + 1).starts_escaped;
  if (escapes_next) {
    if (codes.empty() || codes.back() != format::escape_code) {
      throw FormatError(block_number, "split location " + std::to_string(index + 1),
                        "says that the split starts with an escaped byte, but split " +
                            std::to_string(index) + " does not end with an escape");
    }
    codes = codes.first(codes.size() - 1);
  }
  const DecodeProblem problem = decode_fast(block.table, codes, split_output);
  if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, index);
}

}  // namespace

format::BuiltBlock encode_block(BlockFormat block_format, const format::SymbolTable& table,
                                std::span<const std::uint8_t> input, std::uint32_t split_count,
                                unsigned threads, Parse parse) {
  if (input.empty() || input.size() > format::max_block_bytes) {
    throw std::invalid_argument("encode_block: a block has 1 to " + std::to_string(format::max_block_bytes) +
                                " bytes, not " + std::to_string(input.size()));
  }
  if (split_count < 1 || split_count > format::max_split_count) {
    throw std::invalid_argument("encode_block: a block has 1 to " + std::to_string(format::max_split_count) +
                                " splits, not " + std::to_string(split_count));
  }
  if (block_format == BlockFormat::tiles) {
    return {.layout = format::BlockLayout::wide, .bytes = encode_tiles(make_tile_table(table), input)};
  }
  const TableEncoder encoder(table, parse);
  EncodedBlock encoded;
  switch (block_format) {
    case BlockFormat::blocks:
      encoded.codes = encode_sequence(encoder, input);
      break;
    case BlockFormat::splits:
      encoded = encode_splits(encoder, input, split_count, threads);
      break;
    case BlockFormat::coalesced:
      encoded = encode_coalesced(encoder, table, input, split_count);
      break;
    case BlockFormat::tiles:
    case BlockFormat::fsst:
      throw std::invalid_argument("encode_block: an fsst block has no place in a frame");
  }
  return format::build_block({.format = block_format,
                              .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                              .table = table,
                              .codes = encoded.codes,
                              .split_locations = encoded.split_locations,
                              .split_starts_escaped = encoded.split_starts_escaped});
}

void decode_block(const format::BlockView& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number, unsigned threads,
                  std::span<const std::uint8_t> table_block) {
  if (output.size() != block.uncompressed_bytes) {
    throw std::invalid_argument("decode_block: the output has " + std::to_string(output.size()) +
                                " bytes, the block " + std::to_string(block.uncompressed_bytes));
  }
  if (block.layout == format::BlockLayout::raw) {
    std::copy(block.codes.begin(), block.codes.end(), output.begin());
    return;
  }
  if (block.format == BlockFormat::tiles) {
    const format::TilesHeader header(block.header.data());
    if (table_block.empty() && header.dictionary_id() != 0) {
      throw std::invalid_argument("decode_block: the block's table is in another block");
    }
    const std::uint8_t* const holder = table_block.empty() ? block.header.data() : table_block.data();
    decode_tiles(header, format::read_tile_table(format::TilesHeader(holder)), output, block_number, threads);
    return;
  }
  if (block.format == BlockFormat::blocks) {
    const DecodeProblem problem = decode_fast(block.table, block.codes, output);
    if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, std::nullopt);
    return;
  }
  const bool coalesced = block.format == BlockFormat::coalesced;
  parallel_for(block.split_count, threads, [&](std::size_t split) {
    const auto index = static_cast<std::uint32_t>(split);
    if (coalesced) {
      decode_coalesced_split(block, index, output, block_number);
    } else {
      decode_split(block, index, output, block_number);
    }
  });
}

void check_checksum(std::span<const std::uint8_t> output, const format::BlockRecord& record,
                    std::uint64_t block) {
  const std::uint64_t found = format::checksum(record.checksum_kind, output);
  if (found == record.checksum) return;
  throw FormatError(block, "checksum",
                    "of the decoded bytes is " + std::to_string(found) + ", the record says " +
                        std::to_string(record.checksum));
}

std::vector<std::uint8_t> decode_fsst_block(const format::FsstBlockView& block,
                                            std::optional<std::uint64_t> block_number) {
  const DecodedSize size = decoded_size(block.table, block.codes);
  if (size.problem != DecodeProblem::none) throw_codes_error(size.problem, block_number, std::nullopt);
  std::vector<std::uint8_t> output(size.bytes);
  const DecodeProblem problem = decode_fast(block.table, block.codes, output);
  if (problem != DecodeProblem::none) throw_codes_error(problem, block_number, std::nullopt);
  return output;
}

}  // namespace gsst::reference
