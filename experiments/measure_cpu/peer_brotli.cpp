#include <brotli/decode.h>
#include <brotli/encode.h>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> brotli_compress(int quality, std::span<const std::uint8_t> input) {
  std::vector<std::uint8_t> compressed(BrotliEncoderMaxCompressedSize(input.size()));
  std::size_t bytes = compressed.size();
  if (BrotliEncoderCompress(quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, input.size(), input.data(),
                            &bytes, compressed.data()) != BROTLI_TRUE)
    throw CodecError("brotli failed to compress");
  compressed.resize(bytes);
  return compressed;
}

void brotli_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  std::size_t bytes = output.size();
  if (BrotliDecoderDecompress(compressed.size(), compressed.data(), &bytes, output.data()) !=
      BROTLI_DECODER_RESULT_SUCCESS)
    throw CodecError("brotli failed to decompress");
  if (bytes != output.size()) throw CodecError("brotli decompressed to another size");
}

/// The library gives its version as 8 bits major, 12 bits minor, 12 bits patch.
std::string brotli_version() {
  const std::uint32_t packed = BrotliDecoderVersion();
  return std::to_string(packed >> 24) + "." + std::to_string((packed >> 12) & 0xfff) + "." +
         std::to_string(packed & 0xfff);
}

Codec brotli_codec(int quality) {
  return {
      .stage = "peer/brotli",
      .variant = "quality " + std::to_string(quality),
      .parameters = {{"quality", quality},
                     {"window_bits", BROTLI_DEFAULT_WINDOW},
                     {"library", brotli_version()},
                     {"checksum", "none"}},
      .compress = [quality](std::span<const std::uint8_t> input) { return brotli_compress(quality, input); },
      .decompress = brotli_decompress};
}

}  // namespace

/// Quality 11 is left out: it compresses less than 1 MB a second.
std::vector<Codec> brotli_codecs() {
  return {brotli_codec(1), brotli_codec(5), brotli_codec(9)};
}

}  // namespace gsst::experiments
