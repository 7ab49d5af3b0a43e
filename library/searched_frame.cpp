#include "library/searched_frame.hpp"

#include <algorithm>

#include "common/format/gsst/shared_tables.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "search/codes/code_reader.hpp"
#include "search/codes/words_plan.hpp"

namespace gsst::library {
namespace {

// Of the text, to see what is rare in it.
constexpr std::size_t search_sample_bytes = std::size_t{64} << 10;

DecompressOptions with_one_thread(DecompressOptions options) {
  options.threads = 1;
  return options;
}

std::vector<std::uint8_t> start_of_text(const format::FrameView& view) {
  const format::BlockView block = format::parse_block(view, 0);
  if (block.layout == format::BlockLayout::raw) {
    const auto start = block.codes.first(std::min(search_sample_bytes, block.codes.size()));
    return {start.begin(), start.end()};
  }
  const auto table = cpu::tiles::read_code_table(format::TilesHeader(format::find_table(view, 0).data()));
  std::vector<std::uint8_t> start;
  const search::codes::CodeReader reader(format::TilesHeader(block.header.data()), *table, 0);
  reader.append_text(0, 0, search_sample_bytes, start);
  return start;
}

}  // namespace

SearchedFrame::SearchedFrame(std::span<const std::uint8_t> frame, const DecompressOptions& options,
                             std::span<const search::codes::Literal> words)
    : plan_(frame, with_one_thread(options)),
      block_count_(plan_.summary().block_count),
      threads_(options.threads) {
  const bool has_words = !words.empty() && words.size() <= search::codes::most_words_at_once;
  if (!has_words || block_count_ == 0 || plan_.summary().format != format::BlockFormat::tiles) return;
  code_plan_ = search::codes::plan_for(words, start_of_text(*plan_.view()));
}

std::vector<std::uint8_t> SearchedFrame::decode(std::uint64_t block) const {
  const BlockPlace place = plan_.block(block);
  std::vector<std::uint8_t> text(place.uncompressed_bytes);
  const gsst_range range{.offset = place.uncompressed_offset, .bytes = text.size(), .output_offset = 0};
  if (!text.empty()) plan_.execute_ranges(std::span(&range, 1), text);
  return text;
}

SearchedFrame::Worker::Worker(const SearchedFrame& frame) : frame_(frame) {
  if (frame.code_plan_) tables_.emplace(*frame.code_plan_);
}

std::optional<search::codes::SearchedCodes> SearchedFrame::Worker::codes_of(std::uint64_t block) {
  if (!tables_) return std::nullopt;
  const format::FrameView& frame = *frame_.plan_.view();
  const format::BlockView view = format::parse_block(frame, block);
  if (view.layout == format::BlockLayout::raw) return std::nullopt;
  header_.emplace(view.header.data());
  table_ = tables_->table_of(format::TilesHeader(format::find_table(frame, block).data()));
  if (!table_->shifts) return std::nullopt;
  return search::codes::SearchedCodes{
      .block = *header_, .table = *table_->codes, .shifts = *table_->shifts, .block_number = block};
}

}  // namespace gsst::library
