#pragma once

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// The mutator of the formats of run lengths of series codag: changes that stay near to runs that decode.
const PayloadMutator& orc_runs_mutator(format::BlockFormat format);

}  // namespace gsst::fuzz
