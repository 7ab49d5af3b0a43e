#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds columns of integers to the module: compress_integer_column(), IntegerColumnPlan, and what says which
/// kind a column or an array is of.
void add_integer_columns(nanobind::module_& module);

}  // namespace gsst::python
