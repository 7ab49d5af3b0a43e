#include "search/codes/block_lines.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "search/codes/code_reader.hpp"

namespace gsst::search::codes {
namespace {

// Bytes around a piece that are looked at first for its lines, and at most.
constexpr std::size_t first_reach = 64;
constexpr std::size_t most_reach = std::size_t{32} << 10;

// Stops the search of a block that is to be decoded.
struct LineIsLong {};

// Puts the lines of pieces together.
class LineCollector {
public:
  LineCollector(const SearchedCodes& codes, bool count_line_ends)
      : reader_(codes.block, codes.table, codes.block_number) {
    if (!count_line_ends) return;
    counts_line_ends_ = true;
    for (std::size_t code = 0; code < line_ends_.size(); ++code) {
      for (std::size_t byte = 0; byte < codes.table.lengths[code]; ++byte) {
        if (static_cast<std::uint8_t>(codes.table.symbols[code] >> (8 * byte)) == '\n') ++line_ends_[code];
      }
    }
  }

  // The line that the block's start cuts.
  void add_first() { add_between(0, 0); }

  // The lines that bytes of the piece whose first code is `piece` belong to.
  void add_piece(std::uint32_t piece) {
    const std::uint64_t strip_end = reader_.strip_end(reader_.strip_of(piece));
    add_between(piece, std::min(std::uint64_t{piece} + piece_codes, strip_end));
  }

  // The line that the block's end cuts.
  void add_last() {
    const std::uint64_t end = reader_.code_count();
    const std::vector<std::uint8_t> before = start_of_line(end);
    append(end, before, {});
  }

  std::vector<TextPart> take() { return std::move(parts_); }

private:
  void add_between(std::uint64_t begin, std::uint64_t end) {
    const std::vector<std::uint8_t> before = start_of_line(begin);
    append(begin, before, rest_of_lines(begin, end));
  }

  // What stands before code `code` in its line.
  std::vector<std::uint8_t> start_of_line(std::uint64_t code) const {
    for (std::size_t reach = first_reach;; reach *= 4) {
      std::vector<std::uint8_t> before = reader_.text_before(code, reach);
      const auto line_end = std::find(before.rbegin(), before.rend(), '\n');
      if (line_end != before.rend() || before.size() < reach) {
        before.erase(before.begin(), line_end.base());
        return before;
      }
      if (reach >= most_reach) throw LineIsLong();
    }
  }

  // The text of the codes from `begin` to before `end`, and on to the end of the line that it ends in.
  std::vector<std::uint8_t> rest_of_lines(std::uint64_t begin, std::uint64_t end) const {
    for (std::size_t reach = first_reach;; reach *= 4) {
      std::vector<std::uint8_t> text;
      const std::size_t in_piece = reader_.append_text(begin, end, reach, text);
      const auto last = text.begin() + static_cast<std::ptrdiff_t>(in_piece == 0 ? 0 : in_piece - 1);
      const auto line_end = std::find(last, text.end(), '\n');
      if (line_end != text.end()) {
        text.erase(line_end + 1, text.end());
        return text;
      }
      if (text.size() < in_piece + reach) return text;
      if (reach >= most_reach) throw LineIsLong();
    }
  }

  // Adds the text around the start of code `code`, as far as it is not there.
  void append(std::uint64_t code, std::span<const std::uint8_t> before, std::span<const std::uint8_t> after) {
    count_to(code);
    if (output_ < before.size()) reader_.check_all_strips();
    const std::uint64_t begin = output_ - before.size();
    std::vector<std::uint8_t> text(before.begin(), before.end());
    text.insert(text.end(), after.begin(), after.end());
    const std::uint64_t end = begin + text.size();
    if (end <= end_ && !parts_.empty()) return;
    std::span<const std::uint8_t> added = text;
    if (!parts_.empty() && begin <= end_) {
      added = added.subspan(end_ - begin);
    } else {
      // No line end is between the line's begin and the code.
      parts_.push_back({.skipped_bytes = begin - end_,
                        .skipped_line_ends = counted_line_ends_ - end_line_ends_,
                        .text = {}});
      end_line_ends_ = counted_line_ends_;
    }
    parts_.back().text.insert(parts_.back().text.end(), added.begin(), added.end());
    end_ = end;
    end_line_ends_ += static_cast<std::uint64_t>(std::ranges::count(added, '\n'));
  }

  // Counts the output and the line ends of the codes before `code`.
  void count_to(std::uint64_t code) {
    while (counted_to_ != code) {
      const std::uint32_t strip = reader_.strip_of(counted_to_);
      const std::uint64_t strip_end = reader_.strip_end(strip);
      if (code >= strip_end) {
        // Nothing is known of strips that are passed over but what the block says.
        if (counts_line_ends_) counted_line_ends_ += line_ends(counted_to_, strip_end);
        counted_to_ = strip_end;
        output_ = reader_.strip_output(strip + 1);
        continue;
      }
      if (counted_to_ == reader_.strip_begin(strip)) {
        reader_.check_strip(strip, reader_.output_bytes(counted_to_, strip_end));
      }
      output_ += reader_.output_bytes(counted_to_, code);
      if (counts_line_ends_) counted_line_ends_ += line_ends(counted_to_, code);
      counted_to_ = code;
    }
  }

  std::uint64_t line_ends(std::uint64_t begin, std::uint64_t end) const {
    return reader_.sum_over_codes(begin, end, line_ends_);
  }

  CodeReader reader_;
  bool counts_line_ends_ = false;
  std::array<std::uint8_t, cpu::tiles::most_codes> line_ends_{};
  std::vector<TextPart> parts_;
  // What the codes before `counted_to_` put out.
  std::uint64_t counted_to_ = 0;
  std::uint64_t output_ = 0;
  std::uint64_t counted_line_ends_ = 0;
  // Where the last part ends in the block's output, and the line ends before.
  std::uint64_t end_ = 0;
  std::uint64_t end_line_ends_ = 0;
};

}  // namespace

std::optional<std::vector<TextPart>> find_lines(const CodePlan& plan, const SearchedCodes& codes,
                                                bool count_line_ends) {
  if (count_line_ends && codes.table.kind == cpu::tiles::CodeKind::bits_8_with_halves) return std::nullopt;
  const auto pieces = find_pieces(plan, codes, pieces_worth_looking_at);
  if (!pieces) return std::nullopt;
  LineCollector lines(codes, count_line_ends);
  try {
    lines.add_first();
    for (const std::uint32_t piece : *pieces) lines.add_piece(piece);
    lines.add_last();
  } catch (const LineIsLong&) {
    return std::nullopt;
  }
  return lines.take();
}

}  // namespace gsst::search::codes
