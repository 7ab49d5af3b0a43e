#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/format/stream.hpp"
#include "reference_cpu/compress_block.hpp"

/// Compression and decompression of whole files and pipes in bounded memory: a batch of blocks is read,
/// worked on by all threads and written before the next is read.
namespace gsst::reference {

using format::ProgressFunction;
using format::ReadFunction;
using format::StreamTotals;
using format::WriteFunction;

/// What a compression counted.
struct CompressTotals : StreamTotals {
  /// Format tiles: how the blocks were made that the table of the frame's start serves.
  std::optional<TileChoice> tiles = std::nullopt;
  /// Format tiles: tables that are stored; the other blocks share them.
  std::uint64_t tables = 0;
};

struct DecompressOptions {
  /// The input is an fsst file, which has no magic to tell. Otherwise it must be a frame.
  bool fsst_file = false;
  unsigned threads = 0;
};

/// Compresses `read`'s bytes into one frame, or into an fsst file. Throws std::invalid_argument for options
/// out of range, and whatever `read` and `write` throw.
CompressTotals compress_stream(const ReadFunction& read, const WriteFunction& write,
                               const CompressOptions& options, const ProgressFunction& progress = {});

/// Decompresses and checks everything that FORMAT.md asks for, in one pass. Throws format::FormatError,
/// naming block and field; output written before that is correct as far as it goes.
StreamTotals decompress_stream(const ReadFunction& read, const WriteFunction& write,
                               const DecompressOptions& options, const ProgressFunction& progress = {});

}  // namespace gsst::reference
