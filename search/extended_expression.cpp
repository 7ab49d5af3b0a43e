#include "search/extended_expression.hpp"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "search/bracket_expression.hpp"
#include "search/byte_set.hpp"
#include "search/needed_words.hpp"
#include "search/pattern_error.hpp"

namespace gsst::search {
namespace {

constexpr std::string_view line_start = "(?m:^)";
constexpr std::string_view line_end = "(?m:$)";
// What RE2 takes.
constexpr std::uint32_t max_repetitions = 1000;
constexpr std::uint32_t unbounded = std::numeric_limits<std::uint32_t>::max();
// Groups in groups, against a deep recursion.
constexpr int max_depth = 500;

struct Repetition {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
};

// A part of an expression, translated. A match of it starts with a byte of `first` and ends with one of
// `last`, or is empty, which only what `may_be_empty` is.
struct Part {
  std::string text;
  bool may_be_empty = false;
  ByteSet first;
  ByteSet last;
  // A part that matches one byte.
  std::optional<ByteSet> byte;
  // All bytes of each match, where these are always the same.
  std::optional<std::string> exact;
  // As TranslatedExpression has it, of a part without `exact`.
  std::vector<std::string> words;
  // Edges of words, to be resolved among their neighbours.
  enum class Edge { none, word_start, word_end } edge = Edge::none;
};

Part empty_width(std::string_view text) {
  return {.text = std::string(text), .may_be_empty = true, .exact = ""};
}

Part byte_part(const ByteSet& set) {
  return {.text = expression_of(set), .first = set, .last = set, .byte = set};
}

std::vector<std::string> word_list(const std::string& word) {
  return word.empty() ? std::vector<std::string>() : std::vector{word};
}

std::vector<std::string> words_of(const Part& part) {
  return part.exact ? word_list(*part.exact) : part.words;
}

std::string interval_text(Repetition repetition) {
  if (repetition.least == 0 && repetition.most == unbounded) return "*";
  if (repetition.least == 1 && repetition.most == unbounded) return "+";
  if (repetition.least == 0 && repetition.most == 1) return "?";
  if (repetition.least == repetition.most) return "{" + std::to_string(repetition.least) + "}";
  return "{" + std::to_string(repetition.least) + "," +
         (repetition.most == unbounded ? "" : std::to_string(repetition.most)) + "}";
}

Part repeated(const Part& part, Repetition repetition) {
  if (repetition.most == 0) return empty_width("(?:)");
  Part result = part;
  result.byte.reset();
  // A group even of one byte: RE2 does not take two operators in a row.
  result.text = "(?:" + part.text + ")" + interval_text(repetition);
  result.may_be_empty = part.may_be_empty || repetition.least == 0;
  result.words = repetition.least == 0 ? std::vector<std::string>() : words_of(part);
  result.exact.reset();
  return result;
}

// What can come first in `parts` from `begin` on: nothing if they may all be empty.
std::optional<ByteSet> first_of(const std::vector<Part>& parts, std::size_t begin) {
  ByteSet set;
  for (std::size_t i = begin; i < parts.size(); ++i) {
    set |= parts[i].first;
    if (!parts[i].may_be_empty) return set;
  }
  return std::nullopt;
}

// What can come last in the parts in front of `end`: nothing if they may all be empty.
std::optional<ByteSet> last_of(const std::vector<Part>& parts, std::size_t end) {
  ByteSet set;
  for (std::size_t i = end; i-- > 0;) {
    set |= parts[i].last;
    if (!parts[i].may_be_empty) return set;
  }
  return std::nullopt;
}

bool is_of_words(const std::optional<ByteSet>& set) {
  return set && is_subset(*set, word_bytes());
}

bool is_of_no_word(const std::optional<ByteSet>& set) {
  return set && (*set & word_bytes()).none();
}

// RE2 has an edge of a word (\b) that does not say on which side the word is. That is known where one of the
// neighbours is always of a word, or never; a neighbour of one byte is cut down to those of words.
void resolve_edge(std::vector<Part>& parts, std::size_t index, std::string_view pattern) {
  const bool starts_word = parts[index].edge == Part::Edge::word_start;
  const auto before = last_of(parts, index);
  const auto after = first_of(parts, index + 1);
  const bool is_certain =
      starts_word ? is_of_words(after) || is_of_no_word(before) : is_of_words(before) || is_of_no_word(after);
  if (!is_certain) {
    const std::size_t neighbour = starts_word ? index + 1 : index - 1;
    if ((index == 0 && !starts_word) || neighbour >= parts.size() || !parts[neighbour].byte) {
      throw PatternError(std::string(pattern) + ": " + (starts_word ? "\\<" : "\\>") +
                         " is only done next to what is certain to be of a word; -w or \\b may do");
    }
    Part cut = byte_part(*parts[neighbour].byte & word_bytes());
    cut.exact = parts[neighbour].exact;
    parts[neighbour] = std::move(cut);
  }
  parts[index].text = "\\b";
}

class ExpressionParser {
public:
  ExpressionParser(std::string_view pattern, bool ignore_case)
      : pattern_(pattern), ignore_case_(ignore_case) {}

