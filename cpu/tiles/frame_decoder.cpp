#include "cpu/tiles/frame_decoder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_reader.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::cpu::tiles {
namespace {

// Most input and output of the blocks in work, unless a single one is larger.
constexpr std::uint64_t batch_memory_bytes = std::uint64_t{384} << 20;
// Small blocks come several to a thread, so that a batch is worth its start.
constexpr std::uint64_t least_batch_bytes = std::uint64_t{1} << 20;

// A block on its way. The memory of its output is kept for the blocks that come after it.
class BlockInWork {
public:
  // Takes the next block of `frame`, whose tables so far are in `tables`. Returns false at the frame's end.
  bool read(format::FrameReader& frame, format::TableWindow& tables) {
    const std::optional<format::BlockRecord> record = frame.next_record();
    if (!record) return false;
    number_ = frame.block_count() - 1;
    record_ = *record;
    input_ = frame.read_payload();
    table_ = tables.table_of(parse(), number_);
    failure_ = nullptr;
    return true;
  }

  std::uint64_t memory_bytes() const {
    return std::uint64_t{record_.payload_bytes} + record_.uncompressed_bytes;
  }

  // Keeps what goes wrong for take_output().
  void decode(unsigned threads) {
    try {
      if (record_.uncompressed_bytes > capacity_) {
        output_.reset();
        output_ = std::make_unique_for_overwrite<std::uint8_t[]>(record_.uncompressed_bytes);
        capacity_ = record_.uncompressed_bytes;
      }
      const std::span<std::uint8_t> output(output_.get(), record_.uncompressed_bytes);
      decode_block(parse(), output, number_, threads,
                   table_ ? std::span(*table_) : std::span<const std::uint8_t>());
      check_checksum(output, record_, number_);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::span<const std::uint8_t> take_output() const {
    if (failure_) std::rethrow_exception(failure_);
    return {output_.get(), record_.uncompressed_bytes};
  }

private:
  format::BlockView parse() const {
    return format::parse_block(input_,
                               {.format = format::BlockFormat::tiles,
                                .layout = record_.layout,
                                .uncompressed_bytes = record_.uncompressed_bytes,
                                .split_count = 1},
                               number_);
  }

  std::uint64_t number_ = 0;
  format::BlockRecord record_{};
  std::vector<std::uint8_t> input_;
  format::TableBlock table_;
  std::unique_ptr<std::uint8_t[]> output_;
  std::uint64_t capacity_ = 0;
  std::exception_ptr failure_;
};

// The next blocks of a frame.
struct Batch {
  std::size_t blocks = 0;
  bool is_last = false;
  // Why no more could be read: blocks before a damaged place are written before the error is thrown.
  std::exception_ptr failure;
};

// At most `most_blocks`, into `blocks`, which grows to as many as there are in a batch.
Batch read_batch(format::FrameReader& frame, format::TableWindow& tables, std::size_t most_blocks,
                 std::vector<BlockInWork>& blocks) {
  Batch batch;
  std::uint64_t memory_bytes = 0;
  try {
    while (!batch.is_last && batch.blocks < most_blocks && memory_bytes < batch_memory_bytes) {
      if (batch.blocks == blocks.size()) blocks.emplace_back();
      batch.is_last = !blocks[batch.blocks].read(frame, tables);
      if (batch.is_last) break;
      memory_bytes += blocks[batch.blocks++].memory_bytes();
    }
  } catch (const format::FormatError&) {
    batch.failure = std::current_exception();
    batch.is_last = true;
  }
  return batch;
}

}  // namespace

format::StreamTotals decode_frame(const format::ReadFunction& read, const format::WriteFunction& write,
                                  unsigned threads, const format::ProgressFunction& progress) {
  format::FrameReader frame(read);
  if (frame.header().format != format::BlockFormat::tiles) {
    throw std::invalid_argument("decode_frame: the frame is not of format tiles");
  }
  threads = reference::thread_count(threads);
  const std::size_t most_blocks =
      std::max<std::uint64_t>(threads, least_batch_bytes / frame.header().block_size);
  std::vector<BlockInWork> blocks;
  format::TableWindow tables;
  format::StreamTotals totals;
  Batch batch;
  while (!batch.is_last) {
    batch = read_batch(frame, tables, most_blocks, blocks);
    totals.input_bytes = frame.bytes_read();
    // The strips of a block share the threads where it is the only one.
    const unsigned threads_per_block = batch.blocks == 1 ? threads : 1;
    reference::parallel_for(batch.blocks, threads,
                            [&](std::size_t block) { blocks[block].decode(threads_per_block); });
    for (std::size_t block = 0; block < batch.blocks; ++block) {
      const std::span<const std::uint8_t> output = blocks[block].take_output();
      write(output);
      totals.output_bytes += output.size();
      ++totals.blocks;
    }
    if (batch.failure) std::rethrow_exception(batch.failure);
    if (progress) progress(totals);
  }
  return totals;
}

}  // namespace gsst::cpu::tiles
