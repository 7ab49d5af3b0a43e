#pragma once

#include "library/arrow_strings.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::library {

/// Whether a column of `strings` in the layout for lookups has at most a quarter more bytes than a dense one,
/// each with its options. Measured: a sample of at most 4 MiB is compressed in both, by the options' threads;
/// it is all of a shorter column. Throws as plan_dense_column() and plan_lookup_column().
bool is_lookup_layout_worth_it(const ArrowStrings& strings, const reference::CompressOptions& dense,
                               const reference::CompressOptions& lookup);

}  // namespace gsst::library
