#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/frame/frame.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::reference {

/// The bytes that compress_stream() writes, from memory to memory: takes the memory of all of them twice.
/// Throws std::invalid_argument for options out of range.
std::vector<std::uint8_t> compress(std::span<const std::uint8_t> input, const CompressOptions& options = {});

/// Decompresses a whole frame from its index, blocks in parallel. Throws format::FormatError.
std::vector<std::uint8_t> decompress_frame(std::span<const std::uint8_t> frame, unsigned threads = 0);

/// Compares the whole output of a frame with the checksums in its index, wherever it was decoded. Throws
/// format::FormatError naming the first block that differs.
void check_checksums(std::span<const std::uint8_t> output, const format::FrameIndex& index);

/// Decompresses the blocks of a whole fsst file. Throws format::FormatError.
std::vector<std::uint8_t> decompress_fsst_file(std::span<const std::uint8_t> file, unsigned threads = 0);

}  // namespace gsst::reference
