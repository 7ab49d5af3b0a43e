#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "library/frame_outline.hpp"

namespace gsst::library {

/// Throws ApiError if `stream` is being captured: `what` waits for it.
void check_not_captured(cudaStream_t stream, const char* what);

/// Copies the outline of a frame in memory of the current device, on `stream`, and waits for it. Throws
/// ApiError for a pointer that is null or to other memory, where the stream is being captured and where the
/// device has less than compute capability `least`, 10 * major + minor; what FrameOutline throws; and
/// cuda::CudaError.
FrameOutline outline_of_device_frame(const void* frame, std::size_t frame_bytes, int least,
                                     cudaStream_t stream);

}  // namespace gsst::library
