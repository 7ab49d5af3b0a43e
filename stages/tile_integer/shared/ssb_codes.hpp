#pragma once

#include <cstdint>
#include <string_view>

#include "stages/tile_integer/shared/ssb_query.cuh"

// The codes of the strings of the tables, as data/ssb.py gives them, and the tables that are joined.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t region_america = 1;
constexpr std::uint32_t region_asia = 2;
constexpr std::uint32_t region_europe = 3;
constexpr std::uint32_t nation_united_kingdom = 23;
constexpr std::uint32_t nation_united_states = 24;
constexpr std::uint32_t all_nations = 25;

// 'UNITED KI5' is city(nation_united_kingdom, 5).
constexpr std::uint32_t city(std::uint32_t nation, std::uint32_t digit) {
  return nation * 10 + digit;
}
constexpr std::uint32_t all_cities = city(all_nations, 0);

// 'MFGR#2' is manufacturer(2), 'MFGR#21' category(2, 1), 'MFGR#2139' brand(2, 1, 39).
constexpr std::uint32_t manufacturer(std::uint32_t number) {
  return number - 1;
}
constexpr std::uint32_t category(std::uint32_t of_manufacturer, std::uint32_t number) {
  return manufacturer(of_manufacturer) * 5 + number - 1;
}
constexpr std::uint32_t all_categories = 25;
constexpr std::uint32_t brand(std::uint32_t of_manufacturer, std::uint32_t of_category,
                              std::uint32_t number) {
  return category(of_manufacturer, of_category) * 40 + number - 1;
}
constexpr std::uint32_t all_brands = all_categories * 40;

constexpr std::uint32_t first_year = 1992;
constexpr std::uint32_t last_year = 1998;
constexpr std::uint32_t all_years = last_year - first_year + 1;
// Keys of dates are their decimal digits.
constexpr std::uint32_t first_date = 19920101;
constexpr std::uint32_t last_date = 19981231;

constexpr JoinedTable ungrouped(std::string_view key, std::string_view filter_column, const Filter& filter) {
  return {.key = key,
          .filter_column = filter_column,
          .filter = filter,
          .group_column = {},
          .first_group = 0,
          .groups = 1,
          .first_key = 1,
          .keys = 0,
          .stride = 0};
}

constexpr JoinedTable grouped(std::string_view key, std::string_view filter_column, const Filter& filter,
                              std::string_view group_column, std::uint32_t groups, std::uint32_t stride) {
  JoinedTable table = ungrouped(key, filter_column, filter);
  table.group_column = group_column;
  table.groups = groups;
  table.stride = stride;
  return table;
}

constexpr JoinedTable suppliers(std::string_view filter_column, const Filter& filter) {
  return ungrouped("s_suppkey", filter_column, filter);
}
constexpr JoinedTable suppliers(std::string_view filter_column, const Filter& filter,
                                std::string_view group_column, std::uint32_t groups, std::uint32_t stride) {
  return grouped("s_suppkey", filter_column, filter, group_column, groups, stride);
}
constexpr JoinedTable customers(std::string_view filter_column, const Filter& filter) {
  return ungrouped("c_custkey", filter_column, filter);
}
constexpr JoinedTable customers(std::string_view filter_column, const Filter& filter,
                                std::string_view group_column, std::uint32_t groups, std::uint32_t stride) {
  return grouped("c_custkey", filter_column, filter, group_column, groups, stride);
}
constexpr JoinedTable parts(std::string_view filter_column, const Filter& filter) {
  return ungrouped("p_partkey", filter_column, filter);
}
constexpr JoinedTable parts(std::string_view filter_column, const Filter& filter,
                            std::string_view group_column, std::uint32_t groups, std::uint32_t stride) {
  return grouped("p_partkey", filter_column, filter, group_column, groups, stride);
}

// By year.
constexpr JoinedTable dates(std::string_view filter_column, const Filter& filter, std::uint32_t stride) {
  JoinedTable table = grouped("d_datekey", filter_column, filter, "d_year", all_years, stride);
  table.first_group = first_year;
  table.first_key = first_date;
  table.keys = last_date - first_date + 1;
  return table;
}

}  // namespace
}  // namespace gsst::tile_integer
