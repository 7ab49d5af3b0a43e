#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stages/tile_integer/shared/ssb_codes.hpp"
#include "stages/tile_integer/shared/ssb_query.cuh"

// The 13 queries, on the host.
namespace gsst::tile_integer {
namespace {

// Flight 1.

constexpr std::array<std::string_view, 4> columns_1 = {"lo_orderdate", "lo_quantity", "lo_discount",
                                                       "lo_extendedprice"};

const std::array<SsbQuery, 3> flight_1 = {{
    // d_year = 1993 and lo_discount between 1 and 3 and lo_quantity < 25
    {"q1.1", 1, columns_1, {Filter(19930101, 19931231), Filter(1, 24), Filter(1, 3)}, {}, 1},
    // d_yearmonthnum = 199401 and lo_discount between 4 and 6 and lo_quantity between 26 and 35
    {"q1.2", 1, columns_1, {Filter(19940101, 19940131), Filter(26, 35), Filter(4, 6)}, {}, 1},
    // d_weeknuminyear = 6 and d_year = 1994 and lo_discount between 5 and 7 and lo_quantity between 26 and 35
    {"q1.3", 1, columns_1, {Filter(19940204, 19940210), Filter(26, 35), Filter(5, 7)}, {}, 1},
}};

// Flight 2.

constexpr std::array<std::string_view, 4> columns_2 = {"lo_suppkey", "lo_partkey", "lo_orderdate",
                                                       "lo_revenue"};

// p_category = 'MFGR#12' and s_region = 'AMERICA'
constexpr std::array<JoinedTable, 3> tables_2_1 = {
    suppliers("s_region", Filter(region_america)),
    parts("p_category", Filter(category(1, 2)), "p_brand1", all_brands, 1),
    dates("d_year", Filter(first_year, last_year), all_brands)};
// p_brand1 between 'MFGR#2221' and 'MFGR#2228' and s_region = 'ASIA'
constexpr std::array<JoinedTable, 3> tables_2_2 = {
    suppliers("s_region", Filter(region_asia)),
    parts("p_brand1", Filter(brand(2, 2, 21), brand(2, 2, 28)), "p_brand1", all_brands, 1),
    dates("d_year", Filter(first_year, last_year), all_brands)};
// p_brand1 = 'MFGR#2239' and s_region = 'EUROPE'
constexpr std::array<JoinedTable, 3> tables_2_3 = {
    suppliers("s_region", Filter(region_europe)),
    parts("p_brand1", Filter(brand(2, 2, 39)), "p_brand1", all_brands, 1),
    dates("d_year", Filter(first_year, last_year), all_brands)};

// Sums by year and brand.
constexpr std::uint32_t groups_2 = all_years * all_brands;

const std::array<SsbQuery, 3> flight_2 = {{
    {"q2.1", 2, columns_2, {}, tables_2_1, groups_2},
    {"q2.2", 2, columns_2, {}, tables_2_2, groups_2},
    {"q2.3", 2, columns_2, {}, tables_2_3, groups_2},
}};

// Flight 3.

constexpr std::array<std::string_view, 4> columns_3 = {"lo_suppkey", "lo_custkey", "lo_orderdate",
                                                       "lo_revenue"};

// Sums by the customer's nation, the supplier's nation and the year.
constexpr std::uint32_t groups_3_1 = all_nations * all_nations * all_years;
// By cities.
constexpr std::uint32_t groups_3_2 = all_cities * all_cities * all_years;

constexpr Filter years_3(1992, 1997);
constexpr Filter united_states(nation_united_states);
// 'UNITED KI1' or 'UNITED KI5'
constexpr Filter two_cities(city(nation_united_kingdom, 1), city(nation_united_kingdom, 1),
                            city(nation_united_kingdom, 5));

// c_region = 'ASIA' and s_region = 'ASIA' and d_year >= 1992 and d_year <= 1997
constexpr std::array<JoinedTable, 3> tables_3_1 = {
    suppliers("s_region", Filter(region_asia), "s_nation", all_nations, all_years),
    customers("c_region", Filter(region_asia), "c_nation", all_nations, all_nations* all_years),
    dates("d_year", years_3, 1)};
// c_nation = 'UNITED STATES' and s_nation = 'UNITED STATES' and d_year >= 1992 and d_year <= 1997
constexpr std::array<JoinedTable, 3> tables_3_2 = {
    suppliers("s_nation", united_states, "s_city", all_cities, all_years),
    customers("c_nation", united_states, "c_city", all_cities, all_cities* all_years),
    dates("d_year", years_3, 1)};
// Both cities are one of the two, d_year >= 1992 and d_year <= 1997
constexpr std::array<JoinedTable, 3> tables_3_3 = {
    suppliers("s_city", two_cities, "s_city", all_cities, all_years),
    customers("c_city", two_cities, "c_city", all_cities, all_cities* all_years),
    dates("d_year", years_3, 1)};
// Both cities are one of the two, d_yearmonth = 'Dec1997'
constexpr std::array<JoinedTable, 3> tables_3_4 = {
    suppliers("s_city", two_cities, "s_city", all_cities, all_years),
    customers("c_city", two_cities, "c_city", all_cities, all_cities* all_years),
    dates("d_yearmonthnum", Filter(199712), 1)};

const std::array<SsbQuery, 4> flight_3 = {{
    {"q3.1", 3, columns_3, {}, tables_3_1, groups_3_1},
    {"q3.2", 3, columns_3, {}, tables_3_2, groups_3_2},
    {"q3.3", 3, columns_3, {}, tables_3_3, groups_3_2},
    {"q3.4", 3, columns_3, {}, tables_3_4, groups_3_2},
}};

// Flight 4.

constexpr std::array<std::string_view, 6> columns_4 = {"lo_suppkey",   "lo_custkey", "lo_partkey",
                                                       "lo_orderdate", "lo_revenue", "lo_supplycost"};

constexpr Filter manufacturers_4(manufacturer(1), manufacturer(2));
constexpr Filter years_4(1997, 1998);

// c_region = 'AMERICA' and s_region = 'AMERICA' and p_mfgr in ('MFGR#1', 'MFGR#2')
constexpr std::array<JoinedTable, 4> tables_4_1 = {
    suppliers("s_region", Filter(region_america)),
    customers("c_region", Filter(region_america), "c_nation", all_nations, 1),
    parts("p_mfgr", manufacturers_4), dates("d_year", Filter(first_year, last_year), all_nations)};
// The same and d_year in (1997, 1998)
constexpr std::array<JoinedTable, 4> tables_4_2 = {
    suppliers("s_region", Filter(region_america), "s_nation", all_nations, all_categories),
    customers("c_region", Filter(region_america)),
    parts("p_mfgr", manufacturers_4, "p_category", all_categories, 1),
    dates("d_year", years_4, all_nations* all_categories)};
// c_region = 'AMERICA' and s_nation = 'UNITED STATES' and p_category = 'MFGR#14' and d_year in (1997, 1998)
constexpr std::array<JoinedTable, 4> tables_4_3 = {
    suppliers("s_nation", Filter(nation_united_states), "s_city", all_cities, all_brands),
    customers("c_region", Filter(region_america)),
    parts("p_category", Filter(category(1, 4)), "p_brand1", all_brands, 1),
    dates("d_year", years_4, all_cities* all_brands)};

const std::array<SsbQuery, 3> flight_4 = {{
    {"q4.1", 4, columns_4, {}, tables_4_1, all_years* all_nations},
    {"q4.2", 4, columns_4, {}, tables_4_2, all_years* all_nations* all_categories},
    {"q4.3", 4, columns_4, {}, tables_4_3, all_years* all_cities* all_brands},
}};

inline std::vector<SsbQuery> all_queries() {
  std::vector<SsbQuery> queries(flight_1.begin(), flight_1.end());
  queries.insert(queries.end(), flight_2.begin(), flight_2.end());
  queries.insert(queries.end(), flight_3.begin(), flight_3.end());
  queries.insert(queries.end(), flight_4.begin(), flight_4.end());
  return queries;
}

}  // namespace
}  // namespace gsst::tile_integer
