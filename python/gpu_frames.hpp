#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds what compresses and decompresses tensors in memory of a GPU.
void add_gpu_frames(nanobind::module_& module);

}  // namespace gsst::python
