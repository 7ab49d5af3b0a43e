#pragma once

/// Copies from global to shared memory that run beside the kernel: cuda::memcpy_async() with a pipeline of
/// each thread's own.
#if defined(__CUDACC__)
#include <cuda/pipeline>
#else
#include "common/simt/asynchronous_copy.hpp"
#endif
