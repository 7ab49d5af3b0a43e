#pragma once

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// The mutator of format nsf: other sizes of values and of numbers, with as many numbers as they ask for, and
/// changes of one field that the rules refuse.
const PayloadMutator& nsf_mutator();

}  // namespace gsst::fuzz
