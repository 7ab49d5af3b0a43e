#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gsst/gsst.h"

namespace gsst::library {

/// The field for which a frame, or a block of it, is refused that was checked in the executor's memory. The
/// values are stored in status words.
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

  // Headers of blocks.
  raw_block_size,
  padding,
  block_header,
  block_bytes,
  uncompressed_size,
  split_count,
  split_locations,
  split_location,
  symbol_table,
  version_word,
  zero_terminated_flag,
  length_histogram,
  symbols,
  code_bits,
  codes_per_lane,
  tiles_per_strip,
  escape_free_flag,
  dictionary_id,
  class_length,
  code_count,
  strip_offset,

  count
};

/// The field's name, as format::FormatError has it; for what has a number there, the name without the number.
/// "unknown" for a number that is no problem.
const char* field_name(FrameProblem problem);

/// What a refused frame is reported as.
gsst_error error_of(FrameProblem problem);

/// A line of text that names the field, and the block if there is one.
std::string describe(FrameProblem problem, std::optional<std::uint64_t> block);

}  // namespace gsst::library
