#include "library/frame_search.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "library/searched_frame.hpp"
#include "reference_cpu/parallel.hpp"
#include "search/codes/block_lines.hpp"

namespace gsst::library {
namespace {

using search::codes::TextPart;

// Small blocks come several to a thread, so that a batch is worth its start.
constexpr std::uint64_t least_searched_bytes = std::uint64_t{4} << 20;

std::string_view view_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The parts of the block where a line may have a word.
std::vector<TextPart> parts_with_words(const SearchedFrame& frame, SearchedFrame::Worker& worker,
                                       std::uint64_t block) {
  if (const auto codes = worker.codes_of(block)) {
    if (auto parts = search::codes::find_lines(worker.plan(), *codes, false)) return std::move(*parts);
  }
  std::vector<TextPart> parts;
  parts.push_back({.skipped_bytes = 0, .skipped_line_ends = 0, .text = frame.decode(block)});
  return parts;
}

std::uint64_t blocks_at_once(const SearchedFrame& frame) {
  const std::uint64_t bytes = frame.plan().summary().uncompressed_bytes;
  const std::uint64_t block_bytes = bytes / std::max<std::uint64_t>(frame.block_count(), 1);
  return frame.threads() * (least_searched_bytes / (block_bytes + 1) + 1);
}

}  // namespace

std::vector<search::codes::Literal> literals_of(const search::Patterns& patterns) {
  std::vector<search::codes::Literal> literals;
  for (const std::string& word : patterns.words()) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(word.data()), word.size());
    literals.emplace_back(bytes, patterns.words_ignore_case());
  }
  return literals;
}

void find_in_frame(const search::Patterns& patterns, std::span<const std::uint8_t> frame,
                   const DecompressOptions& options, const search::TextMatches::Sink& sink) {
  // On codes, words are found by their lines.
  const bool uses_codes = !patterns.has_line_end();
  const std::vector<search::codes::Literal> words =
      uses_codes ? literals_of(patterns) : std::vector<search::codes::Literal>();
  const SearchedFrame searched(frame, options, words);
  if (patterns.needs_words() && patterns.words().empty()) return;
  search::TextMatches matches(patterns, searched.threads(), sink);
  std::vector<SearchedFrame::Worker> workers(searched.threads(), SearchedFrame::Worker(searched));
  const std::uint64_t at_once = blocks_at_once(searched);
  for (std::uint64_t first = 0; first < searched.block_count(); first += at_once) {
    std::vector<std::vector<TextPart>> parts(std::min(at_once, searched.block_count() - first));
    reference::parallel_for(workers.size(), searched.threads(), [&](std::size_t worker) {
      for (std::size_t i = worker; i < parts.size(); i += workers.size()) {
        parts[i] = parts_with_words(searched, workers[worker], first + i);
      }
    });
    for (const std::vector<TextPart>& of_block : parts) {
      for (const TextPart& part : of_block) {
        if (part.skipped_bytes != 0) matches.skip(part.skipped_bytes);
        matches.take(view_of(part.text));
      }
    }
  }
  matches.finish();
}

}  // namespace gsst::library
