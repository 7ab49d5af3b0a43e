#include "experiments/measure_query/ssb_answer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Values = std::span<const std::uint32_t>;

// Codes of strings (data/ssb.py).
constexpr std::uint32_t in_america = 1;
constexpr std::uint32_t in_asia = 2;
constexpr std::uint32_t in_europe = 3;
constexpr std::uint32_t of_united_states = 24;
constexpr std::uint32_t mfgr_12 = 1;
constexpr std::uint32_t mfgr_14 = 3;

constexpr std::size_t all_nations_of_ssb = 25;
constexpr std::size_t all_cities_of_ssb = 250;
constexpr std::size_t all_categories_of_ssb = 25;
constexpr std::size_t all_brands_of_ssb = 1000;
constexpr std::size_t all_years_of_ssb = 7;

// Of a customer or a supplier. `exists`: there is a row of the key.
struct Place {
  bool exists = false;
  std::uint32_t city = 0;
  std::uint32_t nation = 0;
  std::uint32_t region = 0;
};

struct Product {
  bool exists = false;
  std::uint32_t manufacturer = 0;
  std::uint32_t category = 0;
  std::uint32_t brand = 0;
};

struct Day {
  bool exists = false;
  std::uint32_t year = 0;
  std::uint32_t year_month = 0;
  std::uint32_t week = 0;
};

// A row of the fact table with the rows that it is joined with.
struct JoinedRow {
  std::uint32_t quantity;
  std::uint32_t discount;
  std::uint64_t extended_price;
  std::uint64_t revenue;
  std::uint64_t supply_cost;
  const Day& day;
  const Place& customer;
  const Place& supplier;
  const Product& part;

  std::size_t year() const { return day.year - 1992; }
};

// What a query says of joined rows.
struct SsbQuery {
  // In an existing row of each table that the query joins.
  std::function<bool(const JoinedRow&)> wants;
  std::function<std::size_t(const JoinedRow&)> group;
  std::size_t groups;
  std::function<std::uint64_t(const JoinedRow&)> value;
};

bool is_between(std::uint32_t value, std::uint32_t first, std::uint32_t last) {
  return value >= first && value <= last;
}

// 'UNITED KI1' or 'UNITED KI5'.
bool is_one_of_two_cities(const Place& place) {
  return place.city == 231 || place.city == 235;
}

bool has_places(const JoinedRow& row) {
  return row.customer.exists && row.supplier.exists;
}

bool is_american_of_two_manufacturers(const JoinedRow& row) {
  return has_places(row) && row.part.exists && row.customer.region == in_america &&
         row.supplier.region == in_america && row.part.manufacturer <= 1;
}

std::map<std::string, SsbQuery, std::less<>> all_ssb_queries() {
  const auto one = [](const JoinedRow&) { return std::size_t{0}; };
  const auto cost_of_discount = [](const JoinedRow& r) { return r.extended_price * r.discount; };
  const auto revenue = [](const JoinedRow& r) { return r.revenue; };
  const auto profit = [](const JoinedRow& r) { return r.revenue - r.supply_cost; };
  const auto by_brand = [](const JoinedRow& r) { return r.year() * all_brands_of_ssb + r.part.brand; };
  const auto by_cities = [](const JoinedRow& r) {
    return (r.customer.city * all_cities_of_ssb + r.supplier.city) * all_years_of_ssb + r.year();
  };
  const auto by_nations = [](const JoinedRow& r) {
    return (r.customer.nation * all_nations_of_ssb + r.supplier.nation) * all_years_of_ssb + r.year();
  };
  constexpr std::size_t brands = all_years_of_ssb * all_brands_of_ssb;
  constexpr std::size_t cities = all_cities_of_ssb * all_cities_of_ssb * all_years_of_ssb;

  std::map<std::string, SsbQuery, std::less<>> queries;
  const auto add_discount = [&](const char* name, std::function<bool(const JoinedRow&)> wants) {
    queries[name] = {std::move(wants), one, 1, cost_of_discount};
  };
  add_discount("q1.1", [](const JoinedRow& r) {
    return r.day.year == 1993 && is_between(r.discount, 1, 3) && r.quantity < 25;
  });
  add_discount("q1.2", [](const JoinedRow& r) {
    return r.day.year_month == 199401 && is_between(r.discount, 4, 6) && is_between(r.quantity, 26, 35);
  });
  add_discount("q1.3", [](const JoinedRow& r) {
    return r.day.week == 6 && r.day.year == 1994 && is_between(r.discount, 5, 7) &&
           is_between(r.quantity, 26, 35);
  });

  const auto add_brands = [&](const char* name, std::function<bool(const Product&)> wants,
                              std::uint32_t region) {
    queries[name] = {[wants = std::move(wants), region](const JoinedRow& r) {
                       return r.part.exists && r.supplier.exists && wants(r.part) &&
                              r.supplier.region == region;
                     },
                     by_brand, brands, revenue};
  };
  add_brands(
      "q2.1", [](const Product& part) { return part.category == mfgr_12; }, in_america);
  // 'MFGR#2221' to 'MFGR#2228', and 'MFGR#2239'.
  add_brands(
      "q2.2", [](const Product& part) { return is_between(part.brand, 260, 267); }, in_asia);
  add_brands(
      "q2.3", [](const Product& part) { return part.brand == 278; }, in_europe);

  queries["q3.1"] = {[](const JoinedRow& r) {
                       return has_places(r) && r.customer.region == in_asia && r.supplier.region == in_asia &&
                              is_between(r.day.year, 1992, 1997);
                     },
                     by_nations, all_nations_of_ssb * all_nations_of_ssb * all_years_of_ssb, revenue};
  queries["q3.2"] = {[](const JoinedRow& r) {
                       return has_places(r) && r.customer.nation == of_united_states &&
                              r.supplier.nation == of_united_states && is_between(r.day.year, 1992, 1997);
                     },
                     by_cities, cities, revenue};
  queries["q3.3"] = {[](const JoinedRow& r) {
                       return has_places(r) && is_one_of_two_cities(r.customer) &&
                              is_one_of_two_cities(r.supplier) && is_between(r.day.year, 1992, 1997);
                     },
                     by_cities, cities, revenue};
  queries["q3.4"] = {[](const JoinedRow& r) {
                       return has_places(r) && is_one_of_two_cities(r.customer) &&
                              is_one_of_two_cities(r.supplier) && r.day.year_month == 199712;
                     },
                     by_cities, cities, revenue};

  queries["q4.1"] = {is_american_of_two_manufacturers,
                     [](const JoinedRow& r) { return r.year() * all_nations_of_ssb + r.customer.nation; },
                     all_years_of_ssb * all_nations_of_ssb, profit};
  queries["q4.2"] = {[](const JoinedRow& r) {
                       return is_american_of_two_manufacturers(r) && is_between(r.day.year, 1997, 1998);
                     },
                     [](const JoinedRow& r) {
                       return (r.year() * all_nations_of_ssb + r.supplier.nation) * all_categories_of_ssb +
                              r.part.category;
                     },
                     all_years_of_ssb * all_nations_of_ssb * all_categories_of_ssb, profit};
  queries["q4.3"] = {[](const JoinedRow& r) {
                       return has_places(r) && r.part.exists && r.customer.region == in_america &&
                              r.supplier.nation == of_united_states && r.part.category == mfgr_14 &&
                              is_between(r.day.year, 1997, 1998);
                     },
                     [](const JoinedRow& r) {
                       return (r.year() * all_cities_of_ssb + r.supplier.city) * all_brands_of_ssb +
                              r.part.brand;
                     },
                     all_years_of_ssb * all_cities_of_ssb * all_brands_of_ssb, profit};
  return queries;
}