  TranslatedExpression parse() {
    Part whole = parse_alternatives();
    return {.text = whole.text,
            .literal = is_literal_ ? std::optional(literal_) : std::nullopt,
            .words = words_of(whole)};
  }

private:
  bool at_end() const { return position_ >= pattern_.size(); }

  PatternError problem(const std::string& what) const {
    return PatternError(std::string(pattern_) + ": " + what);
  }

  // Up to the end, or to the `)` of the group that it is in.
  Part parse_alternatives() {
    Part result = parse_branch();
    while (!at_end() && pattern_[position_] == '|') {
      ++position_;
      is_literal_ = false;
      const Part branch = parse_branch();
      result.words = words_of_either(words_of(result), words_of(branch));
      result.exact.reset();
      result.text += "|" + branch.text;
      result.first |= branch.first;
      result.last |= branch.last;
      result.may_be_empty |= branch.may_be_empty;
      result.byte.reset();
    }
    return result;
  }

  Part parse_branch() {
    std::vector<Part> parts;
    while (!at_end()) {
      const char next = pattern_[position_];
      if (next == '|' || (next == ')' && depth_ > 0)) break;
      parts.push_back(parse_repeated());
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].edge != Part::Edge::none) resolve_edge(parts, i, pattern_);
    }
    return joined(parts);
  }

