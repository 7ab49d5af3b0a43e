#include "search/bracket_expression.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "search/pattern_error.hpp"

namespace gsst::search {
namespace {

struct NamedClass {
  std::string_view name;
  bool (*contains)(std::size_t byte);
};

bool is_upper(std::size_t byte) {
  return byte >= 'A' && byte <= 'Z';
}
bool is_lower(std::size_t byte) {
  return byte >= 'a' && byte <= 'z';
}
bool is_digit(std::size_t byte) {
  return byte >= '0' && byte <= '9';
}
bool is_alpha(std::size_t byte) {
  return is_upper(byte) || is_lower(byte);
}
bool is_alnum(std::size_t byte) {
  return is_alpha(byte) || is_digit(byte);
}
bool is_graph(std::size_t byte) {
  return byte > ' ' && byte < 0x7f;
}
bool is_hexadecimal(std::size_t byte) {
  return is_digit(byte) || (byte >= 'A' && byte <= 'F') || (byte >= 'a' && byte <= 'f');
}

// Those of the locale C.
constexpr std::array<NamedClass, 12> named_classes = {{
    {"alnum", is_alnum},
    {"alpha", is_alpha},
    {"blank", [](std::size_t byte) { return byte == ' ' || byte == '\t'; }},
    {"cntrl", [](std::size_t byte) { return byte < ' ' || byte == 0x7f; }},
    {"digit", is_digit},
    {"graph", is_graph},
    {"lower", is_lower},
    {"print", [](std::size_t byte) { return byte >= ' ' && byte < 0x7f; }},
    {"punct", [](std::size_t byte) { return is_graph(byte) && !is_alnum(byte); }},
    {"space", [](std::size_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }},
    {"upper", is_upper},
    {"xdigit", is_hexadecimal},
}};

// Reads the parts of one bracket expression.
class BracketParser {
public:
  BracketParser(std::string_view pattern, std::size_t begin)
      : pattern_(pattern), begin_(begin), position_(begin + 1) {}

  ByteSet parse(bool ignore_case) {
    const bool is_negated = !at_end() && pattern_[position_] == '^';
    if (is_negated) ++position_;
    const std::size_t first = position_;
    // A `]` that comes first is one of the bytes.
    while (position_ == first || peek() != ']') parse_part();
    check_for_lost_class(first);
    ++position_;
    if (ignore_case) set_ = with_both_cases(set_);
    return (is_negated ? ~set_ : set_) & line_bytes();
  }

  std::size_t position() const { return position_; }

private:
  bool at_end() const { return position_ >= pattern_.size(); }

  char peek() const {
    if (at_end()) throw unmatched();
    return pattern_[position_];
  }

  PatternError unmatched() const { return problem("'[' without its ']'"); }

  PatternError problem(const std::string& what) const {
    return PatternError(std::string(pattern_) + ": " + what + ", at byte " + std::to_string(begin_ + 1));
  }

  // What is between `[x` and `x]`, where the kind x is one of `:`, `.` and `=`, or nothing if that is not
  // what comes next.
  std::optional<std::pair<char, std::string_view>> parse_named() {
    if (peek() != '[' || position_ + 1 >= pattern_.size()) return std::nullopt;
    const char kind = pattern_[position_ + 1];
    if (kind != ':' && kind != '.' && kind != '=') return std::nullopt;
    const std::size_t end = pattern_.find(std::string{kind, ']'}, position_ + 2);
    if (end == std::string_view::npos) throw unmatched();
    const std::string_view name = pattern_.substr(position_ + 2, end - position_ - 2);
    position_ = end + 2;
    return std::pair{kind, name};
  }

  void add_class(std::string_view name) {
    for (const NamedClass& known : named_classes) {
      if (known.name != name) continue;
      for (std::size_t byte = 0; byte < set_.size(); ++byte) {
        if (known.contains(byte)) set_.set(byte);
      }
      return;
    }
    throw problem("there is no class [:" + std::string(name) + ":]");
  }

  std::uint8_t single_byte(std::string_view name) const {
    if (name.size() != 1) throw problem("'" + std::string(name) + "' is not one byte");
    return static_cast<std::uint8_t>(name.front());
  }

  // One end of a range, or a byte alone. Nothing for a class, which is added.
  std::optional<std::uint8_t> parse_end() {
    const auto named = parse_named();
    if (!named) return static_cast<std::uint8_t>(pattern_[position_++]);
    if (named->first == ':') {
      add_class(named->second);
      return std::nullopt;
    }
    const std::uint8_t byte = single_byte(named->second);
    if (named->first == '.') return byte;
    set_.set(byte);
    return std::nullopt;
  }

  bool range_follows() const {
    return position_ + 1 < pattern_.size() && pattern_[position_] == '-' && pattern_[position_ + 1] != ']';
  }

  void parse_part() {
    peek();
    const std::optional<std::uint8_t> low = parse_end();
    if (!range_follows()) {
      if (low) set_.set(*low);
      return;
    }
    if (!low) throw problem("a range starts with a class");
    ++position_;
    const std::optional<std::uint8_t> high = parse_end();
    if (!high) throw problem("a range ends with a class");
    if (*high < *low) throw problem("a range ends before it starts");
    for (std::size_t byte = *low; byte <= *high; ++byte) set_.set(byte);
    if (range_follows()) throw problem("a range starts with a range");
  }

  // `[:space:]` is meant to be `[[:space:]]`.
  void check_for_lost_class(std::size_t first) const {
    const std::string_view inner = pattern_.substr(first, position_ - first);
    if (inner.size() > 2 && inner.front() == ':' && inner.back() == ':' &&
        inner.find_first_of("[-") == std::string_view::npos) {
      throw problem("write [[:name:]] for a class");
    }
  }

  std::string_view pattern_;
  std::size_t begin_;
  std::size_t position_;
  ByteSet set_;
};

}  // namespace

ByteSet parse_bracket_expression(std::string_view pattern, std::size_t& position, bool ignore_case) {
  BracketParser parser(pattern, position);
  const ByteSet set = parser.parse(ignore_case);
  position = parser.position();
  return set;
}

}  // namespace gsst::search
