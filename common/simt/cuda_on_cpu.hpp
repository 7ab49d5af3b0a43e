#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/simt/executor.hpp"

/// CUDA's words for a C++ compiler: with this file a kernel's source compiles unchanged and runs on the CPU
/// (executor.hpp). Only what the kernels of this repository use is here.

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)

#define threadIdx (::gsst::simt::current_thread().thread)
#define blockIdx (::gsst::simt::current_thread().block)
#define blockDim (::gsst::simt::current_thread().block_size)
#define gridDim (::gsst::simt::current_thread().grid_size)

#define GSST_SIMT_PLACE (::gsst::simt::Place{__FILE__, __LINE__})
#define __syncthreads() ::gsst::simt::sync_threads(GSST_SIMT_PLACE)
#define __syncwarp() ::gsst::simt::sync_warp(0xffffffffu, GSST_SIMT_PLACE)

/// As CUDA's atomicMax(): threads of a block take turns only where they wait, so nothing comes between.
inline unsigned atomicMax(unsigned* address, unsigned value) {
  const unsigned old = *address;
  *address = std::max(old, value);
  return old;
}
