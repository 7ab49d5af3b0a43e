#pragma once

#include "common/stage/kernels_on.hpp"
#include "stages/codag/chunks/chunk_job.hpp"

/// For tests: a codec of bytes over the two streams.
namespace gsst::codag::chunks {

struct CopyingCodec {
  /// Enqueues the decoding of a job's chunks. A byte below 128 is itself; from 128 on it is followed by the
  /// offset of a copy of 127 bytes less than it says.
  void (*enqueue)(const ChunkJob& job, stage::Stream stream);
};

using CopyingCodecOn = stage::KernelsOn<CopyingCodec>;

}  // namespace gsst::codag::chunks
