#pragma once

/// Marks functions that kernels call as well as the host. Empty for a C++ compiler.
#if defined(__CUDACC__)
#define GSST_HOST_DEVICE __host__ __device__
#else
#define GSST_HOST_DEVICE
#endif
