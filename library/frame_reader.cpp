#include "library/frame_reader.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::library {
namespace {

using RangePieces = std::span<const RangePiece>;

// Longer ranges are faster decoded part by part, with vectors.
constexpr std::uint64_t most_short_bytes = 1024;
constexpr std::size_t short_ranges_of_a_thread = 1024;
// Short ranges whose memory is fetched while others are read.
constexpr std::size_t ranges_ahead = 8;

bool is_short(const gsst_range& range) {
  return range.bytes <= most_short_bytes;
}

// The parts of a block, which outlives them.
Units parts_of(const BlockLookup& block) {
  return {.find = [&](std::uint64_t at) { return block.part_of(static_cast<std::uint32_t>(at)).number; },
          .place =
              [&](std::uint64_t number) {
                const PartPlace part = block.part(static_cast<std::uint32_t>(number));
                return UnitPlace{.offset = part.begin, .bytes = part.end - part.begin};
              }};
}

Units blocks_of(const format::FrameView& view) {
  return {.find = [&](std::uint64_t offset) { return offset / view.header.block_size; },
          .place =
              [&](std::uint64_t number) {
                const format::IndexEntry& entry = view.index.entries[number];
                return UnitPlace{.offset = entry.uncompressed_offset,
                                 .bytes = entry.record.uncompressed_bytes};
              }};
}

// The block of an fsst file that holds a byte of the output.
std::uint64_t block_of_file(const DecompressPlan& plan, std::uint64_t offset) {
  std::uint64_t found = 0;
  std::uint64_t end = plan.summary().block_count;
  while (end - found > 1) {
    const std::uint64_t middle = found + (end - found) / 2;
    (plan.block(middle).uncompressed_offset <= offset ? found : end) = middle;
  }
  return found;
}

Units blocks_of_file(const DecompressPlan& plan) {
  return {.find = [&](std::uint64_t offset) { return block_of_file(plan, offset); },
          .place =
              [&](std::uint64_t number) {
                const BlockPlace place = plan.block(number);
                return UnitPlace{.offset = place.uncompressed_offset, .bytes = place.uncompressed_bytes};
              }};
}

}  // namespace

FrameReader::FrameReader(std::span<const std::uint8_t> frame, const DecompressOptions& options)
    : options_(options), plan_(frame, options) {
  if (options.format == format::BlockFormat::fsst) return;
  view_ = parse_frame(frame);
  lookups_ = BlockLookups(view_->index.entries.size());
}

void FrameReader::check_ranges(std::span<const gsst_range> ranges, std::uint64_t output_bytes) const {
  library::check_ranges(ranges, plan_.summary().uncompressed_bytes, output_bytes);
}

bool FrameReader::must_verify(const BlockLookup& block) const {
  return options_.verify_checksums && !block.is_verified();
}

ReadCount FrameReader::count(std::span<const gsst_range> ranges) const {
  const std::vector<RangePiece> pieces =
      cut_ranges(ranges, view_ ? blocks_of(*view_) : blocks_of_file(plan_));
  std::vector<gsst_range> long_ranges;
  std::ranges::copy_if(ranges, std::back_inserter(long_ranges), std::not_fn(is_short));
  std::vector<bool> has_long(plan_.summary().block_count);
  for (const RangePiece& piece : cut_ranges(long_ranges, view_ ? blocks_of(*view_) : blocks_of_file(plan_))) {
    has_long[piece.unit] = true;
  }
  ReadCount sum;
  for (const RangePieces group : group_by_unit(pieces)) {
    const std::uint64_t block = group.front().unit;
    const ReadCount count =
        view_ ? count_frame_block(group, has_long[block])
              : ReadCount{.blocks = 1, .parts = 1, .bytes = plan_.block(block).uncompressed_bytes};
    sum = {.blocks = sum.blocks + count.blocks,
           .parts = sum.parts + count.parts,
           .bytes = sum.bytes + count.bytes};
  }
  return sum;
}

ReadCount FrameReader::count_frame_block(RangePieces pieces, bool has_long) const {
  const BlockLookup& block = lookups_.get(*view_, pieces.front().unit);
  // A checksum is of a whole block.
  if (must_verify(block) || (has_long && options_.verify_checksums)) {
    return {.blocks = 1, .parts = block.part_count(), .bytes = block.view().uncompressed_bytes};
  }
  std::vector<gsst_range> ranges;
  for (const RangePiece& piece : pieces) ranges.push_back(piece.range);
  ReadCount count{.blocks = 1, .parts = 1, .bytes = 0};
  if (block.view().layout == format::BlockLayout::raw) {
    // Nothing is decoded: what is asked for is copied out of the frame.
    for (const gsst_range& range : ranges) count.bytes += range.bytes;
    return count;
  }
  const Units parts = parts_of(block);
  const std::vector<RangePiece> part_pieces = cut_ranges(ranges, parts);
  const std::vector<RangePieces> groups = group_by_unit(part_pieces);
  count.parts = groups.size();
  for (const RangePieces group : groups) count.bytes += parts.place(group.front().unit).bytes;
  return count;
}

