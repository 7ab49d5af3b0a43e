#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds columns of strings to the module: compress_column() and ColumnPlan.
void add_columns(nanobind::module_& module);

}  // namespace gsst::python
