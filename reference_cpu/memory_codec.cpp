#include "reference_cpu/memory_codec.hpp"

#include <algorithm>
#include <optional>

#include "common/format/frame.hpp"
#include "common/format/fsst_file.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::reference {

std::vector<std::uint8_t> compress(std::span<const std::uint8_t> input, const CompressOptions& options) {
  std::vector<std::uint8_t> output;
  std::span<const std::uint8_t> left = input;
  compress_stream(
      [&](std::span<std::uint8_t> buffer) {
        const auto piece = left.first(std::min(buffer.size(), left.size()));
        std::copy(piece.begin(), piece.end(), buffer.begin());
        left = left.subspan(piece.size());
        return piece.size();
      },
      [&](std::span<const std::uint8_t> bytes) { output.insert(output.end(), bytes.begin(), bytes.end()); },
      options);
  return output;
}

std::vector<std::uint8_t> decompress_frame(std::span<const std::uint8_t> frame, unsigned threads) {
  const format::FrameView view = format::parse_frame(frame);
  const std::size_t block_count = view.index.entries.size();
  // Checked before anything is allocated: a block that passes has codes for at least an eighth of its output.
  // Parsed again where it is decoded, since a view with its table is larger than many a small block.
  for (std::size_t block = 0; block < block_count; ++block) view.parse_block(block);

  std::vector<std::uint8_t> output(view.index.uncompressed_bytes);
  const unsigned threads_per_block = block_count == 1 ? thread_count(threads) : 1;
  parallel_for(block_count, thread_count(threads), [&](std::size_t block) {
    const format::IndexEntry& entry = view.index.entries[block];
    const auto block_output =
        std::span(output).subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes);
    decode_block(view.parse_block(block), block_output, block, threads_per_block);
    check_checksum(block_output, entry.record, block);
  });
  return output;
}

void check_checksums(std::span<const std::uint8_t> output, const format::FrameIndex& index) {
  for (std::size_t block = 0; block < index.entries.size(); ++block) {
    const format::IndexEntry& entry = index.entries[block];
    check_checksum(output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes), entry.record,
                   block);
  }
}

std::vector<std::uint8_t> decompress_fsst_file(std::span<const std::uint8_t> file, unsigned threads) {
  std::vector<format::FsstBlockView> blocks;
  while (!file.empty()) {
    blocks.push_back(format::parse_fsst_block(file, blocks.size()));
    file = file.subspan(format::parse_fsst_block_length(file, blocks.size() - 1));
  }
  std::vector<std::vector<std::uint8_t>> outputs(blocks.size());
  parallel_for(blocks.size(), thread_count(threads),
               [&](std::size_t block) { outputs[block] = decode_fsst_block(blocks[block], block); });
  std::vector<std::uint8_t> output;
  for (const auto& part : outputs) output.insert(output.end(), part.begin(), part.end());
  return output;
}

}  // namespace gsst::reference
