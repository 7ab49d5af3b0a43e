#pragma once

#include <cstddef>

#include "common/format/block_format.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"

/// Blocks of series gsst for the mutator to start from: of every table and layout that the format knows.
namespace gsst::fuzz {

/// `count` blocks of `format`, of 64 to 4096 bytes each, and where it has splits of a number of them, more
/// than there are bytes included. Nearly all are valid; some say that they decode to the block size but their
/// codes give more or less. Each block of format tiles holds its table, one of a few.
Seeds make_seed_blocks(format::BlockFormat format, std::size_t count, Random& random);

}  // namespace gsst::fuzz
