#include <libdeflate.h>

#include <memory>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>;

/// In zlib's format, so that it stands beside zlib with the same checksum.
std::vector<std::uint8_t> libdeflate_compress(int level, std::span<const std::uint8_t> input) {
  const Compressor compressor(libdeflate_alloc_compressor(level), libdeflate_free_compressor);
  if (!compressor) throw CodecError("libdeflate has no memory to compress");
  std::vector<std::uint8_t> compressed(libdeflate_zlib_compress_bound(compressor.get(), input.size()));
  const std::size_t bytes = libdeflate_zlib_compress(compressor.get(), input.data(), input.size(),
                                                     compressed.data(), compressed.size());
  if (bytes == 0) throw CodecError("libdeflate failed to compress");
  compressed.resize(bytes);
  return compressed;
}

void libdeflate_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  const Decompressor decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!decompressor) throw CodecError("libdeflate has no memory to decompress");
  // Without a place for the size, the library accepts exactly the size that it is given.
  if (libdeflate_zlib_decompress(decompressor.get(), compressed.data(), compressed.size(), output.data(),
                                 output.size(), nullptr) != LIBDEFLATE_SUCCESS)
    throw CodecError("libdeflate failed to decompress");
}

Codec libdeflate_codec(int level) {
  return {
      .stage = "peer/libdeflate",
      .variant = "level " + std::to_string(level),
      .parameters = {{"level", level}, {"library", LIBDEFLATE_VERSION_STRING}, {"checksum", "adler32"}},
      .compress = [level](std::span<const std::uint8_t> input) { return libdeflate_compress(level, input); },
      .decompress = libdeflate_decompress};
}

}  // namespace

std::vector<Codec> libdeflate_codecs() {
  return {libdeflate_codec(1), libdeflate_codec(6), libdeflate_codec(12)};
}

}  // namespace gsst::experiments
