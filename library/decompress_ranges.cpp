#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "library/decompress_plan.hpp"
#include "library/ranges.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/part_decoder.hpp"

// The part of DecompressPlan that decodes byte ranges and not the rest.
namespace gsst::library {
namespace {

using format::BlockLayout;
using reference::PartDecoder;
using Bytes = std::span<const std::uint8_t>;
using Pieces = std::span<const RangePiece>;

void copy_piece(Bytes unit, const RangePiece& piece, std::span<std::uint8_t> output) {
  const auto from = unit.subspan(piece.range.offset, piece.range.bytes);
  std::ranges::copy(from, output.begin() + static_cast<std::ptrdiff_t>(piece.range.output_offset));
}

// Calls decode(memory) once, with memory for the `unit_bytes` bytes of a unit, and copies each piece of it to
// its place. A piece that is the whole unit is decoded where it belongs.
template <typename Decode>
void decode_unit(std::uint64_t unit_bytes, Pieces pieces, std::span<std::uint8_t> output,
                 const Decode& decode) {
  const auto whole =
      std::ranges::find_if(pieces, [&](const RangePiece& piece) { return piece.range.bytes == unit_bytes; });
  const bool in_place = whole != pieces.end();
  const auto scratch =
      in_place ? nullptr : std::make_unique_for_overwrite<std::uint8_t[]>(std::size_t{unit_bytes});
  const std::span<std::uint8_t> unit = in_place ? output.subspan(whole->range.output_offset, unit_bytes)
                                                : std::span(scratch.get(), unit_bytes);
  decode(unit);
  for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
    if (piece != whole) copy_piece(unit, *piece, output);
  }
}

std::vector<gsst_range> ranges_of(Pieces pieces) {
  std::vector<gsst_range> ranges;
  for (const RangePiece& piece : pieces) ranges.push_back(piece.range);
  return ranges;
}

std::uint64_t sum_of_bytes(Pieces pieces) {
  std::uint64_t bytes = 0;
  for (const RangePiece& piece : pieces) bytes += piece.range.bytes;
  return bytes;
}

// Nothing is decoded for a raw block: what is asked for is copied out of the frame.
ReadCount copy_raw(Bytes block, Pieces pieces, std::span<std::uint8_t> output) {
  for (const RangePiece& piece : pieces) copy_piece(block, piece, output);
  return {.blocks = 1, .parts = 1, .bytes = sum_of_bytes(pieces)};
}

// The splits of a block.
Units splits_of(const PartDecoder& decoder) {
  return {.find = [&](std::uint64_t at) { return decoder.part_of(static_cast<std::uint32_t>(at)); },
          .place =
              [&](std::uint64_t split) {
                const reference::BlockPart part = decoder.part(static_cast<std::uint32_t>(split));
                return UnitPlace{.offset = part.output_offset, .bytes = part.output_bytes};
              }};
}

// The strips of a block of format tiles.
Units strips_of(const format::TilesHeader& block) {
  // The last strip that starts there or before: empty ones before it may start at the same byte.
  const auto find = [block](std::uint64_t at) {
    std::uint32_t found = 0;
    std::uint32_t end = block.strip_count();
    while (end - found > 1) {
      const std::uint32_t middle = found + (end - found) / 2;
      (block.strip_output(middle) <= at ? found : end) = middle;
    }
    return std::uint64_t{found};
  };
  const auto place = [block](std::uint64_t number) {
    const auto strip = static_cast<std::uint32_t>(number);
    const std::uint32_t begin = block.strip_output(strip);
    return UnitPlace{.offset = begin, .bytes = block.strip_output(strip + 1) - begin};
  };
  return {.find = find, .place = place};
}

// Calls decode_part(part, memory) for each of `parts` that has a piece.
template <typename DecodePart>
ReadCount decode_parts(const Units& parts, Pieces pieces, std::span<std::uint8_t> output, unsigned threads,
                       const DecodePart& decode_part) {
  const std::vector<RangePiece> part_pieces = cut_ranges(ranges_of(pieces), parts);
  const std::vector<Pieces> groups = group_by_unit(part_pieces);
  reference::parallel_for(groups.size(), threads, [&](std::size_t i) {
    const std::uint64_t part = groups[i].front().unit;
    decode_unit(parts.place(part).bytes, groups[i], output, [&](std::span<std::uint8_t> memory) {
      decode_part(static_cast<std::uint32_t>(part), memory);
    });
  });
  ReadCount count{.blocks = 1, .parts = groups.size(), .bytes = 0};
  for (const Pieces group : groups) count.bytes += parts.place(group.front().unit).bytes;
  return count;
}

// Strips of block `number`, which has some and which the plan has checked. No more of it is parsed again.
ReadCount decode_strips(const format::FrameView& frame, std::size_t number, Pieces pieces,
                        std::span<std::uint8_t> output, unsigned threads) {
  const format::TilesHeader block(frame.payload(number).data());
  const cpu::tiles::BlockDecoder decoder(block,
                                         format::TilesHeader(format::find_table(frame, number).data()));
  return decode_parts(strips_of(block), pieces, output, threads,
                      [&](std::uint32_t strip, std::span<std::uint8_t> memory) {
                        decoder.decode_strip(strip, memory, number);
                      });
}

}  // namespace

