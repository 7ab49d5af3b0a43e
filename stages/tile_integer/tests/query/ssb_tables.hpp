#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// For tests: small tables of the Star Schema Benchmark's columns, and its queries in plain C++.
namespace gsst::tile_integer {

/// Columns by their names.
using SsbTables = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

/// Made-up tables with `rows` rows of the fact table, in which many rows are wanted by each query: about half
/// of the strings, dates and numbers are ones that queries ask for. Keys and dates come in runs.
SsbTables made_up_tables(std::size_t rows, std::uint64_t seed);

/// The sums of a query, by the number of the group as stage tile_integer/09_queries numbers them.
std::vector<std::uint64_t> expected_sums(const SsbTables& tables, std::string_view question);

}  // namespace gsst::tile_integer
