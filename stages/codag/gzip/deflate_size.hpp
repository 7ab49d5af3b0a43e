#pragma once

#include <cstdint>
#include <span>

#include "common/format/codag/deflate.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

/// How many bytes a Deflate stream decodes to where nothing says it, as in files of zlib.
namespace gsst::codag::gzip {

/// What is known of a stream when its symbols have been read.
struct DeflateSize {
  std::uint32_t output_bytes;
  /// As a decoder leaves it (format::codag::deflate_status_word()): 0 where all is right.
  std::uint32_t status;
};

/// All pointers are in the executor's memory.
struct DeflateSizeJob {
  /// stream_bytes bytes, and format::min_bytes_after_block that may be read.
  const std::uint8_t* stream;
  std::uint32_t stream_bytes;
  /// A stream that decodes to more has the status output_too_long.
  std::uint32_t most_output_bytes;
  DeflateSize* size;
};

/// The kernel on an executor.
struct DeflateSizeKernels {
  /// Enqueues the count: allocates nothing, waits for nothing.
  void (*enqueue)(const DeflateSizeJob& job, stage::Stream stream);
};

/// Reads all symbols of `stream` (host memory, less than 4 GiB) on `executor`, one warp, and writes no
/// output. Waits for it. Throws std::logic_error if this program has no kernel for `executor`,
/// cuda::CudaError, std::bad_alloc.
DeflateSize size_of_deflate(stage::Executor executor, std::span<const std::uint8_t> stream,
                            std::uint32_t most_output_bytes);

}  // namespace gsst::codag::gzip
