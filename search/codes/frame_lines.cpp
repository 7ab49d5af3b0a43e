#include "search/codes/frame_lines.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/frame/frame_reader.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "reference_cpu/parallel.hpp"
#include "search/codes/checked_block.hpp"
#include "search/codes/searched_tables.hpp"
#include "search/codes/words_plan.hpp"

namespace gsst::search::codes {
namespace {

// Most input and output of the blocks in work, unless a single one is larger: any may have to be decoded.
constexpr std::uint64_t batch_memory_bytes = std::uint64_t{384} << 20;
// Small blocks come several to a thread, so that a batch is worth its start.
constexpr std::uint64_t least_batch_bytes = std::uint64_t{1} << 20;

// A block on its way.
struct BlockOfLines {
  format::BlockRecord record{};
  std::vector<std::uint8_t> payload;
  CheckedBlock block = {};
  // Nothing for a raw block.
  std::shared_ptr<const SearchedTable> table = {};
  std::vector<TextPart> parts = {};
  std::exception_ptr failure = {};
};

class LinesOfFrame {
public:
  LinesOfFrame(const format::ReadFunction& read, std::span<const Literal> words, bool count_line_ends,
               unsigned threads)
      : frame_(read),
        words_(words),
        count_line_ends_(count_line_ends),
        threads_(reference::thread_count(threads)) {
    if (frame_.header().format != format::BlockFormat::tiles) {
      throw std::invalid_argument("find_lines_in_frame: the frame is not of format tiles");
    }
  }

  format::StreamTotals run(const TextPartSink& sink, const format::ProgressFunction& progress) {
    format::StreamTotals totals;
    while (!is_at_end_) {
      read_batch();
      totals.input_bytes = frame_.bytes_read();
      reference::parallel_for(batch_.size(), threads_, [&](std::size_t i) { find_parts(batch_[i]); });
      for (const BlockOfLines& block : batch_) {
        if (block.failure) std::rethrow_exception(block.failure);
        for (const TextPart& part : block.parts) sink(part);
        totals.output_bytes += block.record.uncompressed_bytes;
        ++totals.blocks;
      }
      if (failure_) std::rethrow_exception(failure_);
      if (progress) progress(totals);
    }
    return totals;
  }

private:
  void read_batch() {
    const std::size_t most_blocks =
        std::max<std::uint64_t>(threads_, least_batch_bytes / frame_.header().block_size);
    std::uint64_t memory_bytes = 0;
    batch_.clear();
    try {
      while (batch_.size() < most_blocks && memory_bytes < batch_memory_bytes) {
        const std::optional<format::BlockRecord> record = frame_.next_record();
        is_at_end_ = !record;
        if (is_at_end_) return;
        batch_.push_back(read_block(*record));
        memory_bytes += std::uint64_t{record->payload_bytes} + record->uncompressed_bytes;
      }
    } catch (const format::FormatError&) {
      // Parts of the blocks before come first.
      failure_ = std::current_exception();
      is_at_end_ = true;
    }
  }

  BlockOfLines read_block(const format::BlockRecord& record) {
    BlockOfLines read{.record = record, .payload = frame_.read_payload()};
    read.block = check_block(read.payload, record, window_, frame_.block_count() - 1);
    if (!plan_) {
      plan_ = plan_for(words_, sample_of(read.block));
      tables_.emplace(*plan_);
    }
    if (!read.block.is_raw()) read.table = tables_->table_of(read.block.table_holder());
    return read;
  }

  // Keeps what goes wrong.
  void find_parts(BlockOfLines& of) const {
    try {
      std::optional<std::vector<TextPart>> parts;
      if (!of.block.is_raw() && of.table->shifts) {
        const format::TilesHeader header = of.block.header();
        parts = find_lines(*plan_,
                           {.block = header,
                            .table = *of.table->codes,
                            .shifts = *of.table->shifts,
                            .block_number = of.block.number},
                           count_line_ends_);
      }
      of.parts = parts ? std::move(*parts) : decode(of);
    } catch (...) {
      of.failure = std::current_exception();
    }
  }

  static std::vector<TextPart> decode(const BlockOfLines& of) {
    std::vector<std::uint8_t> text = codes::decode(of.block);
    cpu::tiles::check_checksum(text, of.record, of.block.number);
    std::vector<TextPart> parts;
    parts.push_back({.skipped_bytes = 0, .skipped_line_ends = 0, .text = std::move(text)});
    return parts;
  }

  format::FrameReader frame_;
  std::span<const Literal> words_;
  bool count_line_ends_;
  unsigned threads_;
  format::TableWindow window_;
  std::unique_ptr<const CodePlan> plan_;
  std::optional<SearchedTables> tables_;
  // Blocks stay where they are: a CheckedBlock points into the payload beside it.
  std::deque<BlockOfLines> batch_;
  bool is_at_end_ = false;
  std::exception_ptr failure_;
};

}  // namespace

format::StreamTotals find_lines_in_frame(const format::ReadFunction& read, std::span<const Literal> words,
                                         bool count_line_ends, const TextPartSink& sink, unsigned threads,
                                         const format::ProgressFunction& progress) {
  return LinesOfFrame(read, words, count_line_ends, threads).run(sink, progress);
}

}  // namespace gsst::search::codes
