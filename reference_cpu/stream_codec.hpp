#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "reference_cpu/compress_block.hpp"

/// Compression and decompression of whole files and pipes in bounded memory: a batch of blocks is read,
/// worked on by all threads and written before the next is read.
namespace gsst::reference {

/// Fills `buffer` from the input and returns the bytes read: fewer than asked for only at the input's end.
using ReadFunction = std::function<std::size_t(std::span<std::uint8_t> buffer)>;
/// Writes all of `bytes` to the output, or throws.
using WriteFunction = std::function<void(std::span<const std::uint8_t> bytes)>;

/// Counts of what went in and out so far.
struct StreamTotals {
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t blocks = 0;
  /// Format tiles: how the first block was made, and with it all that its table serves.
  std::optional<TileChoice> tiles = std::nullopt;
};
/// Called after each batch. Empty if nobody wants to know.
using ProgressFunction = std::function<void(const StreamTotals&)>;

struct DecompressOptions {
  /// The input is an fsst file, which has no magic to tell. Otherwise it must be a frame.
  bool fsst_file = false;
  unsigned threads = 0;
};

/// Compresses `read`'s bytes into one frame, or into an fsst file. Throws std::invalid_argument for options
/// out of range, and whatever `read` and `write` throw.
StreamTotals compress_stream(const ReadFunction& read, const WriteFunction& write,
                             const CompressOptions& options, const ProgressFunction& progress = {});

/// Decompresses and checks everything that FORMAT.md asks for, in one pass. Throws format::FormatError,
/// naming block and field; output written before that is correct as far as it goes.
StreamTotals decompress_stream(const ReadFunction& read, const WriteFunction& write,
                               const DecompressOptions& options, const ProgressFunction& progress = {});

}  // namespace gsst::reference
