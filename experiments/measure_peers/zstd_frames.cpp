#include <zstd.h>

#include <memory>

#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_peers/block_compressor.hpp"

namespace gsst::experiments {
namespace {

struct FreeZstd {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

std::size_t zstd_checked(std::size_t result, const char* what) {
  if (ZSTD_isError(result) != 0) {
    throw CodecError(std::string("zstd failed to ") + what + ": " + ZSTD_getErrorName(result));
  }
  return result;
}

BlockCoder zstd_coder(int level) {
  const std::shared_ptr<ZSTD_CCtx> compressing(ZSTD_createCCtx(), FreeZstd());
  const std::shared_ptr<ZSTD_DCtx> decompressing(ZSTD_createDCtx(), FreeZstd());
  if (compressing == nullptr || decompressing == nullptr) throw CodecError("zstd has no memory");
  zstd_checked(ZSTD_CCtx_setParameter(compressing.get(), ZSTD_c_compressionLevel, level), "take a level");
  zstd_checked(ZSTD_CCtx_setParameter(compressing.get(), ZSTD_c_checksumFlag, 1), "take a checksum");
  return {.compress =
              [compressing](std::span<const std::uint8_t> block, std::span<std::uint8_t> output) {
                return zstd_checked(ZSTD_compress2(compressing.get(), output.data(), output.size(),
                                                   block.data(), block.size()),
                                    "compress");
              },
          .decompress =
              [decompressing](std::span<const std::uint8_t> frame, std::span<std::uint8_t> block) {
                const std::size_t bytes =
                    zstd_checked(ZSTD_decompressDCtx(decompressing.get(), block.data(), block.size(),
                                                     frame.data(), frame.size()),
                                 "decompress");
                if (bytes != block.size()) throw CodecError("zstd decompressed to another size");
              }};
}

BlockCompressor zstd_compressor(int level) {
  return {.stage = "peer/zstd",
          .variant = "level " + std::to_string(level),
          .parameters = {{"level", level}, {"library", ZSTD_versionString()}, {"checksum", "xxh64, 4 bytes"}},
          .most_bytes = [](std::size_t block_bytes) { return ZSTD_compressBound(block_bytes); },
          .make_coder = [level] { return zstd_coder(level); }};
}

}  // namespace

// The least of its levels that a file is compressed with as a rule, and the command's default.
std::vector<BlockCompressor> zstd_compressors() {
  return {zstd_compressor(1), zstd_compressor(3)};
}

}  // namespace gsst::experiments
