#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/format/gsst/tiles_header.hpp"
#include "cpu/tiles/code_table.hpp"
#include "search/codes/code_plan.hpp"
#include "search/codes/shift_table.hpp"

namespace gsst::search::codes {

/// The tables of a block, as a search reads them.
struct SearchedTable {
  std::unique_ptr<const cpu::tiles::CodeTable> codes;
  /// Nothing where the plan cannot search the codes.
  std::unique_ptr<const ShiftTable> shifts;
};

/// Makes these. Blocks that follow each other often have the same table, shared or stored again: it is made
/// once for all of them.
class SearchedTables {
public:
  /// `plan` must outlive this object.
  explicit SearchedTables(const CodePlan& plan) : plan_(plan) {}

  /// The table of `holder`, a block that holds one. Shared by who asks for the same table.
  std::shared_ptr<const SearchedTable> table_of(const format::TilesHeader& holder);

private:
  const CodePlan& plan_;
  // What the table was made of.
  std::vector<std::uint8_t> stored_;
  std::shared_ptr<const SearchedTable> table_;
};

}  // namespace gsst::search::codes
