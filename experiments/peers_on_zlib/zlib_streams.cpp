#include "experiments/peers_on_zlib/zlib_streams.hpp"

#include <algorithm>
#include <stdexcept>

#include "reference_cpu/codag/deflate_encoder.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> zlib_stream(std::span<const std::uint8_t> chunk, unsigned level,
                                      ZlibContainer container) {
  if (container == ZlibContainer::gzip) {
    return reference::encode_file(reference::codag::gzip_codec, chunk,
                                  {.block_bytes = chunk.size(), .level = level, .threads = 1});
  }
  return reference::codag::encode_deflate(chunk, {.level = level},
                                          reference::codag::most_encoded_bytes(chunk.size()));
}

}  // namespace

std::vector<std::vector<std::uint8_t>> zlib_streams(std::span<const std::uint8_t> text,
                                                    std::size_t chunk_bytes, unsigned level,
                                                    ZlibContainer container) {
  if (level > reference::codag::max_zlib_level) throw std::invalid_argument("zlib has no such level");
  std::vector<std::vector<std::uint8_t>> streams((text.size() + chunk_bytes - 1) / chunk_bytes);
  reference::parallel_for(streams.size(), reference::thread_count(0), [&](std::size_t i) {
    const std::size_t begin = i * chunk_bytes;
    streams[i] =
        zlib_stream(text.subspan(begin, std::min(chunk_bytes, text.size() - begin)), level, container);
  });
  return streams;
}

}  // namespace gsst::experiments
