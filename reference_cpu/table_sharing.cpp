#include "reference_cpu/table_sharing.hpp"

#include <memory>
#include <optional>
#include <vector>

#include "common/format/gsst/tiles.hpp"

namespace gsst::reference {

void TableSharing::finish(CompressedBlock& block, std::span<const std::uint8_t> input, bool is_last) {
  const std::uint64_t number = next_block_++;
  const format::TilesHeader header(block.bytes.data());
  const auto table = std::make_shared<const std::vector<std::uint8_t>>(format::build_table_block(header));
  const std::optional<std::uint32_t> holder = window_.nearest(table, number);
  const bool table_counts = !holder && (is_last || !block.has_frame_table);
  const std::uint64_t coded = table_counts ? block.bytes.size() : format::bytes_without_table(header);
  const std::uint64_t raw = format::raw_payload_bytes(format::BlockFormat::tiles, input.size());
  if (coded >= raw) {
    block.record.layout = format::BlockLayout::raw;
    block.bytes.assign(input.begin(), input.end());
    block.bytes.resize(raw);
  } else if (holder) {
    format::share_table(block.bytes, *holder);
  } else {
    window_.add(table, number);
    ++tables_;
  }
  block.record.payload_bytes = static_cast<std::uint32_t>(block.bytes.size());
}

}  // namespace gsst::reference