void FrameReader::read(std::span<const gsst_range> ranges, std::span<std::uint8_t> output) const {
  if (!view_) {
    plan_.execute_ranges(ranges, output);
    return;
  }
  if (!std::ranges::all_of(ranges, is_short)) {
    std::vector<gsst_range> long_ranges;
    std::ranges::copy_if(ranges, std::back_inserter(long_ranges), std::not_fn(is_short));
    plan_.execute_ranges(long_ranges, output);
  }
  if (options_.threads == 1 || ranges.size() < 2 * short_ranges_of_a_thread) {
    return read_all_short(ranges, output);
  }
  verify_blocks(ranges);
  const std::size_t runs = (ranges.size() + short_ranges_of_a_thread - 1) / short_ranges_of_a_thread;
  reference::parallel_for(runs, options_.threads, [&](std::size_t run) {
    const std::size_t first = run * short_ranges_of_a_thread;
    read_all_short(ranges.subspan(first, std::min(short_ranges_of_a_thread, ranges.size() - first)), output);
  });
}

void FrameReader::read_all_short(std::span<const gsst_range> ranges, std::span<std::uint8_t> output) const {
  // Calls visit(block, offset) for range `i`, if it is one and its block is known.
  const auto visit_block = [&](std::size_t i, const auto& visit) {
    if (i >= ranges.size() || ranges[i].bytes == 0) return;
    const std::uint64_t number = ranges[i].offset / view_->header.block_size;
    const BlockLookup* const block = lookups_.find(number);
    const std::uint64_t begin = number * view_->header.block_size;
    if (block != nullptr) visit(*block, static_cast<std::uint32_t>(ranges[i].offset - begin));
  };
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    visit_block(i + 2 * ranges_ahead,
                [](const BlockLookup& block, std::uint32_t offset) { block.prefetch_place(offset); });
    visit_block(i + ranges_ahead,
                [](const BlockLookup& block, std::uint32_t offset) { block.prefetch_codes(offset); });
    if (is_short(ranges[i])) read_short(ranges[i], output);
  }
}

void FrameReader::read_short(const gsst_range& range, std::span<std::uint8_t> output) const {
  auto rest = output.subspan(range.output_offset, range.bytes);
  std::uint64_t number = range.offset / view_->header.block_size;
  auto in_block = static_cast<std::uint32_t>(range.offset - number * view_->header.block_size);
  for (; !rest.empty(); ++number, in_block = 0) {
    const BlockLookup& block = lookups_.get(*view_, number);
    if (must_verify(block)) verify(block, number, options_.threads);
    const std::size_t bytes = std::min<std::size_t>(rest.size(), block.view().uncompressed_bytes - in_block);
    block.read(in_block, rest.first(bytes));
    rest = rest.subspan(bytes);
  }
}

// Else several threads would verify the same block.
void FrameReader::verify_blocks(std::span<const gsst_range> ranges) const {
  if (!options_.verify_checksums) return;
  std::vector<bool> is_read(view_->index.entries.size());
  for (const gsst_range& range : ranges) {
    if (!is_short(range) || range.bytes == 0) continue;
    const std::uint64_t last = (range.offset + range.bytes - 1) / view_->header.block_size;
    for (std::uint64_t block = range.offset / view_->header.block_size; block <= last; ++block) {
      is_read[block] = true;
    }
  }
  reference::parallel_for(is_read.size(), options_.threads, [&](std::size_t number) {
    if (!is_read[number]) return;
    const BlockLookup& block = lookups_.get(*view_, number);
    if (must_verify(block)) verify(block, number, 1);
  });
}

void FrameReader::verify(const BlockLookup& block, std::size_t number, unsigned threads) const {
  const std::size_t bytes = block.view().uncompressed_bytes;
  const auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
  const std::span decoded(memory.get(), bytes);
  if (block.view().format == format::BlockFormat::tiles) {
    cpu::tiles::decode_block(block.view(), decoded, number, threads, block.table_block());
  } else {
    reference::decode_block(block.view(), decoded, number, threads);
  }
  cpu::tiles::check_checksum(decoded, view_->index.entries[number].record, number);
  block.set_verified();
}

}  // namespace gsst::library
