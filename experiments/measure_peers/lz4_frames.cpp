#include <lz4.h>
#include <lz4frame.h>

#include <memory>

#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_peers/block_compressor.hpp"

namespace gsst::experiments {
namespace {

struct FreeLz4 {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

std::size_t lz4_checked(std::size_t result, const char* what) {
  if (LZ4F_isError(result) != 0) {
    throw CodecError(std::string("lz4 failed to ") + what + ": " + LZ4F_getErrorName(result));
  }
  return result;
}

// As the command lz4 writes a file: independent pieces of 4 MiB and a checksum of the content.
LZ4F_preferences_t lz4_preferences(int level) {
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.blockSizeID = LZ4F_max4MB;
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  preferences.compressionLevel = level;
  return preferences;
}

void lz4_decompress_frame(LZ4F_dctx* context, std::span<const std::uint8_t> frame,
                          std::span<std::uint8_t> block) {
  LZ4F_decompressOptions_t options{};
  // The output stays where it is: nothing of it need be kept elsewhere.
  options.stableDst = 1;
  // After a frame that was damaged, too.
  LZ4F_resetDecompressionContext(context);
  std::size_t read = 0;
  std::size_t written = 0;
  std::size_t wanted = 1;
  while (wanted != 0 && read < frame.size()) {
    std::size_t read_now = frame.size() - read;
    std::size_t written_now = block.size() - written;
    wanted = lz4_checked(LZ4F_decompress(context, block.data() + written, &written_now, frame.data() + read,
                                         &read_now, &options),
                         "decompress");
    if (read_now == 0 && written_now == 0) break;
    read += read_now;
    written += written_now;
  }
  if (wanted != 0 || written != block.size()) throw CodecError("lz4 decompressed to another size");
}

BlockCoder lz4_coder(int level) {
  LZ4F_dctx* created = nullptr;
  lz4_checked(LZ4F_createDecompressionContext(&created, LZ4F_VERSION), "begin");
  const std::shared_ptr<LZ4F_dctx> context(created, FreeLz4());
  return {.compress =
              [preferences = lz4_preferences(level)](std::span<const std::uint8_t> block,
                                                     std::span<std::uint8_t> output) {
                return lz4_checked(LZ4F_compressFrame(output.data(), output.size(), block.data(),
                                                      block.size(), &preferences),
                                   "compress");
              },
          .decompress =
              [context](std::span<const std::uint8_t> frame, std::span<std::uint8_t> block) {
                lz4_decompress_frame(context.get(), frame, block);
              }};
}

BlockCompressor lz4_compressor(int level) {
  return {.stage = "peer/lz4",
          .variant = "level " + std::to_string(level),
          .parameters = {{"level", level}, {"library", LZ4_versionString()}, {"checksum", "xxh32"}},
          .most_bytes =
              [preferences = lz4_preferences(level)](std::size_t block_bytes) {
                return LZ4F_compressFrameBound(block_bytes, &preferences);
              },
          .make_coder = [level] { return lz4_coder(level); }};
}

}  // namespace

// The command's default, and its name for what compresses best.
std::vector<BlockCompressor> lz4_compressors() {
  return {lz4_compressor(1), lz4_compressor(9)};
}

}  // namespace gsst::experiments
