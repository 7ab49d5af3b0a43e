#pragma once

#include <cstdint>

namespace gsst::frame {

/// The field for which a frame, or a block of it, is refused that was checked in the executor's memory. The
/// values are stored in status words and in results of the library's interface: none of them changes.
enum class FrameProblem : std::uint32_t {
  none = 0,

  // What the caller has said of the frame.
  frame_bytes_bound,
  other_format,
  other_split_count,
  block_size_bound,
  block_count_bound,
  output_bound,

  // Frame header, trailer and index record.
  magic,
  frame_header,
  frame_version,
  frame_header_checksum,
  flags,
  checksum_kind,
  format_id,
  block_size,
  splits_per_block,
  frame,
  trailer_magic,
  trailer_frame_bytes,
  trailer_index_bytes,
  index_record_kind,
  record_header,
  index_record_layout,
  index_record_uncompressed_bytes,
  index_size,
  index_checksum,
  index_block_count,

  // Index entries, and the records in front of the blocks.
  entry_record_kind,
  layout,
  uncompressed_bytes,
  payload_bytes,
  entry_uncompressed_bytes,
  entry_payload_offset,
  entry_uncompressed_offset,
  index_uncompressed_bytes,
  record_kind,
  index_entry,
  index_end,

  // The first number of what the rules of a format find in the header of a block: an enumeration of theirs.
  first_of_payloads
};

/// The field's name, as format::FormatError has it; for what has a number there, the name without the number.
/// "unknown" for a number that is no problem, or a format's own.
const char* field_name(FrameProblem problem);

}  // namespace gsst::frame
