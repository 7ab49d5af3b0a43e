#include "common/stage/ranges.hpp"

#include "common/stage/block_statuses.hpp"

namespace gsst::stage {

Problem problem_of_range(format::BlockFormat format, std::uint64_t range, std::uint32_t word) {
  switch (word) {
    case outside_frame_status:
      return {.item = range, .field = "range", .description = "extends past the end of the frame's output"};
    case outside_output_status:
      return {.item = range, .field = "range", .description = "extends past the end of the output"};
    default:
      return problem_of_block(format, word, range);
  }
}

}  // namespace gsst::stage
