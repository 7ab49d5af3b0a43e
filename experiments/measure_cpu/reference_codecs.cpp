#include "common/frame/frame.hpp"
#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

/// Uncompressed bytes per block, each with a symbol table of its own: the size that FSST's own tool uses.
constexpr std::uint64_t reference_block_bytes = std::uint64_t{4} << 20;

std::vector<std::uint8_t> compress_frame(std::span<const std::uint8_t> input) {
  return reference::compress(
      input, {.format = format::BlockFormat::blocks, .block_bytes = reference_block_bytes, .split_count = 1});
}

Codec reference_codec(std::string stage, CodesDecoder decoder) {
  return {.stage = std::move(stage),
          .variant = "blocks",
          .parameters = {{"block_bytes", reference_block_bytes}, {"checksum", "none"}},
          .compress = compress_frame,
          .decompress = [decoder](std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
            decode_frame_blocks(format::parse_frame(compressed), decoder, 1, output);
          }};
}

}  // namespace

std::vector<Codec> reference_codecs() {
  return {reference_codec("reference_cpu/readable", reference::decode),
          reference_codec("reference_cpu/fast", reference::decode_fast)};
}

}  // namespace gsst::experiments
