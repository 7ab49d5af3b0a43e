#include "experiments/peers_on_zlib/nvcomp_on_zlib.hpp"

#include <nvcomp/deflate.h>
#include <nvcomp/gzip.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "common/cuda/error.hpp"
#include "experiments/peers/chunks.hpp"
#include "experiments/peers/nvcomp_batched.hpp"
#include "experiments/peers/nvcomp_status.hpp"
#include "experiments/peers_on_zlib/zlib_streams.hpp"

namespace gsst::experiments {
namespace {

// As those of nvCOMP's own compressor (experiments/peers).
constexpr std::size_t chunk_bytes = 65'536;
// Of compressed chunks, as there.
constexpr std::size_t least_alignment = 16;

std::vector<std::uint8_t> bytes_on_host(std::span<const std::uint8_t> on_device) {
  std::vector<std::uint8_t> bytes(on_device.size());
  GSST_CUDA_CHECK(cudaMemcpy(bytes.data(), on_device.data(), bytes.size(), cudaMemcpyDeviceToHost));
  return bytes;
}

// The streams, laid out as the decompressor of batched_codec() takes them.
CompressedText text_of_streams(const std::vector<std::vector<std::uint8_t>>& streams, std::size_t alignment) {
  std::vector<std::size_t> sizes;
  sizes.reserve(streams.size());
  for (const auto& stream : streams) sizes.push_back(stream.size());
  const Layout layout = lay_out(sizes, alignment);
  std::vector<std::uint8_t> bytes(layout.total_bytes);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    std::ranges::copy(streams[i], bytes.begin() + static_cast<std::ptrdiff_t>(layout.offsets[i]));
  }
  return {.bytes = cuda::DeviceBuffer(bytes), .chunk_bytes = std::move(sizes)};
}

// What decompresses, of the functions of nvCOMP's low-level interface.
template <typename Options>
struct Decompression {
  nvcompStatus_t (*alignments)(Options, nvcompAlignmentRequirements_t*);
  nvcompStatus_t (*temporary_bytes)(std::size_t, std::size_t, Options, std::size_t*, std::size_t);
  nvcompStatus_t (*decompress)(const void* const*, const std::size_t*, const std::size_t*, std::size_t*,
                               std::size_t, void*, std::size_t, void* const*, Options, nvcompStatus_t*,
                               cudaStream_t);
  Options options;
};

template <typename Options>
BatchedFunctions functions_of(const Decompression<Options>& of) {
  return {
      .compress_temporary_bytes = {},
      .largest_compressed_chunk = {},
      .compress = {},
      .decompress_alignments =
          [of](nvcompAlignmentRequirements_t* alignments) { return of.alignments(of.options, alignments); },
      .decompress_temporary_bytes =
          [of](std::size_t chunks, std::size_t largest_chunk, std::size_t total, std::size_t* bytes) {
            return of.temporary_bytes(chunks, largest_chunk, of.options, bytes, total);
          },
      .decompress =
          [of](const void* const* compressed, const std::size_t* compressed_bytes,
               const std::size_t* buffer_bytes, std::size_t* sizes, std::size_t count, void* temporary,
               std::size_t temporary_bytes, void* const* chunks, nvcompStatus_t* statuses,
               cudaStream_t stream) {
            return of.decompress(compressed, compressed_bytes, buffer_bytes, sizes, count, temporary,
                                 temporary_bytes, chunks, of.options, statuses, stream);
          }};
}

template <typename Options>
PeerCodec codec_on_zlib(const std::string& name, unsigned level, ZlibContainer container,
                        const Decompression<Options>& decompression) {
  const BatchedFunctions functions = functions_of(decompression);
  PeerCodec codec = batched_codec(name, chunk_bytes, functions);
  codec.stage = "nvcomp_zlib/" + name;
  codec.variant = "zlib level " + std::to_string(level);
  codec.make_compressor = {};
  codec.compress = [=](std::span<const std::uint8_t> text, cudaStream_t /*stream*/) {
    nvcompAlignmentRequirements_t required = {};
    check_nvcomp(functions.decompress_alignments(&required), "alignment of compressed chunks");
    return text_of_streams(zlib_streams(bytes_on_host(text), chunk_bytes, level, container),
                           std::max(required.input, least_alignment));
  };
  return codec;
}

}  // namespace

std::vector<PeerCodec> codecs_on_zlib(unsigned level) {
  return {codec_on_zlib<nvcompBatchedDeflateDecompressOpts_t>(
              "Deflate", level, ZlibContainer::none,
              {.alignments = nvcompBatchedDeflateDecompressGetRequiredAlignments,
               .temporary_bytes = nvcompBatchedDeflateDecompressGetTempSizeAsync,
               .decompress = nvcompBatchedDeflateDecompressAsync,
               .options = nvcompBatchedDeflateDecompressDefaultOpts}),
          codec_on_zlib<nvcompBatchedGzipDecompressOpts_t>(
              "Gzip", level, ZlibContainer::gzip,
              {.alignments = nvcompBatchedGzipDecompressGetRequiredAlignments,
               .temporary_bytes = nvcompBatchedGzipDecompressGetTempSizeAsync,
               .decompress = nvcompBatchedGzipDecompressAsync,
               .options = nvcompBatchedGzipDecompressDefaultOpts})};
}

}  // namespace gsst::experiments
