#include "cpu/tiles/frame_encoder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/block_encoder.hpp"
#include "cpu/tiles/frame_table.hpp"
#include "cpu/tiles/large_memory.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "reference_cpu/compress_block.hpp"
#include "reference_cpu/gsst/settings.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/stream_codec.hpp"
#include "reference_cpu/table_sharing.hpp"
#include "reference_cpu/tile_codec.hpp"

namespace gsst::cpu::tiles {
namespace {

using Bytes = std::span<const std::uint8_t>;
using reference::CompressOptions;

CompressOptions options_of(const format::EncodeSettings& settings) {
  CompressOptions options = reference::compress_options(format::BlockFormat::tiles, settings);
  options.checksum_kind = settings.checksum_kind.value_or(format::ChecksumKind::xxh64_tree);
  return options;
}

// For the optimal parse of wide codes the codec's longer training is worth its time.
bool is_fast(const CompressOptions& options) {
  if (options.level >= reference::first_dictionary_level) return false;
  const bool is_wide = options.code_bits > 8;
  return !is_wide ||
         options.parse.value_or(reference::level_parse(options.level)) == reference::Parse::greedy;
}

// Blocks of an input, consecutively in memory that is used again.
class InputBatch {
public:
  InputBatch(std::size_t block_bytes, std::size_t most_blocks)
      : block_bytes_(block_bytes), most_bytes_(block_bytes * most_blocks) {}

  // Reads the next blocks. Returns false if the input ended.
  bool read(const format::ReadFunction& read_bytes) {
    size_ = 0;
    while (size_ < most_bytes_) {
      if (size_ == capacity_) grow();
      const std::size_t wanted = std::min(capacity_, most_bytes_) - size_;
      const std::size_t got = read_bytes({bytes_.get() + size_, wanted});
      size_ += got;
      if (got < wanted) return false;
    }
    return true;
  }

