#pragma once

#include "common/format/stream.hpp"
#include "library/decompress_plan.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::library {

/// Compresses the bytes of `read` into one frame, or an fsst file, with a bounded number of blocks in memory:
/// what a CompressPlan makes of the same bytes. Throws as CompressPlan's constructor, std::length_error if a
/// frame holds no more blocks, and what `read` and `write` throw.
format::StreamTotals compress_stream(const format::ReadFunction& read, const format::WriteFunction& write,
                                     const reference::CompressOptions& options);

/// Decompresses the one frame that `read` gives, or the fsst file, and checks all that it holds. Throws
/// std::invalid_argument if checksums are not to be compared, and otherwise as DecompressPlan's constructor
/// and execute(), and what `read` and `write` throw.
format::StreamTotals decompress_stream(const format::ReadFunction& read, const format::WriteFunction& write,
                                       const DecompressOptions& options);

}  // namespace gsst::library
