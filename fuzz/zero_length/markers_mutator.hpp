#pragma once

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// The mutator of format zle_markers: changes that stay near to blocks that decode.
const PayloadMutator& markers_mutator();

}  // namespace gsst::fuzz
