#include <lzma.h>

#include <limits>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> lzma_compress(std::uint32_t preset, std::span<const std::uint8_t> input) {
  std::vector<std::uint8_t> compressed(lzma_stream_buffer_bound(input.size()));
  std::size_t bytes = 0;
  if (lzma_easy_buffer_encode(preset, LZMA_CHECK_CRC64, nullptr, input.data(), input.size(),
                              compressed.data(), &bytes, compressed.size()) != LZMA_OK)
    throw CodecError("lzma failed to compress");
  compressed.resize(bytes);
  return compressed;
}

void lzma_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  std::uint64_t memory_limit = std::numeric_limits<std::uint64_t>::max();
  std::size_t compressed_position = 0;
  std::size_t output_position = 0;
  constexpr std::uint32_t no_flags = 0;
  if (lzma_stream_buffer_decode(&memory_limit, no_flags, nullptr, compressed.data(), &compressed_position,
                                compressed.size(), output.data(), &output_position, output.size()) != LZMA_OK)
    throw CodecError("lzma failed to decompress");
  if (output_position != output.size()) throw CodecError("lzma decompressed to another size");
}

Codec lzma_codec(std::uint32_t preset) {
  return {.stage = "peer/lzma",
          .variant = "preset " + std::to_string(preset),
          .parameters = {{"preset", preset}, {"library", lzma_version_string()}, {"checksum", "crc64"}},
          .compress = [preset](std::span<const std::uint8_t> input) { return lzma_compress(preset, input); },
          .decompress = lzma_decompress};
}

}  // namespace

std::vector<Codec> lzma_codecs() {
  return {lzma_codec(1), lzma_codec(6)};
}

}  // namespace gsst::experiments
