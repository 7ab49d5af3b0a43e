#include "experiments/measure_cpu/levels_of_blocks.hpp"

#include "common/frame/checksum.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

constexpr auto blocks_format = format::BlockFormat::blocks;
constexpr unsigned blocks_code_bits = 8;

std::size_t encoded_bytes(const format::SymbolTable& table, reference::Parse parse, ByteSpan input,
                          Bytes& codes) {
  return reference::TableEncoder(table, parse).encode(input, codes);
}

/// As the command `gsst` stores it: as it is where coding does not pay.
reference::CompressedBlock compress_with_table(const format::SymbolTable& table, reference::Parse parse,
                                               ByteSpan input) {
  format::BuiltBlock built = reference::encode_block(blocks_format, table, input, 1, 1, parse);
  const std::uint64_t raw_bytes = format::raw_payload_bytes(blocks_format, input.size());
  reference::CompressedBlock block;
  block.record.layout = built.layout;
  block.bytes = std::move(built.bytes);
  if (block.bytes.size() >= raw_bytes) {
    block.record.layout = format::BlockLayout::raw;
    block.bytes.assign(input.begin(), input.end());
    block.bytes.resize(raw_bytes);
  }
  block.record.payload_bytes = static_cast<std::uint32_t>(block.bytes.size());
  block.record.uncompressed_bytes = static_cast<std::uint32_t>(input.size());
  block.record.checksum = format::checksum(input);
  return block;
}

void measure_held_out_block(ByteSpan input, unsigned level, LevelRow& row) {
  const HeldOut parts = hold_out(input);
  if (parts.evaluated.empty()) return;
  const format::SymbolTable table = reference::train_for_level(parts.training, level);
  Bytes codes(reference::Encoder::max_encoded_bytes(parts.evaluated.size()));
  row.held_out_bytes = parts.evaluated.size();
  row.held_out_code_bytes = encoded_bytes(table, reference::level_parse(level), parts.evaluated, codes);
  Bytes decoded(parts.evaluated.size());
  poison(decoded, parts.evaluated);
  // What is wrong with the codes shows in the bytes.
  static_cast<void>(reference::decode_fast(table, ByteSpan(codes).first(row.held_out_code_bytes), decoded));
  verify(decoded, parts.evaluated, describe(row) + ", held out");
}

}  // namespace

LevelRow measure_level_of_blocks(ByteSpan input, unsigned level, std::size_t repetitions) {
  const reference::Parse parse = reference::level_parse(level);
  const std::vector<ByteSpan> blocks = cut_blocks(input);
  std::vector<format::SymbolTable> tables(blocks.size());
  const auto train = [&] {
    for (std::size_t i = 0; i < blocks.size(); ++i) tables[i] = reference::train_for_level(blocks[i], level);
  };
  const SecondsSummary training = time_repeatedly(train, training_repetitions(repetitions));

  Bytes codes(reference::Encoder::max_encoded_bytes(level_block_bytes));
  const auto encode = [&] {
    for (std::size_t i = 0; i < blocks.size(); ++i) encoded_bytes(tables[i], parse, blocks[i], codes);
  };
  const SecondsSummary encoding = time_repeatedly(encode, encoding_repetitions(repetitions));

  std::vector<reference::CompressedBlock> compressed;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    compressed.push_back(compress_with_table(tables[i], parse, blocks[i]));
  const Bytes frame_bytes = build_frame(blocks_format, compressed);
  const format::FrameView frame = format::parse_frame(frame_bytes);
  LevelRow row =
      make_level_row(blocks_format, level, blocks_code_bits, parse, input.size(), frame_bytes.size());
  row.training = training;
  row.trained_tables = tables.size();
  row.encoding = encoding;
  const auto decode = [&](std::span<std::uint8_t> output) {
    decode_frame_blocks(frame, reference::decode_fast, 1, output);
  };
  row.row.seconds = time_verified(decode, input, decoding_repetitions(repetitions), describe(row));
  measure_held_out_block(input, level, row);
  return row;
}

}  // namespace gsst::experiments
