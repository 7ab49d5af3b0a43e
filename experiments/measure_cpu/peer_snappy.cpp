#include <snappy.h>

#include <limits>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> snappy_compress(std::span<const std::uint8_t> input) {
  if (input.size() > std::numeric_limits<std::uint32_t>::max())
    throw CodecError("snappy takes at most 2^32 - 1 bytes in one call");
  std::vector<std::uint8_t> compressed(snappy::MaxCompressedLength(input.size()));
  std::size_t bytes = 0;
  snappy::RawCompress(reinterpret_cast<const char*>(input.data()), input.size(),
                      reinterpret_cast<char*>(compressed.data()), &bytes);
  compressed.resize(bytes);
  return compressed;
}

void snappy_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  const char* bytes = reinterpret_cast<const char*>(compressed.data());
  std::size_t uncompressed_bytes = 0;
  if (!snappy::GetUncompressedLength(bytes, compressed.size(), &uncompressed_bytes) ||
      uncompressed_bytes != output.size())
    throw CodecError("snappy would decompress to another size");
  if (!snappy::RawUncompress(bytes, compressed.size(), reinterpret_cast<char*>(output.data())))
    throw CodecError("snappy failed to decompress");
}

std::string snappy_version() {
  return std::to_string(SNAPPY_MAJOR) + "." + std::to_string(SNAPPY_MINOR) + "." +
         std::to_string(SNAPPY_PATCHLEVEL);
}

}  // namespace

std::vector<Codec> snappy_codecs() {
  return {{.stage = "peer/snappy",
           .variant = "default",
           .parameters = {{"library", snappy_version()}, {"checksum", "none"}},
           .compress = snappy_compress,
           .decompress = snappy_decompress}};
}

}  // namespace gsst::experiments
