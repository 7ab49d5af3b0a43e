#include <zlib.h>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> zlib_compress(int level, std::span<const std::uint8_t> input) {
  uLongf bytes = compressBound(input.size());
  std::vector<std::uint8_t> compressed(bytes);
  if (compress2(compressed.data(), &bytes, input.data(), input.size(), level) != Z_OK)
    throw CodecError("zlib failed to compress");
  compressed.resize(bytes);
  return compressed;
}

void zlib_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  uLongf bytes = output.size();
  if (uncompress(output.data(), &bytes, compressed.data(), compressed.size()) != Z_OK)
    throw CodecError("zlib failed to decompress");
  if (bytes != output.size()) throw CodecError("zlib decompressed to another size");
}

Codec zlib_codec(int level) {
  return {.stage = "peer/zlib",
          .variant = "level " + std::to_string(level),
          .parameters = {{"level", level}, {"library", zlibVersion()}, {"checksum", "adler32"}},
          .compress = [level](std::span<const std::uint8_t> input) { return zlib_compress(level, input); },
          .decompress = zlib_decompress};
}

}  // namespace

std::vector<Codec> zlib_codecs() {
  return {zlib_codec(1), zlib_codec(6), zlib_codec(9)};
}

}  // namespace gsst::experiments
