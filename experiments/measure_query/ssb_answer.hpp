#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "experiments/measure_query/tables_file.hpp"

namespace gsst::experiments {

/// The sums of a query of the Star Schema Benchmark, q1.1 to q4.3, about the tables: one for each group, by
/// the numbers that stage tile_integer/09_queries gives to groups. Written from the queries' SQL alone, a row
/// after the other, with a thread for each processor: what measured answers are compared with. Throws
/// InputError for another query, for a column that is missing and for columns of a table that differ in
/// length.
std::vector<std::uint64_t> ssb_answer(const TablesFile& tables, std::string_view query);

}  // namespace gsst::experiments
