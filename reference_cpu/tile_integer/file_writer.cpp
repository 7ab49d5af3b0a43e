#include "reference_cpu/tile_integer/file_writer.hpp"

#include <stdexcept>
#include <string>

#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::reference::tile_integer {
namespace {

struct BlockInWork {
  std::vector<std::uint8_t> input;
  BlockPayload encoded;
  std::uint64_t checksum = 0;
};

// Reads blocks until the batch is full or the input ends; returns whether more may follow.
bool read_blocks(std::vector<BlockInWork>& batch, std::size_t most, std::uint64_t block_bytes,
                 const format::ReadFunction& read) {
  batch.clear();
  while (batch.size() < most) {
    // Not more memory than there are bytes, however large a block may be.
    std::vector<std::uint8_t> input = format::read_up_to(read, block_bytes);
    if (input.empty()) return false;
    const bool may_follow = input.size() == block_bytes;
    batch.push_back({.input = std::move(input), .encoded = {}});
    if (!may_follow) return false;
  }
  return true;
}

}  // namespace

format::EncodeTotals write_frame_file(format::BlockFormat format, const format::ReadFunction& read,
                                      const format::WriteFunction& write,
                                      const format::EncodeSettings& settings,
                                      const format::ProgressFunction& progress, const EncodePayload& encode) {
  if (settings.block_bytes < 1 || settings.block_bytes > format::max_block_bytes) {
    throw std::invalid_argument("a block has 1 to " + std::to_string(format::max_block_bytes) +
                                " bytes, not " + std::to_string(settings.block_bytes));
  }
  const unsigned threads = thread_count(settings.threads);
  const format::ChecksumKind checksum_kind = settings.checksum_kind.value_or(format::ChecksumKind::xxh64);
  format::EncodeTotals totals;
  const auto put = [&](std::span<const std::uint8_t> bytes) {
    write(bytes);
    totals.output_bytes += bytes.size();
  };
  format::FrameIndex index{.entries = {}, .checksum_kind = checksum_kind};
  put(format::build_frame_header({.format = format,
                                  .block_size = settings.block_bytes,
                                  .split_count = 1,
                                  .checksum_kind = checksum_kind}));
  std::vector<BlockInWork> batch;
  for (bool may_follow = true; may_follow;) {
    may_follow = read_blocks(batch, threads, settings.block_bytes, read);
    parallel_for(batch.size(), threads, [&](std::size_t number) {
      batch[number].encoded = encode(batch[number].input);
      batch[number].checksum = format::checksum(checksum_kind, batch[number].input);
    });
    for (const BlockInWork& block : batch) {
      const format::BlockRecord record = {
          .layout = block.encoded.layout,
          .payload_bytes = static_cast<std::uint32_t>(block.encoded.payload.size()),
          .uncompressed_bytes = static_cast<std::uint32_t>(block.input.size()),
          .checksum = block.checksum,
          .checksum_kind = checksum_kind};
      format::append_block(index, record);
      put(format::build_block_record(record));
      put(block.encoded.payload);
      totals.input_bytes += block.input.size();
      ++totals.blocks;
    }
    if (progress && !batch.empty()) progress(totals);
  }
  put(format::build_frame_end(index));
  return totals;
}

}  // namespace gsst::reference::tile_integer
