#include "library/decompress_plan.hpp"

#include <stdexcept>
#include <string>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "library/options.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::library {
namespace {

using format::BlockFormat;
using reference::DecodeProblem;
using Bytes = std::span<const std::uint8_t>;

void check_codes(DecodeProblem problem, std::uint64_t block) {
  if (problem != DecodeProblem::none) throw format::FormatError(block, "codes", describe(problem));
}

// No frame holds fsst, which stands for all that the interface has no number for.
void check_is_read(BlockFormat found) {
  if (api_format(found) != GSST_FORMAT_FSST) return;
  throw WrongFormat("the frame is of format " + std::string(block_format_name(found)) +
                    ", which the library does not read");
}

format::FrameView plan_frame(Bytes frame, std::optional<BlockFormat> wanted) {
  format::FrameView view = parse_frame(frame);
  check_format(view.header.format, wanted);
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) format::parse_block(view, block);
  return view;
}

std::vector<BlockPlace> plan_fsst_file(Bytes file) {
  if (format::starts_with_frame_magic(file)) {
    throw WrongFormat("this is a frame, not a file of format fsst");
  }
  std::vector<BlockPlace> blocks;
  std::uint64_t compressed_offset = 0;
  std::uint64_t uncompressed_offset = 0;
  while (compressed_offset < file.size()) {
    const Bytes rest = file.subspan(compressed_offset);
    const format::FsstBlockView view = format::parse_fsst_block(rest, blocks.size());
    const reference::DecodedSize size = reference::decoded_size(view.table, view.codes);
    check_codes(size.problem, blocks.size());
    const std::size_t compressed_bytes = format::parse_fsst_block_length(rest, blocks.size());
    blocks.push_back({.compressed_offset = compressed_offset,
                      .compressed_bytes = compressed_bytes,
                      .uncompressed_offset = uncompressed_offset,
                      .uncompressed_bytes = size.bytes,
                      .layout = format::BlockLayout::narrow});
    compressed_offset += compressed_bytes;
    uncompressed_offset += size.bytes;
  }
  return blocks;
}

}  // namespace

format::FrameHeader parse_frame_start(Bytes start) {
  if (!format::starts_with_frame_magic(start)) throw WrongFormat("this is not a gsst frame");
  const format::FrameHeader header = format::parse_frame_header(start);
  check_is_read(header.format);
  return header;
}

format::FrameView parse_frame(Bytes frame) {
  if (!format::starts_with_frame_magic(frame)) throw WrongFormat("this is not a gsst frame");
  format::FrameView view = format::parse_frame(frame);
  check_is_read(view.header.format);
  return view;
}

void check_format(BlockFormat found, std::optional<BlockFormat> wanted) {
  if (!wanted || found == *wanted) return;
  throw WrongFormat("the frame is of format " + std::string(block_format_name(found)) + ", not " +
                    std::string(block_format_name(*wanted)));
}

FrameSummary summarize(const format::FrameView& frame) {
  return {.format = frame.header.format,
          .compressed_bytes = frame.bytes.size(),
          .uncompressed_bytes = frame.index.uncompressed_bytes,
          .block_count = frame.index.entries.size(),
          .block_bytes = frame.header.block_size,
          .split_count = frame.header.split_count};
}

DecompressPlan::DecompressPlan(Bytes frame, const DecompressOptions& options)
    : frame_(frame), options_(options) {
  if (options.format == BlockFormat::fsst) {
    content_ = plan_fsst_file(frame);
  } else {
    content_ = plan_frame(frame, options.format);
  }
}

FrameSummary DecompressPlan::summary() const {
  if (const auto* const view = std::get_if<format::FrameView>(&content_)) return summarize(*view);
  const auto& blocks = std::get<FsstBlocks>(content_);
  return {.format = BlockFormat::fsst,
          .compressed_bytes = frame_.size(),
          .uncompressed_bytes =
              blocks.empty() ? 0 : blocks.back().uncompressed_offset + blocks.back().uncompressed_bytes,
          .block_count = blocks.size(),
          .block_bytes = 0,
          .split_count = 1};
}

BlockPlace DecompressPlan::block(std::uint64_t block) const {
  if (block >= summary().block_count) {
    throw std::invalid_argument("there is no block " + std::to_string(block) + ", the frame has " +
                                std::to_string(summary().block_count));
  }
  if (const auto* const blocks = std::get_if<FsstBlocks>(&content_)) return (*blocks)[block];
  const format::IndexEntry& entry = std::get<format::FrameView>(content_).index.entries[block];
  return {.compressed_offset = entry.payload_offset,
          .compressed_bytes = entry.record.payload_bytes,
          .uncompressed_offset = entry.uncompressed_offset,
          .uncompressed_bytes = entry.record.uncompressed_bytes,
          .layout = entry.record.layout};
}

void DecompressPlan::execute(std::span<std::uint8_t> output) const {
  if (const auto* const view = std::get_if<format::FrameView>(&content_)) {
    execute_frame(*view, output);
  } else {
    execute_fsst_file(std::get<FsstBlocks>(content_), output);
  }
}

void DecompressPlan::execute_frame(const format::FrameView& view, std::span<std::uint8_t> output) const {
  const std::size_t block_count = view.index.entries.size();
  const unsigned threads_per_block = block_count == 1 ? options_.threads : 1;
  reference::parallel_for(block_count, options_.threads, [&](std::size_t block) {
    const format::IndexEntry& entry = view.index.entries[block];
    const auto block_output = output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes);
    // Parsed again: a plan that kept the tables would be larger than many a frame.
    const format::BlockView parsed = format::parse_block(view, block);
    if (parsed.format == BlockFormat::tiles) {
      const bool has_table = parsed.layout != format::BlockLayout::raw;
      cpu::tiles::decode_block(parsed, block_output, block, threads_per_block,
                               has_table ? format::find_table(view, block) : Bytes());
    } else {
      reference::decode_block(parsed, block_output, block, threads_per_block);
    }
    if (options_.verify_checksums) cpu::tiles::check_checksum(block_output, entry.record, block);
  });
}

void DecompressPlan::execute_fsst_file(const FsstBlocks& blocks, std::span<std::uint8_t> output) const {
  reference::parallel_for(blocks.size(), options_.threads, [&](std::size_t block) {
    const BlockPlace& place = blocks[block];
    decode_fsst_block(block, output.subspan(place.uncompressed_offset, place.uncompressed_bytes));
  });
}

void DecompressPlan::decode_fsst_block(std::uint64_t block, std::span<std::uint8_t> output) const {
  const BlockPlace& place = std::get<FsstBlocks>(content_)[block];
  const format::FsstBlockView view =
      format::parse_fsst_block(frame_.subspan(place.compressed_offset, place.compressed_bytes), block);
  check_codes(reference::decode_fast(view.table, view.codes, output), block);
}

}  // namespace gsst::library