ReadCount DecompressPlan::execute_ranges(std::span<const gsst_range> ranges,
                                         std::span<std::uint8_t> output) const {
  check_ranges(ranges, summary().uncompressed_bytes, output.size());
  const Units blocks{.find = [this](std::uint64_t offset) { return block_of(offset); },
                     .place =
                         [this](std::uint64_t number) {
                           const BlockPlace place = block(number);
                           return UnitPlace{.offset = place.uncompressed_offset,
                                            .bytes = place.uncompressed_bytes};
                         }};
  const std::vector<RangePiece> pieces = cut_ranges(ranges, blocks);
  const std::vector<Pieces> groups = group_by_unit(pieces);
  const unsigned threads_per_block = groups.size() == 1 ? options_.threads : 1;
  std::vector<ReadCount> counts(groups.size());
  reference::parallel_for(groups.size(), options_.threads, [&](std::size_t i) {
    const bool has_frame = std::holds_alternative<format::FrameView>(content_);
    counts[i] = has_frame ? read_frame_block(groups[i], output, threads_per_block)
                          : read_fsst_block(groups[i], output);
  });
  return std::accumulate(counts.begin(), counts.end(), ReadCount{},
                         [](const ReadCount& sum, const ReadCount& count) {
                           return ReadCount{.blocks = sum.blocks + count.blocks,
                                            .parts = sum.parts + count.parts,
                                            .bytes = sum.bytes + count.bytes};
                         });
}

std::uint64_t DecompressPlan::block_of(std::uint64_t uncompressed_offset) const {
  if (const auto* const view = std::get_if<format::FrameView>(&content_)) {
    return uncompressed_offset / view->header.block_size;
  }
  const auto& blocks = std::get<FsstBlocks>(content_);
  const auto next =
      std::ranges::upper_bound(blocks, uncompressed_offset, {}, &BlockPlace::uncompressed_offset);
  return static_cast<std::uint64_t>(next - blocks.begin()) - 1;
}

ReadCount DecompressPlan::read_frame_block(Pieces pieces, std::span<std::uint8_t> output,
                                           unsigned threads) const {
  const auto& view = std::get<format::FrameView>(content_);
  const std::size_t block = pieces.front().unit;
  const format::BlockRecord& record = view.index.entries[block].record;
  const bool has_strips =
      view.header.format == format::BlockFormat::tiles && record.layout != BlockLayout::raw;
  if (has_strips && !options_.verify_checksums) return decode_strips(view, block, pieces, output, threads);
  const format::BlockView parsed = format::parse_block(view, block);
  if (record.layout == BlockLayout::raw && !options_.verify_checksums) {
    return copy_raw(parsed.codes, pieces, output);
  }
  const Bytes table_block = has_strips ? format::find_table(view, block) : Bytes();
  const PartDecoder decoder(parsed, block, table_block);
  if (!options_.verify_checksums) {
    return decode_parts(
        splits_of(decoder), pieces, output, threads,
        [&](std::uint32_t split, std::span<std::uint8_t> memory) { decoder.decode(split, memory); });
  }
  // A checksum is of a whole block.
  decode_unit(record.uncompressed_bytes, pieces, output, [&](std::span<std::uint8_t> memory) {
    if (has_strips) {
      cpu::tiles::decode_block(parsed, memory, block, threads, table_block);
    } else {
      decoder.decode_all(memory, threads);
    }
    cpu::tiles::check_checksum(memory, record, block);
  });
  return {.blocks = 1, .parts = decoder.part_count(), .bytes = record.uncompressed_bytes};
}

ReadCount DecompressPlan::read_fsst_block(Pieces pieces, std::span<std::uint8_t> output) const {
  const std::uint64_t number = pieces.front().unit;
  const BlockPlace place = block(number);
  decode_unit(place.uncompressed_bytes, pieces, output,
              [&](std::span<std::uint8_t> memory) { decode_fsst_block(number, memory); });
  return {.blocks = 1, .parts = 1, .bytes = place.uncompressed_bytes};
}

}  // namespace gsst::library
