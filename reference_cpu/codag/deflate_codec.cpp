#include "reference_cpu/codag/deflate_codec.hpp"

#include <utility>

#include "common/format/codag/deflate_rules.hpp"
#include "common/format/error.hpp"
#include "reference_cpu/codag/frame_decoding.hpp"
#include "reference_cpu/codag/inflate.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"

namespace gsst::reference::codag {
namespace {

using DeflateBytes = std::vector<std::uint8_t>;
using format::codag::DeflateStatus;
using tile_integer::BlockPayload;

BlockPayload encode_block_of_deflate(std::span<const std::uint8_t> block, const DeflateChoice& choice) {
  DeflateBytes stream = encode_deflate(block, choice, block.size() - 1);
  if (!stream.empty()) return {.layout = format::codag::coded_layout, .payload = std::move(stream)};
  return {.layout = format::BlockLayout::raw, .payload = DeflateBytes(block.begin(), block.end())};
}

DeflateBytes decode_block_of_deflate(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                                     std::uint64_t block) {
  Inflated inflated = inflate_payload(payload, uncompressed_bytes);
  if (inflated.status == DeflateStatus::decoded && inflated.bytes.size() < uncompressed_bytes) {
    inflated.status = DeflateStatus::output_too_short;
  }
  if (inflated.status == DeflateStatus::decoded) return std::move(inflated.bytes);
  const format::StatusText text = format::codag::describe_deflate(inflated.status, inflated.position);
  throw format::FormatError(block, text.field, text.problem);
}

}  // namespace

void DeflateCodec::check(const EncodeSettings& settings) const {
  deflate_choice(settings);
}

EncodeTotals DeflateCodec::encode(const format::ReadFunction& read, const format::WriteFunction& write,
                                  const EncodeSettings& settings,
                                  const format::ProgressFunction& progress) const {
  const DeflateChoice choice = deflate_choice(settings);
  EncodeTotals totals = tile_integer::write_frame_file(
      traits().format, read, write, settings, progress,
      [&](std::span<const std::uint8_t> block) { return encode_block_of_deflate(block, choice); });
  totals.how = deflate_text(choice);
  totals.numbers = {{"level", choice.level}};
  return totals;
}

format::StreamTotals DeflateCodec::decode(const format::ReadFunction& read,
                                          const format::WriteFunction& write, unsigned /*threads*/,
                                          const format::ProgressFunction& progress) const {
  return decode_frame(read, write, progress, decode_block_of_deflate);
}

DeflateBytes DeflateCodec::decode_payload(std::span<const std::uint8_t> payload,
                                          const format::BlockExpectation& expected,
                                          const format::PayloadPart& /*part*/, std::uint64_t block) const {
  return decode_block_of_deflate(payload, expected.uncompressed_bytes, block);
}

FileListing DeflateCodec::list(std::span<const std::uint8_t> file) const {
  return list_frame(format::parse_frame(file));
}

}  // namespace gsst::reference::codag
