#include <array>
#include <span>

#include "common/format/codag/codag.hpp"
#include "fuzz/codag/orc_runs_mutator.hpp"
#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

std::span<const FormatMutator> mutators_of_codag() {
  static const std::array<FormatMutator, 3> codag_mutators = {
      {{.format = format::codag::byte_rle_format,
        .mutator = &orc_runs_mutator(format::codag::byte_rle_format)},
       {.format = format::codag::orc_rle_v1_format,
        .mutator = &orc_runs_mutator(format::codag::orc_rle_v1_format)},
       {.format = format::codag::orc_rle_v2_format,
        .mutator = &orc_runs_mutator(format::codag::orc_rle_v2_format)}}};
  return codag_mutators;
}

}  // namespace gsst::fuzz