  Bytes all() const { return {bytes_.get(), size_}; }
  std::size_t blocks() const { return format::part_size(size_, block_bytes_); }
  Bytes block(std::size_t number) const {
    const Bytes from = all().subspan(number * block_bytes_);
    return from.first(std::min(from.size(), block_bytes_));
  }

private:
  // An input may be much smaller than a batch: pages that nobody writes to take no memory, up to a size.
  void grow() {
    constexpr std::size_t least_bytes = std::size_t{64} << 20;
    const std::size_t capacity = std::min(std::max(least_bytes, 4 * capacity_), most_bytes_);
    LargeMemory larger = allocate_large(capacity);
    std::copy_n(bytes_.get(), size_, larger.get());
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::size_t block_bytes_;
  std::size_t most_bytes_;
  LargeMemory bytes_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

std::uint64_t checksum_of(Bytes input, format::ChecksumKind kind) {
  return kind == format::ChecksumKind::xxh64_tree ? tree_checksum(input) : format::checksum(kind, input);
}

// A block on its way. Its memory is kept for the blocks that come after it.
class EncodedBlock {
public:
  // `has_its_table` says that the frame's table was trained for this block alone.
  void encode(Bytes input, const CompressOptions& options, const FrameTable& frame_table,
              bool has_its_table) {
    encode_with(frame_table, input, block_.bytes);
    block_.has_frame_table = true;
    if (!has_its_table && !frame_table.suits(memory_.parsed))
      encode_by_itself(input, options, frame_table.choice());
    block_.record = {.layout = format::BlockLayout::wide,
                     .payload_bytes = static_cast<std::uint32_t>(block_.bytes.size()),
                     .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                     .checksum = checksum_of(input, options.checksum_kind),
                     .checksum_kind = options.checksum_kind};
  }

  reference::CompressedBlock& block() { return block_; }

private:
  // With a table that is trained for it, if the block is smaller then. The frame's table costs nothing.
  void encode_by_itself(Bytes input, const CompressOptions& options, const reference::TileChoice& choice) {
    const FrameTable table(input, {.code_bits = choice.code_bits,
                                   .codes_per_lane = options.codes_per_lane,
                                   .strip_codes = choice.strip_codes,
                                   .parse = choice.parse});
    encode_with(table, input, own_);
    const std::uint64_t shared = format::bytes_without_table(format::TilesHeader(block_.bytes.data()));
    if (own_.size() >= shared) return;
    block_.bytes.swap(own_);
    block_.has_frame_table = false;
  }

  // memory_.parsed has the codes of the greedy parse then.
  void encode_with(const FrameTable& table, Bytes input, std::vector<std::uint8_t>& bytes) {
    if (table.choice().parse == reference::Parse::greedy) {
      table.encoder().encode(input, table.shape(), memory_, bytes);
      return;
    }
    table.encoder().parse(input, memory_.parsed);
    bytes = reference::encode_tiles(table.table(), input,
                                    {.codes_per_lane = table.choice().codes_per_lane,
                                     .strip_codes = table.choice().strip_codes,
                                     .parse = table.choice().parse});
  }

  reference::CompressedBlock block_;
  std::vector<std::uint8_t> own_;
  EncoderMemory memory_;
};

class FrameEncoder {
public:
  FrameEncoder(const format::WriteFunction& write, const CompressOptions& options)
      : write_(write), options_(options), threads_(reference::thread_count(options.threads)) {
    index_.checksum_kind = options.checksum_kind;
  }

  reference::CompressTotals run(const format::ReadFunction& read, const format::ProgressFunction& progress) {
    put(format::build_frame_header({.format = options_.format,
                                    .block_size = options_.block_bytes,
                                    .split_count = 1,
                                    .checksum_kind = options_.checksum_kind}));
    InputBatch batch(options_.block_bytes, blocks_of_batch());
    for (bool more = true; more;) {
      more = batch.read(read);
      totals_.input_bytes += batch.all().size();
      if (!table_) table_.emplace(batch.all(), request());
      encode(batch);
      if (progress) progress(totals_);
    }
    put(format::build_frame_end(index_));
    if (totals_.blocks != 0) totals_.tiles = table_->choice();
    totals_.tables = sharing_.tables();
    return totals_;
  }

private:
  // What is read at once: the first time all bytes that the table is trained for.
  std::size_t blocks_of_batch() const {
    const std::uint64_t planned = format::part_size(reference::planned_bytes(options_), options_.block_bytes);
    return std::max<std::uint64_t>(planned, blocks_at_once());
  }

  // What is encoded at once, in memory that the next blocks use again. A byte of a block takes its input, its
  // codes and two outputs, at most: a program stays under 512 MiB except where a single block is larger.
  // Small blocks come several to a thread, so that they are worth its start.
  std::size_t blocks_at_once() const {
    constexpr std::uint64_t most_memory_bytes = std::uint64_t{384} << 20;
    constexpr std::uint64_t memory_per_block_byte = 7;
    constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;
    const std::uint64_t affordable = most_memory_bytes / (memory_per_block_byte * options_.block_bytes);
    const std::uint64_t wanted = std::max<std::uint64_t>(threads_, least_bytes / options_.block_bytes);
    return std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(affordable, 1));
  }

  reference::TileRequest request() const {
    return {.code_bits = options_.code_bits,
            .codes_per_lane = options_.codes_per_lane,
            .strip_codes = options_.strip_codes == 0 ? reference::default_strip_codes : options_.strip_codes,
            .level = options_.level,
            .parse = options_.parse.value_or(reference::level_parse(options_.level))};
  }

  void encode(const InputBatch& batch) {
    const bool is_alone = totals_.blocks == 0 && batch.blocks() == 1;
    blocks_.resize(blocks_at_once());
    for (std::size_t first = 0; first < batch.blocks(); first += blocks_.size()) {
      const std::size_t count = std::min(blocks_.size(), batch.blocks() - first);
      reference::parallel_for(count, threads_, [&](std::size_t number) {
        blocks_[number].encode(batch.block(first + number), options_, *table_, is_alone);
      });
      for (std::size_t number = 0; number < count; ++number) {
        finish(blocks_[number].block(), batch.block(first + number));
      }
    }
  }

  void finish(reference::CompressedBlock& block, Bytes input) {
    sharing_.finish(block, input, input.size() < options_.block_bytes);
    reference::append_to_index(index_, block.record);
    put(format::build_block_record(block.record));
    put(block.bytes);
    ++totals_.blocks;
  }

  void put(Bytes bytes) {
    write_(bytes);
    totals_.output_bytes += bytes.size();
  }

  const format::WriteFunction& write_;
  CompressOptions options_;
  unsigned threads_;
  std::optional<FrameTable> table_;
  std::vector<EncodedBlock> blocks_;
  reference::TableSharing sharing_;
  format::FrameIndex index_;
  reference::CompressTotals totals_;
};

}  // namespace

bool is_fast_level(const format::EncodeSettings& settings) {
  return is_fast(options_of(settings));
}

format::EncodeTotals encode_frame(const format::ReadFunction& read, const format::WriteFunction& write,
                                  const format::EncodeSettings& settings,
                                  const format::ProgressFunction& progress) {
  const CompressOptions options = options_of(settings);
  reference::check_options(options);
  if (!is_fast(options)) throw std::invalid_argument("encode_frame: the settings ask for longer training");
  return reference::describe_totals(options, FrameEncoder(write, options).run(read, progress));
}

}  // namespace gsst::cpu::tiles
