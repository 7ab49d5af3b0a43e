#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gsst::search::kernels {

/// Where in a row the pattern has to be.
enum class RowMatch : std::uint8_t { anywhere, at_begin, at_end, whole_row };

/// Which rows of a text have a pattern: what a stage is asked that answers with a bitmap.
struct RowsQuestion {
  /// The pattern, any bytes.
  std::string pattern;
  /// How many rows the text has.
  std::uint64_t rows = 0;
  /// Matches in the whole text that the search has room for, at least 1; those in no row count too.
  std::uint64_t most_matches = 1;
  /// Where in a row the pattern has to be.
  RowMatch match = RowMatch::anywhere;
};

namespace detail {

/// What a question about rows begins with.
inline constexpr std::string_view rows_begin{"\0gsst rows\0", 11};
inline constexpr std::size_t rows_header_bytes = rows_begin.size() + 1 + 2 * sizeof(std::uint64_t);

}  // namespace detail

/// The question, as stage::QuerySubject has it.
inline std::string rows_question(const RowsQuestion& question) {
  std::string text(detail::rows_begin);
  text += static_cast<char>(question.match);
  for (const std::uint64_t number : {question.rows, question.most_matches}) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    text.append(bytes, sizeof number);
  }
  return text + question.pattern;
}

/// What rows_question() has made; nothing for any other text, which is a pattern whose positions are wanted.
/// Throws std::invalid_argument for a question about rows that is cut short or has another RowMatch.
inline std::optional<RowsQuestion> read_rows_question(std::string_view text) {
  if (!text.starts_with(detail::rows_begin)) return std::nullopt;
  if (text.size() < detail::rows_header_bytes) {
    throw std::invalid_argument("a question about rows is cut short");
  }
  const auto match = static_cast<std::uint8_t>(text[detail::rows_begin.size()]);
  if (match > static_cast<std::uint8_t>(RowMatch::whole_row)) {
    throw std::invalid_argument("a question about rows has place " + std::to_string(match) +
                                " for the pattern; there are 0 to 3");
  }
  RowsQuestion question{.pattern = std::string(text.substr(detail::rows_header_bytes)),
                        .rows = 0,
                        .most_matches = 0,
                        .match = static_cast<RowMatch>(match)};
  const char* const numbers = text.data() + detail::rows_begin.size() + 1;
  std::memcpy(&question.rows, numbers, sizeof question.rows);
  std::memcpy(&question.most_matches, numbers + sizeof question.rows, sizeof question.most_matches);
  return question;
}

/// Bytes of the bitmap of that many rows: whole words of 64 bits, as Arrow's buffers may have.
inline std::uint64_t row_bitmap_bytes(std::uint64_t rows) {
  return (rows / 64 + (rows % 64 != 0 ? 1 : 0)) * sizeof(std::uint64_t);
}

}  // namespace gsst::search::kernels
