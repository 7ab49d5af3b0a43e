#pragma once

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// Blocks that `codec`, of a format of series tile_integer, has encoded of values of all types: equal ones,
/// small differences, runs, values at the borders of their type and others.
Seeds make_integer_seeds(const reference::Codec& codec, std::size_t count, Random& random);

}  // namespace gsst::fuzz
