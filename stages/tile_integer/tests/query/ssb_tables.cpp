#include "stages/tile_integer/tests/query/ssb_tables.hpp"

#include <algorithm>
#include <array>

namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t america = 1;
constexpr std::uint32_t asia = 2;
constexpr std::uint32_t europe = 3;
constexpr std::uint32_t united_states = 24;
constexpr std::uint32_t united_kingdom = 23;

// Of each nation, in the order of TPC-H's keys.
constexpr std::array<std::uint32_t, 25> region_of_nation = {0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2,
                                                            4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1};

std::uint32_t below(std::mt19937_64& random, std::uint32_t count) {
  return static_cast<std::uint32_t>(random() % count);
}

void add_places(SsbTables& tables, const std::string& prefix, const std::string& key, std::uint32_t rows,
                std::mt19937_64& random) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t nation = below(random, 25);
    if (below(random, 2) == 0) nation = below(random, 2) == 0 ? united_states : united_kingdom;
    const std::uint32_t digit = below(random, 2) == 0 ? 1 + 4 * below(random, 2) : below(random, 10);
    tables[key].push_back(row + 1);
    tables[prefix + "_region"].push_back(region_of_nation.at(nation));
    tables[prefix + "_nation"].push_back(nation);
    tables[prefix + "_city"].push_back(10 * nation + digit);
  }
}

void add_dates(SsbTables& tables) {
  constexpr std::array<std::uint32_t, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (std::uint32_t year = 1992; year <= 1998; ++year) {
    std::uint32_t day_of_year = 0;
    for (std::uint32_t month = 1; month <= 12; ++month) {
      const std::uint32_t leap_day = month == 2 && year % 4 == 0 ? 1 : 0;
      for (std::uint32_t day = 1; day <= days.at(month - 1) + leap_day; ++day) {
        ++day_of_year;
        tables["d_datekey"].push_back(year * 10000 + month * 100 + day);
        tables["d_year"].push_back(year);
        tables["d_yearmonthnum"].push_back(year * 100 + month);
        tables["d_weeknuminyear"].push_back(day_of_year / 7 + 1);
      }
    }
  }
}

// A row of the fact table with those of the other tables that it is joined with.
class Row {
public:
  Row(const SsbTables& tables, std::size_t number) : tables_(tables), number_(number) {
    const std::vector<std::uint32_t>& dates = tables.at("d_datekey");
    date_ =
        static_cast<std::size_t>(std::ranges::lower_bound(dates, (*this)["lo_orderdate"]) - dates.begin());
  }
  std::uint32_t operator[](std::string_view column) const {
    const std::vector<std::uint32_t>& values = tables_.find(column)->second;
    switch (column[0]) {
      case 'l':
        return values.at(number_);
      case 'd':
        return values.at(date_);
      case 'c':
        return values.at((*this)["lo_custkey"] - 1);
      case 's':
        return values.at((*this)["lo_suppkey"] - 1);
      default:
        return values.at((*this)["lo_partkey"] - 1);
    }
  }
  bool between(std::string_view column, std::uint32_t first, std::uint32_t last) const {
    return (*this)[column] >= first && (*this)[column] <= last;
  }
  // 'UNITED KI1' or 'UNITED KI5'.
  bool is_in_two_cities(std::string_view column) const {
    return (*this)[column] == 231 || (*this)[column] == 235;
  }
  std::uint32_t year() const { return (*this)["d_year"] - 1992; }

private:
  const SsbTables& tables_;
  std::size_t number_;
  std::size_t date_ = 0;
};

// What a query says of rows: which it wants, their groups and the number of all groups, what is summed.
struct PlainQuery {
  std::function<bool(const Row&)> wants;
  std::function<std::size_t(const Row&)> group;
  std::size_t groups;
  std::function<std::uint64_t(const Row&)> value;
};

