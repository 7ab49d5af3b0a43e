#include "library/block_strings.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "common/format/error.hpp"
#include "search/codes/block_search.hpp"
#include "search/codes/code_reader.hpp"
#include "search/codes/piece_walkers.hpp"

namespace gsst::library {
namespace {

using search::codes::CodeReader;
using search::codes::piece_codes;
using search::codes::SearchedCodes;

// Reads the strings around pieces of a block's codes.
class CodedStrings {
public:
  CodedStrings(const SearchedCodes& codes, const StringsOfBlock& strings, StringBorders borders)
      : reader_(codes.block, codes.table, codes.block_number),
        block_(codes.block_number),
        strings_(strings),
        borders_(borders),
        next_(strings.first) {}

  CutStrings read_cut_strings() const {
    if (!strings_.has_border(borders_)) return {.head = start_of_block(strings_.end - strings_.begin)};
    CutStrings cut;
    cut.head = start_of_block(borders_.begins[strings_.first] - strings_.begin);
    const std::uint64_t tail_bytes = strings_.end - borders_.begins[strings_.last];
    cut.tail = text_of(reader_.text_before(reader_.code_count(), tail_bytes));
    require(cut.tail.size() == tail_bytes);
    return cut;
  }

  // Visits the strings with bytes in the piece whose first code is `piece`, unless they have been visited.
  void visit(std::uint32_t piece, const StringVisitor& visit) {
    const std::uint32_t strip = reader_.strip_of(piece);
    const std::uint64_t end = std::min(std::uint64_t{piece} + piece_codes, reader_.strip_end(strip));
    const std::uint64_t begin_of_piece = output_of(strip, piece);
    const std::uint64_t end_of_piece = begin_of_piece + reader_.output_bytes(piece, end);
    const std::uint64_t first = std::max(next_, string_at(begin_of_piece));
    const std::uint64_t last = std::min(strings_.last, string_behind(end_of_piece));
    if (first >= last) return;
    next_ = last;
    const std::uint64_t text_begin = borders_.begins[first] - strings_.begin;
    const std::uint64_t text_end = borders_.begins[last] - strings_.begin;
    const std::uint64_t before = begin_of_piece - std::min(begin_of_piece, text_begin);
    const std::uint64_t behind = text_end - std::min(text_end, end_of_piece);
    std::vector<std::uint8_t> bytes = reader_.text_before(piece, before);
    require(bytes.size() == before);
    reader_.append_text(piece, end, behind, bytes);
    const std::uint64_t skipped = text_begin - (begin_of_piece - before);
    require(bytes.size() >= skipped && bytes.size() - skipped >= text_end - text_begin);
    const std::string text = text_of(bytes);
    for (std::uint64_t string = first; string < last; ++string) {
      const std::uint64_t size = borders_.bytes_of(string);
      const std::uint64_t place = skipped + borders_.begins[string] - borders_.begins[first];
      if (size != 0) visit(string, std::string_view(text).substr(place, size));
    }
  }

private:
  static std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

  // What is read has other bytes than the block says only where it is damaged.
  void require(bool has_bytes) const {
    if (has_bytes) return;
    reader_.check_all_strips();
    throw format::FormatError(block_, "codes", "they decode to other bytes than the block has");
  }

  std::string start_of_block(std::uint64_t bytes) const {
    std::vector<std::uint8_t> text;
    reader_.append_text(0, 0, bytes, text);
    require(text.size() >= bytes);
    text.resize(bytes);
    return text_of(text);
  }

  // The last string that begins at `offset` of the block's text or before.
  std::uint64_t string_at(std::uint64_t offset) const {
    const auto behind = std::ranges::upper_bound(borders_.begins, strings_.begin + offset);
    return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(behind - borders_.begins.begin() - 1, 0));
  }

  // The first string that begins at `offset` or behind it.
  std::uint64_t string_behind(std::uint64_t offset) const {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(borders_.begins, strings_.begin + offset) -
                                      borders_.begins.begin());
  }

  // Where the piece's output begins. Counts the strip's codes from the last piece on.
  std::uint64_t output_of(std::uint32_t strip, std::uint32_t piece) {
    if (strip != strip_) {
      strip_ = strip;
      counted_to_ = reader_.strip_begin(strip);
      output_ = reader_.strip_output(strip);
      reader_.check_strip(strip, reader_.output_bytes(counted_to_, reader_.strip_end(strip)));
    }
    output_ += reader_.output_bytes(counted_to_, piece);
    counted_to_ = piece;
    return output_;
  }

  CodeReader reader_;
  std::optional<std::uint64_t> block_;
  const StringsOfBlock& strings_;
  StringBorders borders_;
  // The first string that has not been visited.
  std::uint64_t next_;
  std::optional<std::uint32_t> strip_;
  std::uint64_t counted_to_ = 0;
  std::uint64_t output_ = 0;
};

// Visits the strings of a block's text that may match.
void visit_decoded(std::string_view text, const StringsOfBlock& strings, StringBorders borders,
                   const search::Patterns& patterns, const StringVisitor& visit) {
  // In the block's text.
  const auto begin_of = [&](std::uint64_t string) { return borders.begins[string] - strings.begin; };
  const std::string_view whole = text.substr(0, begin_of(strings.last));
  for (std::uint64_t string = strings.first; string < strings.last; ++string) {
    if (patterns.word_finder()) {
      // Of the first string with a word, or of one that a word begins in and does not end.
      const auto word = patterns.word_finder()->find(whole, begin_of(string));
      if (!word) return;
      const auto behind = std::upper_bound(borders.begins.begin() + static_cast<std::ptrdiff_t>(string),
                                           borders.begins.begin() + static_cast<std::ptrdiff_t>(strings.last),
                                           strings.begin + *word);
      string = static_cast<std::uint64_t>(behind - borders.begins.begin()) - 1;
    }
    const std::uint64_t size = borders.bytes_of(string);
    if (size != 0) visit(string, text.substr(begin_of(string), size));
  }
}

}  // namespace

StringsOfBlock strings_of_block(StringBorders borders, std::uint64_t begin, std::uint64_t end) {
  const auto first = std::ranges::lower_bound(borders.begins, begin) - borders.begins.begin();
  const auto last = std::upper_bound(borders.begins.begin() + first, borders.begins.end(), end) -
                    borders.begins.begin() - 1;
  return {.begin = begin,
          .end = end,
          .first = static_cast<std::uint64_t>(first),
          .last = static_cast<std::uint64_t>(std::max(first, last))};
}

CutStrings visit_strings(const SearchedFrame& frame, SearchedFrame::Worker& worker, std::uint64_t block,
                         const StringsOfBlock& strings, StringBorders borders,
                         const search::Patterns& patterns, const StringVisitor& visit) {
  if (const auto codes = worker.codes_of(block)) {
    if (const auto pieces =
            search::codes::find_pieces(worker.plan(), *codes, search::codes::pieces_worth_looking_at)) {
      CodedStrings coded(*codes, strings, borders);
      for (const std::uint32_t piece : *pieces) coded.visit(piece, visit);
      return coded.read_cut_strings();
    }
  }
  const std::vector<std::uint8_t> decoded = frame.decode(block);
  const std::string_view text(reinterpret_cast<const char*>(decoded.data()), decoded.size());
  if (!strings.has_border(borders)) return {.head = std::string(text)};
  visit_decoded(text, strings, borders, patterns, visit);
  return {.head = std::string(text.substr(0, borders.begins[strings.first] - strings.begin)),
          .tail = std::string(text.substr(borders.begins[strings.last] - strings.begin))};
}

}  // namespace gsst::library
