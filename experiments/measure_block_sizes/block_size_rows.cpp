#include "experiments/measure_block_sizes/block_size_rows.hpp"

#include <iostream>
#include <memory>
#include <span>
#include <utility>

#include "cpu/block_size/block_size_choice.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_peers/memory_codec.hpp"
#include "experiments/measure_peers/peer_rows.hpp"
#include "gsst/gsst.hpp"

namespace gsst::experiments {
namespace {

// To the library: whatever fits.
constexpr std::uint64_t chosen_by_library = 0;
constexpr const char* studied_peer = "zstd";

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw MismatchError(result.failure().message);
  return *std::move(result);
}

// Format tiles as a user of the library has it.
class TilesOfLibrary final : public MemoryCodec {
public:
  explicit TilesOfLibrary(std::uint64_t block_bytes)
      : MemoryCodec({"library/tiles",
                     block_bytes == chosen_by_library ? "chosen" : "named",
                     {{"level", 1}, {"checksum", "xxh64-tree"}}}),
        block_bytes_(block_bytes) {}

  void compress(std::span<const std::uint8_t> input) override {
    const auto plan = value_or_throw(
        CompressPlan::create(input.size(), {.format = Format::tiles, .block_bytes = block_bytes_}));
    // The memory stays, so that only the first call pays for its pages.
    if (memory_.size() < plan.output_bytes()) memory_.resize(plan.output_bytes());
    frame_ = value_or_throw(plan.execute(std::as_bytes(input), memory_));
  }
  std::uint64_t compressed_bytes() const override { return frame_.size(); }
  void decompress(std::span<std::uint8_t> output) override {
    const auto plan = value_or_throw(DecompressPlan::create(frame_));
    value_or_throw(plan.execute(std::as_writable_bytes(output)));
  }
  std::uint64_t block_bytes() const { return value_or_throw(inspect(frame_)).block_bytes; }

private:
  std::uint64_t block_bytes_;
  std::vector<std::byte> memory_ = {};
  std::span<const std::byte> frame_ = {};
};

const LinkedPeer& zstd() {
  const auto is_studied = [](const LinkedPeer& peer) { return peer.name == studied_peer; };
  return *std::ranges::find_if(linked_peers(), is_studied);
}

std::vector<nlohmann::ordered_json> block_size_rows(const BlockSizeOptions& options,
                                                    std::span<const std::uint8_t> input,
                                                    const Dataset& dataset) {
  std::vector<std::unique_ptr<MemoryCodec>> codecs;
  std::vector<const TilesOfLibrary*> tiles;
  const auto add_tiles = [&](std::uint64_t block_bytes) {
    auto codec = std::make_unique<TilesOfLibrary>(block_bytes);
    tiles.push_back(codec.get());
    codecs.push_back(std::move(codec));
  };
  for (const std::uint64_t block_bytes : options.block_bytes) add_tiles(block_bytes);
  add_tiles(chosen_by_library);
  const Blocks blocks_of_peer = {.bytes = cpu::large_block_bytes, .threads = 1};
  if (zstd().compressors != nullptr) {
    for (const BlockCompressor& compressor : zstd().compressors()) {
      codecs.push_back(peer_codec(compressor, blocks_of_peer));
    }
  }
  std::vector<nlohmann::ordered_json> rows =
      peer_rows(codecs, input, blocks_of_peer, options.repetitions, dataset);
  // Two rows of each codec, in their order.
  const std::size_t rows_of_codec = rows.size() / codecs.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t codec = i / rows_of_codec;
    const bool is_named = codec < options.block_bytes.size();
    if (codec < tiles.size()) rows[i]["parameters"]["block_bytes"] = tiles[codec]->block_bytes();
    rows[i]["named_block_bytes"] = is_named ? options.block_bytes[codec] : chosen_by_library;
  }
  return rows;
}

}  // namespace

std::vector<StudiedWork> block_size_works(const BlockSizeOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  if (zstd().compressors == nullptr) std::cerr << "missing codec: " << studied_peer << "\n";
  return {{.key = {{"block_bytes", options.block_bytes}},
           .measure = [=] { return block_size_rows(options, *input, dataset); }}};
}

}  // namespace gsst::experiments
