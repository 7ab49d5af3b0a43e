#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds what reads arrays and streams of any library as the parts of a column, and makes streams:
/// ColumnInput, make_stream(), join() and equal().
void add_column_input(nanobind::module_& module);

}  // namespace gsst::python
