#pragma once

#include <cstdint>

#include "common/frame/frame_problem.hpp"

namespace gsst::stage {

/// The field for which a block's header is refused that was checked in the executor's memory. The values
/// follow those of frame::FrameProblem and are stored where those are: none of them changes.
enum class PayloadProblem : std::uint32_t {
  raw_block_size = static_cast<std::uint32_t>(frame::FrameProblem::first_of_payloads),
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

/// As frame::field_name().
const char* field_name(PayloadProblem problem);

}  // namespace gsst::stage
