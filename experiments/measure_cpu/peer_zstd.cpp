#include <zstd.h>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> zstd_compress(int level, std::span<const std::uint8_t> input) {
  std::vector<std::uint8_t> compressed(ZSTD_compressBound(input.size()));
  const std::size_t bytes =
      ZSTD_compress(compressed.data(), compressed.size(), input.data(), input.size(), level);
  if (ZSTD_isError(bytes) != 0)
    throw CodecError(std::string("zstd failed to compress: ") + ZSTD_getErrorName(bytes));
  compressed.resize(bytes);
  return compressed;
}

void zstd_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  const std::size_t bytes =
      ZSTD_decompress(output.data(), output.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(bytes) != 0)
    throw CodecError(std::string("zstd failed to decompress: ") + ZSTD_getErrorName(bytes));
  if (bytes != output.size()) throw CodecError("zstd decompressed to another size");
}

Codec zstd_codec(int level) {
  return {.stage = "peer/zstd",
          .variant = "level " + std::to_string(level),
          .parameters = {{"level", level}, {"library", ZSTD_versionString()}, {"checksum", "none"}},
          .compress = [level](std::span<const std::uint8_t> input) { return zstd_compress(level, input); },
          .decompress = zstd_decompress};
}

}  // namespace

std::vector<Codec> zstd_codecs() {
  return {zstd_codec(1), zstd_codec(3), zstd_codec(9), zstd_codec(19)};
}

}  // namespace gsst::experiments
