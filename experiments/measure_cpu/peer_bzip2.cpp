#include <bzlib.h>

#include <limits>

#include "experiments/measure_cpu/peers.hpp"

namespace gsst::experiments {
namespace {

/// What the library's manual states for the output of incompressible input: 1 % and 600 bytes more.
std::size_t max_compressed_bytes(std::size_t input_bytes) {
  return input_bytes + input_bytes / 100 + 601;
}

/// The library does not write to its input, but does not say so in the type.
char* input_pointer(std::span<const std::uint8_t> input) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  return const_cast<char*>(reinterpret_cast<const char*>(input.data()));
}

std::vector<std::uint8_t> bzip2_compress(int level, std::span<const std::uint8_t> input) {
  const std::size_t capacity = max_compressed_bytes(input.size());
  if (capacity > std::numeric_limits<unsigned>::max())
    throw CodecError("bzip2 takes no more than about 4 GB in one call");
  std::vector<std::uint8_t> compressed(capacity);
  auto bytes = static_cast<unsigned>(capacity);
  constexpr int silent = 0;
  constexpr int default_work_factor = 0;
  if (BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(compressed.data()), &bytes, input_pointer(input),
                               static_cast<unsigned>(input.size()), level, silent,
                               default_work_factor) != BZ_OK)
    throw CodecError("bzip2 failed to compress");
  compressed.resize(bytes);
  return compressed;
}

void bzip2_decompress(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output) {
  auto bytes = static_cast<unsigned>(output.size());
  constexpr int fast_algorithm = 0;
  constexpr int silent = 0;
  if (BZ2_bzBuffToBuffDecompress(reinterpret_cast<char*>(output.data()), &bytes, input_pointer(compressed),
                                 static_cast<unsigned>(compressed.size()), fast_algorithm, silent) != BZ_OK)
    throw CodecError("bzip2 failed to decompress");
  if (bytes != output.size()) throw CodecError("bzip2 decompressed to another size");
}

Codec bzip2_codec(int level) {
  return {.stage = "peer/bzip2",
          .variant = "level " + std::to_string(level),
          .parameters = {{"level", level}, {"library", BZ2_bzlibVersion()}, {"checksum", "crc32"}},
          .compress = [level](std::span<const std::uint8_t> input) { return bzip2_compress(level, input); },
          .decompress = bzip2_decompress};
}

}  // namespace

std::vector<Codec> bzip2_codecs() {
  return {bzip2_codec(1), bzip2_codec(9)};
}

}  // namespace gsst::experiments
