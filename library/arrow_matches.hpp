#pragma once

#include "gsst/column.h"
#include "library/column_search.hpp"

namespace gsst::library {

/// Makes a new array of booleans of what a search said of each string, with the column's nulls.
void move_to_booleans(ColumnMatches matches, ArrowSchema& schema, ArrowArray& array);

/// Makes a new array of numbers of matches, with the column's nulls: of 32 bits where the column's array has
/// offsets of 32 bits, else of 64.
void move_to_counts(ColumnMatches matches, ArrowSchema& schema, ArrowArray& array);

}  // namespace gsst::library
