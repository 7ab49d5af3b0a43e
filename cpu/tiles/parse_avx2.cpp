#include "cpu/tiles/parse_loop.hpp"
#include "cpu/tiles/segment_parsers.hpp"

// The shifts of BMI2 take any register.
namespace gsst::cpu::tiles {
namespace {

struct Instructions {};

}  // namespace

void parse_segments_avx2(const MatchIndex& index, const SegmentedInput& input, const SegmentedCodes& output) {
  parse_segments_with<Instructions>(index, input, output);
}

}  // namespace gsst::cpu::tiles
