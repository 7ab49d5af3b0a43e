#include <lz4.h>
#include <lz4hc.h>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

/// LZ4_compress_fast() or LZ4_compress_HC(): the last argument is the acceleration or the level.
using Lz4Compressor = int (*)(const char* input, char* output, int input_bytes, int capacity, int level);

std::vector<std::uint8_t> lz4_compress(Lz4Compressor compressor, int level,
                                       std::span<const std::uint8_t> input) {
  if (input.size() > LZ4_MAX_INPUT_SIZE)
    throw CodecError("lz4 takes at most " + std::to_string(LZ4_MAX_INPUT_SIZE) + " bytes in one call");
  const int input_bytes = static_cast<int>(input.size());
  const int capacity = LZ4_compressBound(input_bytes);
  std::vector<std::uint8_t> compressed(static_cast<std::size_t>(capacity));
  const int bytes = compressor(reinterpret_cast<const char*>(input.data()),
                               reinterpret_cast<char*>(compressed.data()), input_bytes, capacity, level);
  if (bytes <= 0) throw CodecError("lz4 failed to compress");
  compressed.resize(static_cast<std::size_t>(bytes));
  return compressed;
}

void lz4_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  const int bytes = LZ4_decompress_safe(reinterpret_cast<const char*>(compressed.data()),
                                        reinterpret_cast<char*>(output.data()),
                                        static_cast<int>(compressed.size()), static_cast<int>(output.size()));
  if (bytes != static_cast<int>(output.size())) throw CodecError("lz4 failed to decompress");
}

Codec lz4_codec(const std::string& level_name, Lz4Compressor compressor, int level) {
  return {
      .stage = "peer/lz4",
      .variant = level_name + " " + std::to_string(level),
      .parameters = {{level_name, level}, {"library", LZ4_versionString()}, {"checksum", "none"}},
      .compress = [compressor, level](
                      std::span<const std::uint8_t> input) { return lz4_compress(compressor, level, input); },
      .decompress = lz4_decompress};
}

}  // namespace

std::vector<Codec> lz4_codecs() {
  return {lz4_codec("acceleration", LZ4_compress_fast, 8), lz4_codec("acceleration", LZ4_compress_fast, 1),
          lz4_codec("HC level", LZ4_compress_HC, 4), lz4_codec("HC level", LZ4_compress_HC, 9),
          lz4_codec("HC level", LZ4_compress_HC, 12)};
}

}  // namespace gsst::experiments
