#include "common/format/gsst/shared_tables.hpp"

#include <string>

#include "common/format/error.hpp"
#include "common/format/gsst/tiles.hpp"

namespace gsst::format {

std::span<const std::uint8_t> find_table(const FrameView& frame, std::size_t block) {
  const TilesHeader header(frame.payload(block).data());
  const std::uint64_t holder = check_dictionary_id(header, block);
  if (holder == block) return frame.payload(block);
  const BlockRecord& record = frame.index.entries[holder].record;
  if (record.layout == BlockLayout::raw) refuse_dictionary(header, block, "holds no table");
  check_tiles_header(frame.payload(holder), record.uncompressed_bytes, holder);
  check_shared_table(header, TilesHeader(frame.payload(holder).data()), block);
  return frame.payload(holder);
}

TableBlock TableWindow::table_of(const BlockView& view, std::uint64_t block) {
  if (view.format != BlockFormat::tiles || view.layout == BlockLayout::raw) return nullptr;
  const TilesHeader header(view.header.data());
  if (header.dictionary_id() == 0) {
    auto table = std::make_shared<const std::vector<std::uint8_t>>(build_table_block(header));
    add(table, block);
    return table;
  }
  const auto holder = tables_.find(check_dictionary_id(header, block));
  if (holder == tables_.end()) refuse_dictionary(header, block, "holds no table");
  check_shared_table(header, TilesHeader(holder->second->data()), block);
  return holder->second;
}

std::optional<std::uint32_t> TableWindow::nearest(const TableBlock& table, std::uint64_t block) const {
  for (auto holder = tables_.rbegin(); holder != tables_.rend(); ++holder) {
    const std::uint64_t distance = block - holder->first;
    if (distance <= max_dictionary_id && *holder->second == *table) {
      return static_cast<std::uint32_t>(distance);
    }
  }
  return std::nullopt;
}

void TableWindow::add(const TableBlock& table, std::uint64_t block) {
  tables_[block] = table;
  while (tables_.begin()->first + max_dictionary_id < block) tables_.erase(tables_.begin());
}

}  // namespace gsst::format
