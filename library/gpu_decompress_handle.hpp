#pragma once

#include "gsst/gpu.h"
#include "library/gpu_decompress_plan.hpp"

/// What the functions of gpu.h that decompress are given.
struct gsst_gpu_decompress_plan {
  gsst::library::GpuDecompressPlan plan;
};