  static Part joined(const std::vector<Part>& parts) {
    Part result = empty_width("");
    // The bytes that are always next to each other, up to here.
    std::string run;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].exact) {
        run += *parts[i].exact;
      } else {
        result.words = rarer_words(rarer_words(std::move(result.words), word_list(run)), parts[i].words);
        result.exact.reset();
        run.clear();
      }
      result.text += parts[i].text;
      if (result.may_be_empty) result.first |= parts[i].first;
      result.last = parts[i].may_be_empty ? result.last | parts[i].last : parts[i].last;
      result.may_be_empty &= parts[i].may_be_empty;
    }
    if (result.exact) {
      result.exact = std::move(run);
    } else {
      result.words = rarer_words(std::move(result.words), word_list(run));
    }
    return result;
  }

  Part parse_repeated() {
    Part part = parse_atom();
    while (const std::optional<Repetition> repetition = parse_repetition()) {
      is_literal_ = false;
      if (part.edge != Part::Edge::none) throw problem("an edge of a word is repeated");
      part = repeated(part, *repetition);
    }
    return part;
  }

  std::optional<Repetition> parse_repetition() {
    if (at_end()) return std::nullopt;
    switch (pattern_[position_]) {
      case '*':
        ++position_;
        return Repetition{0, unbounded};
      case '+':
        ++position_;
        return Repetition{1, unbounded};
      case '?':
        ++position_;
        return Repetition{0, 1};
      case '{':
        return parse_interval();
      default:
        return std::nullopt;
    }
  }

  // A number at `position`, which is moved past it; nothing without digits.
  std::optional<std::uint32_t> parse_number(std::size_t& position) const {
    const std::size_t begin = position;
    std::uint32_t number = 0;
    while (position < pattern_.size() && pattern_[position] >= '0' && pattern_[position] <= '9') {
      number = std::min(number * 10 + static_cast<std::uint32_t>(pattern_[position] - '0'), 1'000'000U);
      ++position;
    }
    return position == begin ? std::nullopt : std::optional(number);
  }

  // A `{` that starts none is a byte like others.
  std::optional<Repetition> parse_interval() {
    std::size_t position = position_ + 1;
    const std::optional<std::uint32_t> least = parse_number(position);
    std::optional<std::uint32_t> most = least;
    if (position < pattern_.size() && pattern_[position] == ',') {
      ++position;
      most = parse_number(position);
      if (!most) most = unbounded;
      if (position < pattern_.size() && pattern_[position] == ',') {
        throw problem("an interval of more than two numbers");
      }
    } else if (!least) {
      return std::nullopt;
    }
    if (position >= pattern_.size() || pattern_[position] != '}') return std::nullopt;
    const Repetition repetition{least.value_or(0), *most};
    if (repetition.least > repetition.most) throw problem("an interval ends before it starts");
    if (repetition.least > max_repetitions ||
        (repetition.most != unbounded && repetition.most > max_repetitions)) {
      throw problem("more than " + std::to_string(max_repetitions) + " repetitions");
    }
    position_ = position + 1;
    return repetition;
  }

  Part literal_byte(char byte) {
    literal_ += byte;
    const ByteSet set = set_of(static_cast<std::uint8_t>(byte));
    Part part = byte_part(ignore_case_ ? with_both_cases(set) : set);
    part.exact = std::string(1, byte);
    return part;
  }

  Part parse_atom() {
    const char byte = pattern_[position_];
    switch (byte) {
      case '(':
        return parse_group();
      case '[':
        is_literal_ = false;
        return byte_part(parse_bracket_expression(pattern_, position_, ignore_case_));
      case '\\':
        ++position_;
        return parse_escape();
      case '*':
      case '+':
      case '?':
        // At the start of an expression it repeats nothing.
        is_literal_ = false;
        return empty_width("(?:)");
      case '{':
        if (parse_interval()) throw problem("an interval at the start of an expression");
        break;
      default:
        break;
    }
    ++position_;
    if (byte != '.' && byte != '^' && byte != '$') return literal_byte(byte);
    is_literal_ = false;
    return byte == '.' ? byte_part(line_bytes()) : empty_width(byte == '^' ? line_start : line_end);
  }

  Part parse_group() {
    ++position_;
    if (++depth_ > max_depth) throw problem("groups are nested too deeply");
    is_literal_ = false;
    Part group = parse_alternatives();
    --depth_;
    if (at_end()) throw problem("'(' without its ')'");
    ++position_;
    group.text = "(?:" + group.text + ")";
    return group;
  }

  Part parse_escape() {
    if (at_end()) throw problem("a backslash at the end");
    const char byte = pattern_[position_++];
    if (byte >= '1' && byte <= '9') throw problem("back-references (\\1 to \\9) are not done");
    static const ByteSet spaces = [] {
      std::size_t position = 0;
      return parse_bracket_expression("[[:space:]]", position, false);
    }();
    const bool was_literal = std::exchange(is_literal_, false);
    switch (byte) {
      case 'w':
        return byte_part(word_bytes());
      case 'W':
        return byte_part(~word_bytes() & line_bytes());
      case 's':
        return byte_part(spaces);
      case 'S':
        return byte_part(~spaces & line_bytes());
      case 'b':
        return empty_width("\\b");
      case 'B':
        return empty_width("\\B");
      case '<':
      case '>': {
        Part part = empty_width("");
        part.edge = byte == '<' ? Part::Edge::word_start : Part::Edge::word_end;
        return part;
      }
      case '`':
        return empty_width(line_start);
      case '\'':
        return empty_width(line_end);
      default:
        is_literal_ = was_literal;
        return literal_byte(byte);
    }
  }

  std::string_view pattern_;
  bool ignore_case_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool is_literal_ = true;
  std::string literal_;
};

}  // namespace

TranslatedExpression translate_extended_expression(std::string_view pattern, bool ignore_case) {
  return ExpressionParser(pattern, ignore_case).parse();
}

TranslatedExpression translate_fixed_string(std::string_view pattern, bool ignore_case) {
  TranslatedExpression translated{
      .text = {}, .literal = std::string(pattern), .words = word_list(std::string(pattern))};
  for (const char byte : pattern) {
    const ByteSet set = set_of(static_cast<std::uint8_t>(byte));
    translated.text += expression_of(ignore_case ? with_both_cases(set) : set);
  }
  return translated;
}

}  // namespace gsst::search
