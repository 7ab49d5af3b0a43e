#pragma once

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// Changes bits of raw Deflate, half of them where a stream begins: codes and their lengths are there.
const PayloadMutator& deflate_mutator();

}  // namespace gsst::fuzz
