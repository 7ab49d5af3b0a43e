#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds searches of frames and columns to the module: SearchPlan.
void add_searches(nanobind::module_& module);

}  // namespace gsst::python
