#include "reference_cpu/memory_codec.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/table_sharing.hpp"

namespace gsst::reference {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Every block at the same time, where a stream has only a batch of them: large blocks keep all threads busy.
std::vector<CompressedBlock> compress_blocks(Bytes input, const CompressOptions& options, unsigned threads) {
  std::vector<CompressedBlock> blocks(input.size() / options.block_bytes +
                                      (input.size() % options.block_bytes != 0));
  const unsigned threads_per_block = blocks.size() == 1 ? threads : 1;
  std::optional<TilePlan> plan;
  if (!blocks.empty()) {
    plan = plan_frame(input.first(std::min<std::size_t>(planned_bytes(options), input.size())), options,
                      threads);
  }
  parallel_for(blocks.size(), threads, [&](std::size_t block) {
    const std::size_t begin = block * options.block_bytes;
    const std::size_t size = std::min<std::size_t>(options.block_bytes, input.size() - begin);
    blocks[block] = compress_block(input.subspan(begin, size), options, threads_per_block, plan);
  });
  if (options.format != format::BlockFormat::tiles) return blocks;
  TableSharing sharing;
  std::size_t begin = 0;
  for (CompressedBlock& block : blocks) {
    const Bytes block_input = input.subspan(begin, block.record.uncompressed_bytes);
    sharing.finish(block, block_input, block_input.size() < options.block_bytes);
    begin += block_input.size();
  }
  return blocks;
}

std::vector<std::uint8_t> concatenate(std::span<const Bytes> parts, unsigned threads) {
  std::vector<std::size_t> ends;
  std::size_t size = 0;
  for (const Bytes part : parts) ends.push_back(size += part.size());
  std::vector<std::uint8_t> output(size);
  parallel_for(parts.size(), threads, [&](std::size_t i) {
    std::copy(parts[i].begin(), parts[i].end(),
              output.begin() + static_cast<std::ptrdiff_t>(ends[i] - parts[i].size()));
  });
  return output;
}

}  // namespace

std::vector<std::uint8_t> compress(std::span<const std::uint8_t> input, const CompressOptions& options) {
  check_options(options);
  const unsigned threads = thread_count(options.threads);
  const std::vector<CompressedBlock> blocks = compress_blocks(input, options, threads);
  std::vector<Bytes> parts;
  if (options.format == format::BlockFormat::fsst) {
    for (const CompressedBlock& block : blocks) parts.emplace_back(block.bytes);
    return concatenate(parts, threads);
  }
  const auto header = format::build_frame_header({.format = options.format,
                                                  .block_size = options.block_bytes,
                                                  .split_count = split_count(options),
                                                  .checksum_kind = options.checksum_kind});
  format::FrameIndex index;
  index.checksum_kind = options.checksum_kind;
  std::vector<std::array<std::uint8_t, format::record_header_bytes>> records;
  for (const CompressedBlock& block : blocks) {
    append_to_index(index, block.record);
    records.push_back(format::build_block_record(block.record));
  }
  const std::vector<std::uint8_t> end = format::build_frame_end(index);
  parts.emplace_back(header);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    parts.emplace_back(records[block]);
    parts.emplace_back(blocks[block].bytes);
  }
  parts.emplace_back(end);
  return concatenate(parts, threads);
}

std::vector<std::uint8_t> decompress_frame(std::span<const std::uint8_t> frame, unsigned threads) {
  const format::FrameView view = format::parse_frame(frame);
  const std::size_t block_count = view.index.entries.size();
  // Checked before anything is allocated: a block that passes has codes for at least an eighth of its output.
  // Parsed again where it is decoded, since a view with its table is larger than many a small block.
  for (std::size_t block = 0; block < block_count; ++block) format::parse_block(view, block);

  std::vector<std::uint8_t> output(view.index.uncompressed_bytes);
  const unsigned threads_per_block = block_count == 1 ? thread_count(threads) : 1;
  parallel_for(block_count, thread_count(threads), [&](std::size_t block) {
    const format::IndexEntry& entry = view.index.entries[block];
    const auto block_output =
        std::span(output).subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes);
    const format::BlockView parsed = format::parse_block(view, block);
    const bool has_table =
        parsed.format == format::BlockFormat::tiles && parsed.layout != format::BlockLayout::raw;
    decode_block(parsed, block_output, block, threads_per_block,
                 has_table ? format::find_table(view, block) : Bytes());
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
