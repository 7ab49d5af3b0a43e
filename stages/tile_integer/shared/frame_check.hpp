#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/frame/frame_check.hpp"
#include "common/frame/frame_problem.hpp"
#include "common/stage/kernels_on.hpp"

namespace gsst::tile_integer {

/// The check of frames of this series in an executor's memory: stage::KernelsOn<IntegerFrameCheck> has it
/// where a program compiles frame_check.cuh.
struct IntegerFrameCheck : frame::FrameCheckKernels {};

/// The field for which a block is refused that was checked in the executor's memory. The values follow those
/// of frame::FrameProblem and are stored where those are: none of them changes.
enum class PayloadProblem : std::uint32_t {
  raw_block_size = static_cast<std::uint32_t>(frame::FrameProblem::first_of_payloads),
  padding,
  payload_bytes,
  type,
  reserved,
  value_count,
  starts,
  widths,
  run_count,
  lengths,
  largest_packed_block,
  largest_run_block,
  largest_interleaved_block,
  value_bytes,
  number_bytes,

  count
};

/// As frame::field_name().
inline const char* field_name(PayloadProblem problem) {
  constexpr auto first = static_cast<std::size_t>(frame::FrameProblem::first_of_payloads);
  constexpr std::array names = {"raw block size",
                                "padding",
                                "payload bytes",
                                "type",
                                "reserved",
                                "number of values",
                                "starts",
                                "widths",
                                "number of runs",
                                "lengths",
                                "largest packed block",
                                "largest run block",
                                "largest interleaved block",
                                "bytes of a value",
                                "bytes of a number"};
  static_assert(names.size() == static_cast<std::size_t>(PayloadProblem::count) - first);
  const std::size_t number = static_cast<std::size_t>(problem) - first;
  return number < names.size() ? names.at(number) : "unknown";
}

}  // namespace gsst::tile_integer
