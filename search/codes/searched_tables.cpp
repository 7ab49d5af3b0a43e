#include "search/codes/searched_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "cpu/tiles/block_decoder.hpp"

namespace gsst::search::codes {
namespace {

// The bytes of a block that say what its codes stand for.
std::vector<std::uint8_t> stored_table(const format::TilesHeader& holder) {
  std::vector<std::uint8_t> stored = {static_cast<std::uint8_t>(holder.shape().code_bits),
                                      static_cast<std::uint8_t>(holder.escape_free())};
  for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
    stored.push_back(static_cast<std::uint8_t>(holder.class_length(i)));
  }
  const std::uint8_t* const symbols = holder.stored_symbols();
  stored.insert(stored.end(), symbols, symbols + holder.stored_symbol_bytes(holder.shape().code_count()));
  return stored;
}

}  // namespace

std::shared_ptr<const SearchedTable> SearchedTables::table_of(const format::TilesHeader& holder) {
  std::vector<std::uint8_t> stored = stored_table(holder);
  if (table_ && stored == stored_) return table_;
  auto table = std::make_shared<SearchedTable>();
  table->codes = cpu::tiles::read_code_table(holder);
  if (plan_.can_search(table->codes->kind)) {
    auto shifts = std::make_unique_for_overwrite<ShiftTable>();
    plan_.build_shifts(*table->codes, *shifts);
    table->shifts = std::move(shifts);
  }
  table_ = std::move(table);
  stored_ = std::move(stored);
  return table_;
}

}  // namespace gsst::search::codes
