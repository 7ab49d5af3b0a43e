#include "experiments/peers/nvcomp_codecs.hpp"

#include <nvcomp/ans.hpp>
#include <nvcomp/bitcomp.hpp>
#include <nvcomp/cascaded.hpp>
#include <nvcomp/deflate.hpp>
#include <nvcomp/gdeflate.hpp>
#include <nvcomp/lz4.hpp>
#include <nvcomp/snappy.hpp>
#include <nvcomp/zstd.hpp>

#include "experiments/peers/nvcomp_batched.hpp"
#include "experiments/peers/nvcomp_manager.hpp"

#define GSST_TEXT_OF(number) #number
#define GSST_TEXT_OF_VALUE(macro) GSST_TEXT_OF(macro)

namespace gsst::experiments {
namespace {

// What nvCOMP's headers recommend for every codec; the thesis names no other.
constexpr std::size_t chunk_bytes = 65'536;

// The low-level functions of one codec as its header declares them.
template <typename CompressOptions, typename DecompressOptions>
struct DeclaredFunctions {
  nvcompStatus_t (*compress_temporary_bytes)(std::size_t, std::size_t, CompressOptions, std::size_t*,
                                             std::size_t);
  nvcompStatus_t (*largest_compressed_chunk)(std::size_t, CompressOptions, std::size_t*);
  nvcompStatus_t (*compress)(const void* const*, const std::size_t*, std::size_t, std::size_t, void*,
                             std::size_t, void* const*, std::size_t*, CompressOptions, nvcompStatus_t*,
                             cudaStream_t);
  nvcompStatus_t (*decompress_alignments)(DecompressOptions, nvcompAlignmentRequirements_t*);
  nvcompStatus_t (*decompress_temporary_bytes)(std::size_t, std::size_t, DecompressOptions, std::size_t*,
                                               std::size_t);
  nvcompStatus_t (*decompress)(const void* const*, const std::size_t*, const std::size_t*, std::size_t*,
                               std::size_t, void*, std::size_t, void* const*, DecompressOptions,
                               nvcompStatus_t*, cudaStream_t);
};

template <typename CompressOptions, typename DecompressOptions>
BatchedFunctions bind_options(const DeclaredFunctions<CompressOptions, DecompressOptions>& functions,
                              const CompressOptions& compression, const DecompressOptions& decompression) {
  return {
      .compress_temporary_bytes =
          [=](std::size_t chunks, std::size_t largest_chunk, std::size_t total, std::size_t* bytes) {
            return functions.compress_temporary_bytes(chunks, largest_chunk, compression, bytes, total);
          },
      .largest_compressed_chunk =
          [=](std::size_t largest_chunk, std::size_t* bytes) {
            return functions.largest_compressed_chunk(largest_chunk, compression, bytes);
          },
      .compress =
          [=](const void* const* chunks, const std::size_t* sizes, std::size_t largest_chunk,
              std::size_t count, void* temporary, std::size_t temporary_bytes, void* const* compressed,
              std::size_t* compressed_bytes, nvcompStatus_t* statuses, cudaStream_t stream) {
            return functions.compress(chunks, sizes, largest_chunk, count, temporary, temporary_bytes,
                                      compressed, compressed_bytes, compression, statuses, stream);
          },
      .decompress_alignments =
          [=](nvcompAlignmentRequirements_t* alignments) {
            return functions.decompress_alignments(decompression, alignments);
          },
      .decompress_temporary_bytes =
          [=](std::size_t chunks, std::size_t largest_chunk, std::size_t total, std::size_t* bytes) {
            return functions.decompress_temporary_bytes(chunks, largest_chunk, decompression, bytes, total);
          },
      .decompress =
          [=](const void* const* compressed, const std::size_t* compressed_bytes,
              const std::size_t* buffer_bytes, std::size_t* sizes, std::size_t count, void* temporary,
              std::size_t temporary_bytes, void* const* chunks, nvcompStatus_t* statuses,
              cudaStream_t stream) {
            return functions.decompress(compressed, compressed_bytes, buffer_bytes, sizes, count, temporary,
                                        temporary_bytes, chunks, decompression, statuses, stream);
          }};
}

template <typename Manager, typename CompressOptions, typename DecompressOptions>
MakeManager make_manager(const CompressOptions& compression, const DecompressOptions& decompression) {
  return [=](std::size_t bytes, cudaStream_t stream) -> std::unique_ptr<nvcomp::nvcompManagerBase> {
    return std::make_unique<Manager>(bytes, compression, decompression, stream);
  };
}

// Both interfaces of one codec.
struct Interfaces {
  PeerCodec manager;
  PeerCodec batched;
};

template <typename Manager, typename CompressOptions, typename DecompressOptions>
Interfaces interfaces(const char* name,
                      const DeclaredFunctions<CompressOptions, DecompressOptions>& functions,
                      const CompressOptions& compression, const DecompressOptions& decompression) {
  return {.manager = manager_codec(name, chunk_bytes, make_manager<Manager>(compression, decompression)),
          .batched = batched_codec(name, chunk_bytes, bind_options(functions, compression, decompression))};
}

// nvCOMP repeats each function for each codec, with the codec in its name.
#define GSST_DECLARED_FUNCTIONS(codec)                                                                   \
  DeclaredFunctions<nvcompBatched##codec##CompressOpts_t, nvcompBatched##codec##DecompressOpts_t> {      \
    nvcompBatched##codec##CompressGetTempSizeAsync, nvcompBatched##codec##CompressGetMaxOutputChunkSize, \
        nvcompBatched##codec##CompressAsync, nvcompBatched##codec##DecompressGetRequiredAlignments,      \
        nvcompBatched##codec##DecompressGetTempSizeAsync, nvcompBatched##codec##DecompressAsync          \
  }
#define GSST_INTERFACES(codec, name, options)                                       \
  interfaces<nvcomp::codec##Manager>(name, GSST_DECLARED_FUNCTIONS(codec), options, \
                                     nvcompBatched##codec##DecompressDefaultOpts)

// Its default is words of 4 bytes, which text need not be.
nvcompBatchedCascadedCompressOpts_t cascaded_options() {
  nvcompBatchedCascadedCompressOpts_t options = nvcompBatchedCascadedCompressDefaultOpts;
  options.type = NVCOMP_TYPE_UCHAR;
  return options;
}

}  // namespace

