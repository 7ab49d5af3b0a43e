#pragma once

#include <cstdint>

#include "common/frame/frame.hpp"
#include "common/frame/frame_check.hpp"
#include "common/frame/frame_fields.hpp"

// The checks of format::parse_frame() but for those of checksums, in its order: of the frame header, of the
// trailer, of the index. Each gives the first problem.
namespace {

using gsst::format::BlockFormat;
using gsst::format::ChecksumKind;
using gsst::format::IndexEntryFields;
using gsst::format::load_little_endian;
using gsst::format::RecordKind;
using gsst::frame::CheckedFrame;
using gsst::frame::FrameCheck;
using gsst::frame::FrameProblem;

// A frame header's bytes that its checksum is of.
constexpr std::uint32_t header_checksum_offset = 32;

// A number that fits `Width` bytes.
template <int Width>
__device__ std::uint32_t load_number(const std::uint8_t* bytes) {
  static_assert(Width <= 4);
  return static_cast<std::uint32_t>(load_little_endian<Width>(bytes));
}

__device__ inline bool all_zero(const std::uint8_t* bytes, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

template <typename Magic>
__device__ bool starts_with(const std::uint8_t* bytes, const Magic& magic) {
  for (unsigned i = 0; i < magic.size(); ++i) {
    if (bytes[i] != magic[i]) return false;
  }
  return true;
}

__device__ inline FrameProblem check_magic(const std::uint8_t* frame, std::uint64_t frame_bytes) {
  // A copy: a kernel cannot take the address of a constant of the host.
  constexpr auto magic = gsst::format::frame_magic;
  if (frame_bytes < magic.size() || !starts_with(frame, magic)) return FrameProblem::magic;
  if (frame_bytes < gsst::format::frame_header_bytes) return FrameProblem::frame_header;
  return FrameProblem::none;
}

// `checksum`: of the header's bytes before its own. Writes what the header says to `checked`.
template <typename Payloads>
__device__ FrameProblem check_frame_header(const FrameCheck& check, std::uint64_t checksum,
                                           CheckedFrame& checked) {
  const std::uint8_t* const header = check.frame;
  if (header[8] != 1) return FrameProblem::frame_version;
  if (load_little_endian<8>(header + header_checksum_offset) != checksum) {
    return FrameProblem::frame_header_checksum;
  }
  if (header[9] != 0) return FrameProblem::flags;
  if (header[12] < static_cast<std::uint8_t>(ChecksumKind::xxh64) ||
      header[12] > static_cast<std::uint8_t>(ChecksumKind::xxh64_tree)) {
    return FrameProblem::checksum_kind;
  }
  if (!all_zero(header + 13, 3) || !all_zero(header + 28, 4)) return FrameProblem::frame_header;
  const std::uint32_t format = load_number<2>(header + 10);
  if (!Payloads::has_format(format)) return FrameProblem::format_id;
  const std::uint64_t block_size = load_little_endian<8>(header + 16);
  if (block_size < 1 || block_size > gsst::format::max_block_bytes) return FrameProblem::block_size;
  const std::uint32_t split_count = load_number<4>(header + 24);
  const std::uint32_t most_splits = Payloads::max_split_count(static_cast<BlockFormat>(format));
  if (split_count < 1 || split_count > most_splits) return FrameProblem::splits_per_block;
  if (static_cast<BlockFormat>(format) != check.bounds.format) return FrameProblem::other_format;
  if (split_count != check.bounds.split_count) return FrameProblem::other_split_count;
  if (block_size > check.bounds.block_bytes) return FrameProblem::block_size_bound;
  checked.checksum_kind = static_cast<ChecksumKind>(header[12]);
  checked.block_bytes = block_size;
  return FrameProblem::none;
}

// Of a frame with a header. Writes where its blocks end and where its index starts, and how many entries that
// has room for, to `checked`.
__device__ inline FrameProblem check_frame_end(const FrameCheck& check, CheckedFrame& checked) {
  using namespace gsst::format;
  constexpr auto magic = trailer_magic;
  const std::uint64_t frame_bytes = checked.frame_bytes;
  if (frame_bytes < frame_header_bytes + record_header_bytes + index_totals_bytes + frame_trailer_bytes) {
    return FrameProblem::frame;
  }
  const std::uint8_t* const trailer = check.frame + frame_bytes - frame_trailer_bytes;
  if (!starts_with(trailer + 16, magic)) return FrameProblem::trailer_magic;
  if (load_little_endian<8>(trailer) != frame_bytes) return FrameProblem::trailer_frame_bytes;
  const std::uint64_t index_bytes = load_little_endian<8>(trailer + 8);
  if (index_bytes < record_header_bytes ||
      index_bytes > frame_bytes - frame_header_bytes - frame_trailer_bytes) {
    return FrameProblem::trailer_index_bytes;
  }
  const std::uint8_t* const record = trailer - index_bytes;
  if (record[0] != static_cast<std::uint8_t>(RecordKind::index)) return FrameProblem::index_record_kind;
  if (!all_zero(record + 2, 6)) return FrameProblem::record_header;
  if (record[1] != 0) return FrameProblem::index_record_layout;
  if (load_number<4>(record + 12) != 0) return FrameProblem::index_record_uncompressed_bytes;
  const std::uint64_t payload_bytes = index_bytes - record_header_bytes;
  if (payload_bytes != load_number<4>(record + 8) || payload_bytes < index_totals_bytes ||
      (payload_bytes - index_totals_bytes) % index_entry_bytes != 0) {
    return FrameProblem::index_size;
  }
  const std::uint64_t block_count = (payload_bytes - index_totals_bytes) / index_entry_bytes;
  if (block_count > check.bounds.block_count) return FrameProblem::block_count_bound;
  checked.blocks_end = frame_bytes - frame_trailer_bytes - index_bytes;
  checked.index_offset = checked.blocks_end + record_header_bytes;
  checked.block_count = static_cast<std::uint32_t>(block_count);
  return FrameProblem::none;
}

__device__ inline std::uint64_t index_payload_bytes(const CheckedFrame& checked) {
  return std::uint64_t{checked.block_count} * gsst::format::index_entry_bytes +
         gsst::format::index_totals_bytes;
}

// Entry `block` of the index. Where those before it are right, so are the places that it is held to.
template <typename Payloads>
__device__ FrameProblem check_index_entry(const FrameCheck& check, const CheckedFrame& checked,
                                          std::uint32_t block) {
  using namespace gsst::format;
  const std::uint8_t* const bytes = check.frame + checked.index_offset + block * index_entry_bytes;
  const IndexEntryFields entry(bytes);
  if (entry.record()[0] != static_cast<std::uint8_t>(RecordKind::block)) {
    return FrameProblem::entry_record_kind;
  }
  const FrameProblem in_record = Payloads::check_record(check, checked.block_bytes, entry.record());
  if (in_record != FrameProblem::none) return in_record;
  if (block + 1 < checked.block_count && entry.uncompressed_bytes() != checked.block_bytes) {
    return FrameProblem::entry_uncompressed_bytes;
  }
  std::uint64_t previous_end = frame_header_bytes;
  if (block != 0) {
    const IndexEntryFields previous(bytes - index_entry_bytes);
    previous_end = previous.payload_offset() + previous.payload_bytes();
  }
  if (entry.payload_offset() != previous_end + record_header_bytes) return FrameProblem::entry_payload_offset;
  if (entry.uncompressed_offset() != block * checked.block_bytes) {
    return FrameProblem::entry_uncompressed_offset;
  }
  return FrameProblem::none;
}

// Whether the block of an entry lies in front of the index, its record too.
__device__ inline bool lies_before_index(const CheckedFrame& checked, const IndexEntryFields& entry) {
  using namespace gsst::format;
  return entry.payload_offset() >= frame_header_bytes + record_header_bytes &&
         entry.payload_offset() <= checked.blocks_end &&
         entry.payload_bytes() <= checked.blocks_end - entry.payload_offset();
}

// The record in front of block `block`, which the index repeats.
template <typename Payloads>
__device__ FrameProblem check_record_in_place(const FrameCheck& check, const CheckedFrame& checked,
                                              std::uint32_t block) {
  using namespace gsst::format;
  const IndexEntryFields entry(check.frame + checked.index_offset + block * index_entry_bytes);
  if (!lies_before_index(checked, entry)) return FrameProblem::entry_payload_offset;
  const std::uint8_t* const record = check.frame + entry.payload_offset() - record_header_bytes;
  bool same = true;
  for (unsigned byte = 0; byte < record_header_bytes; ++byte) {
    same = same && record[byte] == entry.record()[byte];
  }
  if (same) return FrameProblem::none;
  if (record[0] == static_cast<std::uint8_t>(RecordKind::block)) {
    const FrameProblem in_record = Payloads::check_record(check, checked.block_bytes, record);
    return in_record == FrameProblem::none ? FrameProblem::index_entry : in_record;
  }
  if (record[0] != static_cast<std::uint8_t>(RecordKind::index)) return FrameProblem::record_kind;
  if (!all_zero(record + 2, 6)) return FrameProblem::record_header;
  if (record[1] != 0) return FrameProblem::index_record_layout;
  return load_number<4>(record + 12) != 0 ? FrameProblem::index_record_uncompressed_bytes
                                          : FrameProblem::index_entry;
}

}  // namespace
