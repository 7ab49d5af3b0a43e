#include "experiments/measure_peers/memory_codec.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

#include "common/format/stream.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/frame_encoder.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "gsst/gsst.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

// A frame of this project.
class FrameInMemory : public MemoryCodec {
public:
  FrameInMemory(Name name, format::BlockFormat format, format::EncodeSettings settings)
      : MemoryCodec(std::move(name)), format_(format), settings_(std::move(settings)) {}

  void compress(std::span<const std::uint8_t> input) override {
    // The memory stays, so that only the first call pays for its pages.
    file_.clear();
    if (format_ == format::BlockFormat::tiles && cpu::tiles::is_fast_level(settings_)) {
      cpu::tiles::encode_frame(format::reader_of(input), format::writer_to(file_), settings_);
    } else {
      reference::codec_of(format_).encode(format::reader_of(input), format::writer_to(file_), settings_, {});
    }
  }
  std::uint64_t compressed_bytes() const override { return file_.size(); }

protected:
  std::span<const std::uint8_t> file() const { return file_; }
  unsigned threads() const { return settings_.threads; }

private:
  format::BlockFormat format_;
  format::EncodeSettings settings_;
  std::vector<std::uint8_t> file_;
};

class GsstCodec final : public FrameInMemory {
public:
  using FrameInMemory::FrameInMemory;

  void decompress(std::span<std::uint8_t> output) override {
    const auto plan = gsst::DecompressPlan::create(std::as_bytes(file()), {.threads = threads()});
    if (!plan) throw MismatchError(plan.failure().message);
    const auto result = plan->execute(std::as_writable_bytes(output));
    if (!result) throw MismatchError(result.failure().message);
  }
};

class FsstCodec final : public FrameInMemory {
public:
  using FrameInMemory::FrameInMemory;

  void decompress(std::span<std::uint8_t> output) override {
    decode_frame_blocks(format::parse_frame(file()), reference::decode_fast_portable, threads(), output);
  }
};

class FramesOfPeer final : public MemoryCodec {
public:
  FramesOfPeer(const BlockCompressor& compressor, const Blocks& blocks)
      : MemoryCodec({compressor.stage, compressor.variant, compressor.parameters}),
        block_bytes_(blocks.bytes),
        place_bytes_(compressor.most_bytes(blocks.bytes)) {
    for (unsigned i = 0; i < blocks.threads; ++i) coders_.push_back(compressor.make_coder());
  }

  void compress(std::span<const std::uint8_t> input) override {
    input_bytes_ = input.size();
    sizes_.resize((input.size() + block_bytes_ - 1) / block_bytes_);
    if (input.size() > room_bytes_) {
      frames_ = std::make_unique_for_overwrite<std::uint8_t[]>(sizes_.size() * place_bytes_);
      room_bytes_ = input.size();
    }
    for_each_block([&](const BlockCoder& coder, std::size_t block) {
      const std::uint64_t start = block * block_bytes_;
      sizes_[block] = coder.compress(input.subspan(start, bytes_of(block)), place_of(block));
    });
  }
  std::uint64_t compressed_bytes() const override {
    std::uint64_t sum = 0;
    for (const std::size_t size : sizes_) sum += size;
    return sum;
  }
  void decompress(std::span<std::uint8_t> output) override {
    if (output.size() != input_bytes_) throw MismatchError("other bytes were asked for than compressed");
    for_each_block([&](const BlockCoder& coder, std::size_t block) {
      coder.decompress(place_of(block).first(sizes_[block]),
                       output.subspan(block * block_bytes_, bytes_of(block)));
    });
  }

private:
  std::size_t bytes_of(std::size_t block) const {
    return std::min(block_bytes_, input_bytes_ - block * block_bytes_);
  }
  std::span<std::uint8_t> place_of(std::size_t block) {
    return {frames_.get() + block * place_bytes_, place_bytes_};
  }
  // A thread takes the next block as soon as it has none.
  void for_each_block(const std::function<void(const BlockCoder& coder, std::size_t block)>& work) {
    std::atomic<std::size_t> next = 0;
    reference::parallel_for(coders_.size(), static_cast<unsigned>(coders_.size()), [&](std::size_t i) {
      for (std::size_t block = next++; block < sizes_.size(); block = next++) work(coders_[i], block);
    });
  }

  std::uint64_t block_bytes_;
  std::size_t place_bytes_;
  std::vector<BlockCoder> coders_ = {};
  std::uint64_t input_bytes_ = 0;
  std::vector<std::size_t> sizes_ = {};
  // With room for the largest frame of each block of so many bytes: what no frame fills takes no memory.
  std::unique_ptr<std::uint8_t[]> frames_ = {};
  std::size_t room_bytes_ = 0;
};

std::string level_text(unsigned level) {
  return "level " + std::to_string(level);
}

}  // namespace

std::unique_ptr<MemoryCodec> gsst_codec(format::BlockFormat format, unsigned level, const Blocks& blocks) {
  format::EncodeSettings settings = {.block_bytes = blocks.bytes, .level = level, .threads = blocks.threads};
  const bool has_tree = format == format::BlockFormat::tiles && cpu::tiles::is_fast_level(settings);
  settings.checksum_kind = has_tree ? format::ChecksumKind::xxh64_tree : format::ChecksumKind::xxh64;
  const std::string stage = "library/" + std::string(reference::codec_of(format).name());
  MemoryCodec::Name name = {
      stage,
      level_text(level),
      {{"level", level}, {"checksum", format::checksum_kind_name(*settings.checksum_kind)}}};
  return std::make_unique<GsstCodec>(std::move(name), format, std::move(settings));
}

std::unique_ptr<MemoryCodec> fsst_codec(const Blocks& blocks) {
  return std::make_unique<FsstCodec>(
      MemoryCodec::Name{"reference_cpu/fast", "portable", {{"level", 1}, {"checksum", "none"}}},
      format::BlockFormat::blocks,
      format::EncodeSettings{.block_bytes = blocks.bytes, .level = 1, .threads = blocks.threads});
}

std::unique_ptr<MemoryCodec> peer_codec(const BlockCompressor& compressor, const Blocks& blocks) {
  return std::make_unique<FramesOfPeer>(compressor, blocks);
}

}  // namespace gsst::experiments
