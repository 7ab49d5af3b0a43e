#pragma once

#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"

/// Changes blocks of series gsst so that most of them still have a header that the plan accepts: what it
/// refuses never reaches a kernel.
namespace gsst::fuzz {

/// A copy of one of `seeds`, which make_seed_blocks() has made, with one to three changes: of bits and bytes
/// of its codes and symbols, of its fields, of where its parts begin, of its length, and with parts of other
/// seeds.
Block change_block(const Seeds& seeds, Random& random);

}  // namespace gsst::fuzz
