#pragma once

#include "common/stage/kernels_on.hpp"
#include "stages/codag/chunks/chunk_job.hpp"

/// What new_codec.cu defines, on each executor: enqueues the decoding of a job's chunks.
struct NewCodec {
  void (*enqueue)(const gsst::codag::chunks::ChunkJob& job, gsst::stage::Stream stream);
};
using NewCodecOn = gsst::stage::KernelsOn<NewCodec>;
