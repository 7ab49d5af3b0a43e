#pragma once

#include <nanobind/nanobind.h>

namespace gsst::python {

/// Adds the class Table: tables that small values share.
void add_tables(nanobind::module_& module);

}  // namespace gsst::python
