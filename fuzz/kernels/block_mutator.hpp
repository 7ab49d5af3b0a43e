#pragma once

#include <vector>

#include "fuzz/kernels/block.hpp"
#include "fuzz/kernels/random.hpp"

/// Changes blocks so that most of them still have a header that the plan accepts: what it refuses never
/// reaches a kernel.
namespace gsst::fuzz {

/// A copy of one of `seeds`, which make_seed_blocks() has made for `shape`, with one to three changes: of
/// bits and bytes of its codes and symbols, of its fields, of where its parts begin, of its length, and with
/// parts of other seeds.
Block mutate_block(const std::vector<Block>& seeds, const BatchShape& shape, Random& random);

}  // namespace gsst::fuzz