std::vector<PeerCodec> nvcomp_codecs() {
  std::vector<PeerCodec> managers;
  std::vector<PeerCodec> batched;
  for (Interfaces& codec : std::vector<Interfaces>{
           GSST_INTERFACES(LZ4, "LZ4", nvcompBatchedLZ4CompressDefaultOpts),
           GSST_INTERFACES(Snappy, "Snappy", nvcompBatchedSnappyCompressDefaultOpts),
           GSST_INTERFACES(Deflate, "Deflate", nvcompBatchedDeflateCompressDefaultOpts),
           GSST_INTERFACES(Gdeflate, "GDeflate", nvcompBatchedGdeflateCompressDefaultOpts),
           GSST_INTERFACES(Zstd, "Zstd", nvcompBatchedZstdCompressDefaultOpts),
           GSST_INTERFACES(ANS, "ANS", nvcompBatchedANSCompressDefaultOpts),
           GSST_INTERFACES(Bitcomp, "Bitcomp", nvcompBatchedBitcompCompressDefaultOpts),
           GSST_INTERFACES(Cascaded, "Cascaded", cascaded_options())}) {
    managers.push_back(std::move(codec.manager));
    batched.push_back(std::move(codec.batched));
  }
  managers.insert(managers.end(), batched.begin(), batched.end());
  return managers;
}

const char* nvcomp_version() {
  return GSST_TEXT_OF_VALUE(NVCOMP_VER_MAJOR) "." GSST_TEXT_OF_VALUE(NVCOMP_VER_MINOR) "." GSST_TEXT_OF_VALUE(
      NVCOMP_VER_PATCH) "." GSST_TEXT_OF_VALUE(NVCOMP_VER_BUILD);
}

}  // namespace gsst::experiments
