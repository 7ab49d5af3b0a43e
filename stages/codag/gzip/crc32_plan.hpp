#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

namespace gsst::codag::gzip {

/// A plan that compares the CRC-32 of blocks, of that many bytes each, with the checksums of an index, after
/// a plan of a decoder on the same stream. Its parts are, in this order,
///   output   input    the bytes of all blocks, at any address
///   tables   state
///   scratch  scratch
///   status   status   a word for each block, aligned to 4: those that are 0 are set to
///                     BlockStatus::wrong_checksum where the CRC-32 differs
///   index    input    an entry for each block, at any address, whose checksum is the CRC-32
/// Problems are of format deflate. Throws std::logic_error if this program has no kernels for `executor`.
std::unique_ptr<stage::Plan> make_crc32_plan(stage::Executor executor,
                                             std::span<const std::uint32_t> block_bytes);

}  // namespace gsst::codag::gzip
