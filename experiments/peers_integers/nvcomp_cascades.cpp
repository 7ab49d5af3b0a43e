#include "experiments/peers_integers/nvcomp_cascades.hpp"

#include <nvcomp/cascaded.h>
#include <nvcomp/version.h>

#include <array>
#include <string>

#include "experiments/peers/nvcomp_batched.hpp"

#define GSST_TEXT_OF(number) #number
#define GSST_TEXT_OF_VALUE(macro) GSST_TEXT_OF(macro)

namespace gsst::experiments {
namespace {

// What nvCOMP's header recommends.
constexpr std::size_t cascade_chunk_bytes = 65'536;

struct Cascade {
  const char* name;
  int run_lengths;
  int deltas;
};

// Bits are packed in the last layer of all of them, of what is left of a number without the smallest one.
constexpr std::array<Cascade, 5> cascades = {{
    {.name = "FOR+BitPack", .run_lengths = 0, .deltas = 0},
    {.name = "Delta+FOR+BitPack", .run_lengths = 0, .deltas = 1},
    {.name = "RLE+FOR+BitPack", .run_lengths = 1, .deltas = 0},
    {.name = "RLE+Delta+FOR+BitPack", .run_lengths = 1, .deltas = 1},
    // The library's default.
    {.name = "RLE+Delta+RLE+FOR+BitPack", .run_lengths = 2, .deltas = 1},
}};

nvcompBatchedCascadedCompressOpts_t options_of(const Cascade& cascade) {
  nvcompBatchedCascadedCompressOpts_t options = nvcompBatchedCascadedCompressDefaultOpts;
  options.type = NVCOMP_TYPE_INT;
  options.num_RLEs = cascade.run_lengths;
  options.num_deltas = cascade.deltas;
  options.use_bp = 1;
  return options;
}

BatchedFunctions functions_of(const Cascade& cascade) {
  const nvcompBatchedCascadedCompressOpts_t compression = options_of(cascade);
  const nvcompBatchedCascadedDecompressOpts_t decompression = nvcompBatchedCascadedDecompressDefaultOpts;
  return {.compress_temporary_bytes =
              [=](std::size_t chunks, std::size_t largest_chunk, std::size_t total, std::size_t* bytes) {
                return nvcompBatchedCascadedCompressGetTempSizeAsync(chunks, largest_chunk, compression,
                                                                     bytes, total);
              },
          .largest_compressed_chunk =
              [=](std::size_t largest_chunk, std::size_t* bytes) {
                return nvcompBatchedCascadedCompressGetMaxOutputChunkSize(largest_chunk, compression, bytes);
              },
          .compress =
              [=](const void* const* chunks, const std::size_t* sizes, std::size_t largest_chunk,
                  std::size_t count, void* temporary, std::size_t temporary_bytes, void* const* compressed,
                  std::size_t* compressed_bytes, nvcompStatus_t* statuses, cudaStream_t stream) {
                return nvcompBatchedCascadedCompressAsync(chunks, sizes, largest_chunk, count, temporary,
                                                          temporary_bytes, compressed, compressed_bytes,
                                                          compression, statuses, stream);
              },
          .decompress_alignments =
              [=](nvcompAlignmentRequirements_t* alignments) {
                return nvcompBatchedCascadedDecompressGetRequiredAlignments(decompression, alignments);
              },
          .decompress_temporary_bytes =
              [=](std::size_t chunks, std::size_t largest_chunk, std::size_t total, std::size_t* bytes) {
                return nvcompBatchedCascadedDecompressGetTempSizeAsync(chunks, largest_chunk, decompression,
                                                                       bytes, total);
              },
          .decompress =
              [=](const void* const* compressed, const std::size_t* compressed_bytes,
                  const std::size_t* buffer_bytes, std::size_t* sizes, std::size_t count, void* temporary,
                  std::size_t temporary_bytes, void* const* chunks, nvcompStatus_t* statuses,
                  cudaStream_t stream) {
                return nvcompBatchedCascadedDecompressAsync(compressed, compressed_bytes, buffer_bytes, sizes,
                                                            count, temporary, temporary_bytes, chunks,
                                                            decompression, statuses, stream);
              }};
}

}  // namespace

std::vector<PeerCodec> nvcomp_cascades() {
  std::vector<PeerCodec> codecs;
  for (const Cascade& cascade : cascades) {
    PeerCodec codec = batched_codec("Cascaded", cascade_chunk_bytes, functions_of(cascade));
    codec.stage = "nvcomp_integers/Cascaded";
    codec.variant = cascade.name;
    codecs.push_back(std::move(codec));
  }
  return codecs;
}

const char* nvcomp_version_of_cascades() {
  return GSST_TEXT_OF_VALUE(NVCOMP_VER_MAJOR) "." GSST_TEXT_OF_VALUE(NVCOMP_VER_MINOR) "." GSST_TEXT_OF_VALUE(
      NVCOMP_VER_PATCH) "." GSST_TEXT_OF_VALUE(NVCOMP_VER_BUILD);
}

}  // namespace gsst::experiments
