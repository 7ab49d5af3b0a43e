#pragma once

#include <cstddef>
#include <vector>

#include "fuzz/kernels/block.hpp"
#include "fuzz/kernels/random.hpp"

/// Blocks for the mutator to start from: of every table and layout that the format knows.
namespace gsst::fuzz {

/// A size of blocks from 64 to 4096 bytes, and where `format` has splits a number of them, more than there
/// are bytes included.
BatchShape choose_shape(format::BlockFormat format, Random& random);

/// `count` blocks. Nearly all are valid; some say that they decode to shape.block_bytes but their codes give
/// more or less. Each block of format tiles holds its table, one of a few.
std::vector<Block> make_seed_blocks(const BatchShape& shape, std::size_t count, Random& random);

}  // namespace gsst::fuzz
