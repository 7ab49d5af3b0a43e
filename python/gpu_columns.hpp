#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds what compresses and decompresses columns of strings in memory of a GPU.
void add_gpu_columns(nanobind::module_& module);

}  // namespace gsst::python