const std::map<std::string, PlainQuery, std::less<>>& plain_queries() {
  const auto one = [](const Row&) { return std::size_t{0}; };
  const auto discount = [](const Row& r) { return std::uint64_t{r["lo_extendedprice"]} * r["lo_discount"]; };
  const auto revenue = [](const Row& r) { return std::uint64_t{r["lo_revenue"]}; };
  const auto profit = [](const Row& r) { return std::uint64_t{r["lo_revenue"]} - r["lo_supplycost"]; };
  const auto brand = [](const Row& r) { return std::size_t{r.year()} * 1000 + r["p_brand1"]; };
  const auto cities = [](const Row& r) {
    return (std::size_t{r["c_city"]} * 250 + r["s_city"]) * 7 + r.year();
  };
  static const std::map<std::string, PlainQuery, std::less<>> queries = {
      {"q1.1",
       {[](const Row& r) {
          return r["d_year"] == 1993 && r.between("lo_discount", 1, 3) && r["lo_quantity"] < 25;
        },
        one, 1, discount}},
      {"q1.2",
       {[](const Row& r) {
          return r["d_yearmonthnum"] == 199401 && r.between("lo_discount", 4, 6) &&
                 r.between("lo_quantity", 26, 35);
        },
        one, 1, discount}},
      {"q1.3",
       {[](const Row& r) {
          return r["d_weeknuminyear"] == 6 && r["d_year"] == 1994 && r.between("lo_discount", 5, 7) &&
                 r.between("lo_quantity", 26, 35);
        },
        one, 1, discount}},
      {"q2.1",
       {[](const Row& r) { return r["p_category"] == 1 && r["s_region"] == america; }, brand, 7000, revenue}},
      {"q2.2",
       {[](const Row& r) { return r.between("p_brand1", 260, 267) && r["s_region"] == asia; }, brand, 7000,
        revenue}},
      {"q2.3",
       {[](const Row& r) { return r["p_brand1"] == 278 && r["s_region"] == europe; }, brand, 7000, revenue}},
      {"q3.1",
       {[](const Row& r) {
          return r["c_region"] == asia && r["s_region"] == asia && r.between("d_year", 1992, 1997);
        },
        [](const Row& r) { return (std::size_t{r["c_nation"]} * 25 + r["s_nation"]) * 7 + r.year(); }, 4375,
        revenue}},
      {"q3.2",
       {[](const Row& r) {
          return r["c_nation"] == united_states && r["s_nation"] == united_states &&
                 r.between("d_year", 1992, 1997);
        },
        cities, 437500, revenue}},
      {"q3.3",
       {[](const Row& r) {
          return r.is_in_two_cities("c_city") && r.is_in_two_cities("s_city") &&
                 r.between("d_year", 1992, 1997);
        },
        cities, 437500, revenue}},
      {"q3.4",
       {[](const Row& r) {
          return r.is_in_two_cities("c_city") && r.is_in_two_cities("s_city") &&
                 r["d_yearmonthnum"] == 199712;
        },
        cities, 437500, revenue}},
      {"q4.1",
       {[](const Row& r) {
          return r["c_region"] == america && r["s_region"] == america && r.between("p_mfgr", 0, 1);
        },
        [](const Row& r) { return std::size_t{r.year()} * 25 + r["c_nation"]; }, 175, profit}},
      {"q4.2",
       {[](const Row& r) {
          return r["c_region"] == america && r["s_region"] == america && r.between("p_mfgr", 0, 1) &&
                 r["d_year"] >= 1997;
        },
        [](const Row& r) { return (std::size_t{r.year()} * 25 + r["s_nation"]) * 25 + r["p_category"]; },
        4375, profit}},
      {"q4.3",
       {[](const Row& r) {
          return r["c_region"] == america && r["s_nation"] == united_states && r["p_category"] == 3 &&
                 r["d_year"] >= 1997;
        },
        [](const Row& r) { return (std::size_t{r.year()} * 250 + r["s_city"]) * 1000 + r["p_brand1"]; },
        1750000, profit}},
  };
  return queries;
}

}  // namespace

SsbTables made_up_tables(std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr std::uint32_t customers = 700;
  constexpr std::uint32_t suppliers = 90;
  constexpr std::uint32_t parts = 1300;
  SsbTables tables;
  add_dates(tables);
  add_places(tables, "c", "c_custkey", customers, random);
  add_places(tables, "s", "s_suppkey", suppliers, random);
  for (std::uint32_t part = 0; part < parts; ++part) {
    // The brands of q2.2 and q2.3, the categories of q2.1 and q4.3, or any.
    const std::array<std::uint32_t, 5> brands = {260 + below(random, 8), 278, 40 + below(random, 40),
                                                 120 + below(random, 40), below(random, 1000)};
    const std::uint32_t brand = brands.at(below(random, 5));
    tables["p_partkey"].push_back(part + 1);
    tables["p_brand1"].push_back(brand);
    tables["p_category"].push_back(brand / 40);
    tables["p_mfgr"].push_back(brand / 200);
  }
  // All columns are there without a row too.
  for (const char* const column : {"lo_orderdate", "lo_custkey", "lo_partkey", "lo_suppkey", "lo_quantity",
                                   "lo_discount", "lo_extendedprice", "lo_revenue", "lo_supplycost"}) {
    tables[column] = {};
  }
  std::uint32_t date = 0;
  std::uint32_t customer = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (row == 0 || below(random, 4) == 0) {
      // A date of 1993, of January of 1994, from February 3 to 11, of December of 1997, or any.
      const std::array<std::uint32_t, 5> days = {366 + below(random, 365), 731 + below(random, 31),
                                                 764 + below(random, 9), 2161 + below(random, 31),
                                                 below(random, 2557)};
      date = tables["d_datekey"].at(days.at(below(random, 5)));
      customer = 1 + below(random, customers);
    }
    const std::uint32_t price = below(random, 10'000'000);
    tables["lo_orderdate"].push_back(date);
    tables["lo_custkey"].push_back(customer);
    tables["lo_partkey"].push_back(1 + below(random, parts));
    tables["lo_suppkey"].push_back(1 + below(random, suppliers));
    tables["lo_quantity"].push_back(1 + below(random, 50));
    tables["lo_discount"].push_back(below(random, 11));
    tables["lo_extendedprice"].push_back(price);
    tables["lo_revenue"].push_back(price / 10 * 9);
    // Losses too.
    tables["lo_supplycost"].push_back(below(random, 7'000'000));
  }
  return tables;
}

std::vector<std::uint64_t> expected_sums(const SsbTables& tables, std::string_view question) {
  const PlainQuery& query = plain_queries().find(question)->second;
  std::vector<std::uint64_t> sums(query.groups);
  for (std::size_t number = 0; number < tables.at("lo_orderdate").size(); ++number) {
    const Row row(tables, number);
    if (query.wants(row)) sums.at(query.group(row)) += query.value(row);
  }
  return sums;
}

}  // namespace gsst::tile_integer
