#pragma once

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// The mutator of format zle_dictionary: changes that stay near to blocks that decode.
const PayloadMutator& dictionary_mutator();

}  // namespace gsst::fuzz
