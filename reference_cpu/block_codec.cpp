#include "reference_cpu/block_codec.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/part_decoder.hpp"
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

void check_codes(DecodeProblem problem, std::optional<std::uint64_t> block) {
  if (problem != DecodeProblem::none) throw FormatError(block, "codes", describe(problem));
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
  PartDecoder(block, block_number, table_block).decode_all(output, threads);
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
  check_codes(size.problem, block_number);
  std::vector<std::uint8_t> output(size.bytes);
  check_codes(decode_fast(block.table, block.codes, output), block_number);
  return output;
}

}  // namespace gsst::reference