Values column_of_length(const TablesFile& tables, std::string_view name, std::size_t rows) {
  const Values values = tables.column(name);
  if (values.size() == rows) return values;
  throw InputError("column " + std::string(name) + " has " + std::to_string(values.size()) + " values, not " +
                   std::to_string(rows));
}

// A joined table by key.
template <typename Entry>
class ByKey {
public:
  // `columns` are the key's and those of the entry's fields, in their order.
  ByKey(const TablesFile& tables, std::array<const char*, 4> columns) {
    const Values keys = tables.column(columns[0]);
    const auto column = [&](std::size_t i) { return column_of_length(tables, columns[i], keys.size()); };
    const std::array fields = {column(1), column(2), column(3)};
    if (keys.empty()) return;
    first_ = *std::ranges::min_element(keys);
    entries_.resize(std::size_t{*std::ranges::max_element(keys)} - first_ + 1);
    for (std::size_t row = 0; row < keys.size(); ++row) {
      entries_[keys[row] - first_] = {true, fields[0][row], fields[1][row], fields[2][row]};
    }
  }

  const Entry& at(std::uint32_t key) const {
    static const Entry none = {};
    return key >= first_ && key - first_ < entries_.size() ? entries_[key - first_] : none;
  }

private:
  std::uint32_t first_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<std::uint64_t> ssb_answer(const TablesFile& tables, std::string_view query) {
  const std::map<std::string, SsbQuery, std::less<>> queries = all_ssb_queries();
  const auto found = queries.find(query);
  if (found == queries.end()) throw InputError("there is no query " + std::string(query));
  const SsbQuery& asked = found->second;

  const ByKey<Day> days(tables, {"d_datekey", "d_year", "d_yearmonthnum", "d_weeknuminyear"});
  const ByKey<Place> customers(tables, {"c_custkey", "c_city", "c_nation", "c_region"});
  const ByKey<Place> suppliers(tables, {"s_suppkey", "s_city", "s_nation", "s_region"});
  const ByKey<Product> parts(tables, {"p_partkey", "p_mfgr", "p_category", "p_brand1"});
  const Values dates = tables.column("lo_orderdate");
  const auto fact = [&](const char* name) { return column_of_length(tables, name, dates.size()); };
  const Values quantities = fact("lo_quantity");
  const Values discounts = fact("lo_discount");
  const Values prices = fact("lo_extendedprice");
  const Values revenues = fact("lo_revenue");
  const Values costs = fact("lo_supplycost");
  const Values customer_keys = fact("lo_custkey");
  const Values supplier_keys = fact("lo_suppkey");
  const Values part_keys = fact("lo_partkey");

  const std::size_t pieces = reference::thread_count(0);
  std::vector<std::vector<std::uint64_t>> sums(pieces);
  reference::parallel_for(pieces, 0, [&](std::size_t piece) {
    std::vector<std::uint64_t>& own = sums[piece];
    own.resize(asked.groups);
    const std::size_t end = dates.size() * (piece + 1) / pieces;
    for (std::size_t row = dates.size() * piece / pieces; row < end; ++row) {
      const JoinedRow joined = {.quantity = quantities[row],
                                .discount = discounts[row],
                                .extended_price = prices[row],
                                .revenue = revenues[row],
                                .supply_cost = costs[row],
                                .day = days.at(dates[row]),
                                .customer = customers.at(customer_keys[row]),
                                .supplier = suppliers.at(supplier_keys[row]),
                                .part = parts.at(part_keys[row])};
      if (joined.day.exists && asked.wants(joined)) own.at(asked.group(joined)) += asked.value(joined);
    }
  });
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    std::ranges::transform(sums[0], sums[piece], sums[0].begin(), std::plus<>());
  }
  return sums[0];
}

}  // namespace gsst::experiments
