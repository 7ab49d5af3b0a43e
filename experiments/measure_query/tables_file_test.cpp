#include "experiments/measure_query/tables_file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_query/tables_bytes.hpp"

namespace gsst::experiments {
namespace {

using TablesBytes = std::vector<std::uint8_t>;

TablesBytes with_head(std::string head, std::size_t bytes_of_columns) {
  head.resize(63, ' ');
  head += '\n';
  TablesBytes bytes(head.begin(), head.end());
  bytes.resize(bytes.size() + bytes_of_columns);
  return bytes;
}

TEST(TablesFile, GivesColumnsByTheirNames) {
  const TablesBytes bytes = bytes_of_tables({{"a", {1, 2, 3}}, {"b", {}}, {"c", {4}}});
  const TablesFile file(bytes);
  EXPECT_EQ(std::vector(file.column("a").begin(), file.column("a").end()),
            (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_TRUE(file.column("b").empty());
  EXPECT_EQ(file.column("c")[0], 4u);
  EXPECT_THROW(static_cast<void>(file.column("d")), InputError);
}

TEST(TablesFile, RefusesEverythingElse) {
  EXPECT_NO_THROW(TablesFile{with_head(R"({"columns": {"a": 16}})", 64)});
  EXPECT_THROW(TablesFile{TablesBytes()}, InputError);
  EXPECT_THROW(TablesFile{TablesBytes(100, 'a')}, InputError);
  for (const char* const head :
       {"", "{", "[]", R"({"columns": 3})", R"({"columns": {"a": -1}})", R"({"columns": {"a": "1"}})",
        R"({"columns": {"a": 17}})", R"({"columns": {"a": 0}})",
        R"({"columns": {"a": 18446744073709551615}})", R"({"columns": {"a": 16, "b": 1}})"}) {
    EXPECT_THROW(TablesFile{with_head(head, 64)}, InputError) << head;
  }
  EXPECT_THROW(TablesFile{with_head(R"({"columns": {"a": 16}})", 63)}, InputError);
}

}  // namespace
}  // namespace gsst::experiments
