#include "search/codes/frame_search.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/format/gsst/shared_tables.hpp"
#include "common/frame/frame_reader.hpp"
#include "search/codes/checked_block.hpp"
#include "search/codes/code_reader.hpp"
#include "search/codes/literal_plan.hpp"
#include "search/codes/searched_tables.hpp"

namespace gsst::search::codes {
namespace {

using Text = std::vector<std::uint8_t>;

class FrameSearch {
public:
  FrameSearch(const Literal& literal, const MatchSink& sink, const WalkInstructions& instructions)
      : literal_(literal), sink_(sink), instructions_(instructions) {}

  void search(const CheckedBlock& block) {
    if (!plan_) {
      plan_.emplace(literal_, sample_of(block));
      tables_.emplace(*plan_);
    }
    if (block.is_raw()) {
      search_raw(block);
    } else {
      search_codes(block);
    }
    begin_ += block.view.uncompressed_bytes;
  }

private:
  void search_raw(const CheckedBlock& block) {
    const Text text = folded_text(block);
    search_border(std::span(text).first(std::min(text.size(), literal_.size() - 1)));
    search_text(text);
    keep_last(text);
  }

  void search_codes(const CheckedBlock& block) {
    const format::TilesHeader header = block.header();
    const std::shared_ptr<const SearchedTable> table = tables_->table_of(block.table_holder());
    const CodeReader reader(header, *table->codes, block.number);
    Text start;
    reader.append_text(0, 0, literal_.size() - 1, start);
    start.resize(std::min(start.size(), literal_.size() - 1));
    literal_.fold_text(start);
    search_border(start);
    const SearchedCodes codes = {
        .block = header, .table = *table->codes, .shifts = *table->shifts, .block_number = block.number};
    const MatchSink sink = [&](std::uint64_t position) { sink_(begin_ + position); };
    if (!find_in_block(*plan_, codes, pieces_worth_looking_at, sink, instructions_)) {
      search_text(folded_text(block));
    }
    Text end = reader.text_before(reader.code_count(), literal_.size() - 1);
    literal_.fold_text(end);
    keep_last(end);
  }

  Text folded_text(const CheckedBlock& block) const {
    Text text = decode(block);
    literal_.fold_text(text);
    return text;
  }

  // Matches in the block, whose text after folding is `text`.
  void search_text(std::span<const std::uint8_t> text) {
    for (auto match = literal_.find(text, 0); match; match = literal_.find(text, *match + 1)) {
      sink_(begin_ + *match);
    }
  }

  // Matches that begin before the block and end in `start`, its first bytes.
  void search_border(std::span<const std::uint8_t> start) {
    Text border = before_;
    border.insert(border.end(), start.begin(), start.end());
    for (auto match = literal_.find(border, 0); match && *match < before_.size();
         match = literal_.find(border, *match + 1)) {
      sink_(begin_ - before_.size() + *match);
    }
  }

  // `end` has the block's last bytes, all or enough of them.
  void keep_last(std::span<const std::uint8_t> end) {
    before_.insert(before_.end(), end.begin(), end.end());
    const std::size_t kept = std::min(before_.size(), literal_.size() - 1);
    before_.erase(before_.begin(), before_.end() - static_cast<std::ptrdiff_t>(kept));
  }

  const Literal& literal_;
  const MatchSink& sink_;
  const WalkInstructions& instructions_;
  std::optional<LiteralPlan> plan_;
  std::optional<SearchedTables> tables_;
  // Where the block begins in the text, and the last bytes before it, which a match may begin with.
  std::uint64_t begin_ = 0;
  Text before_;
};

}  // namespace

format::StreamTotals find_in_frame(const format::ReadFunction& read, const Literal& literal,
                                   const MatchSink& sink, const WalkInstructions& instructions) {
  format::FrameReader frame(read);
  if (frame.header().format != format::BlockFormat::tiles) {
    throw std::invalid_argument("find_in_frame: the frame is not of format tiles");
  }
  FrameSearch search(literal, sink, instructions);
  format::TableWindow tables;
  format::StreamTotals totals;
  while (const std::optional<format::BlockRecord> record = frame.next_record()) {
    const std::vector<std::uint8_t> payload = frame.read_payload();
    search.search(check_block(payload, *record, tables, frame.block_count() - 1));
    totals.output_bytes += record->uncompressed_bytes;
    ++totals.blocks;
  }
  totals.input_bytes = frame.bytes_read();
  return totals;
}

}  // namespace gsst::search::codes
