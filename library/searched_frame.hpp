#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "library/decompress_plan.hpp"
#include "search/codes/block_search.hpp"
#include "search/codes/code_plan.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/searched_tables.hpp"

namespace gsst::library {

/// A frame, or an fsst file, whose blocks are searched: on their codes, where that can be, else decoded.
class SearchedFrame {
public:
  /// Checks everything but codes and checksums of `frame`, which must outlive this object unchanged. `words`:
  /// what has to be found in codes; with none, or more than codes are searched for at once, all blocks are
  /// decoded. Throws WrongFormat and format::FormatError.
  SearchedFrame(std::span<const std::uint8_t> frame, const DecompressOptions& options,
                std::span<const search::codes::Literal> words);

  const DecompressPlan& plan() const { return plan_; }
  std::uint64_t block_count() const { return block_count_; }
  /// Not 0.
  unsigned threads() const { return threads_; }

  /// The text of a block; its checksum is compared, unless the options say otherwise. Throws
  /// format::FormatError.
  std::vector<std::uint8_t> decode(std::uint64_t block) const;

  /// Searches blocks in one thread.
  class Worker {
  public:
    explicit Worker(const SearchedFrame& frame);

    const search::codes::CodePlan& plan() const { return *frame_.code_plan_; }

    /// What takes to search the codes of a block, which stays until the next call; nothing where these cannot
    /// be searched. Throws format::FormatError.
    std::optional<search::codes::SearchedCodes> codes_of(std::uint64_t block);

  private:
    const SearchedFrame& frame_;
    std::optional<search::codes::SearchedTables> tables_;
    std::optional<format::TilesHeader> header_;
    std::shared_ptr<const search::codes::SearchedTable> table_;
  };

private:
  DecompressPlan plan_;
  std::uint64_t block_count_;
  unsigned threads_;
  // Where codes are searched.
  std::unique_ptr<const search::codes::CodePlan> code_plan_;
};

}  // namespace gsst::library
