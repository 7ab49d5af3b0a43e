#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gsst::search {

/// Bytes of a text, from `begin` to before `end`.
struct Match {
  std::size_t begin;
  std::size_t end;
};

/// Finds what patterns match in texts of whole lines, of which each ends with '\n'. No match has a line end
/// in it; each begins in a line or at its end. Objects do not change: threads may share one.
class Matcher {
public:
  Matcher() = default;
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;
  virtual ~Matcher() = default;

  /// The leftmost match that begins at `from` or later, and of those the longest.
  virtual std::optional<Match> find(std::string_view text, std::size_t from) const = 0;
  /// The longest match that begins where `match` does and is shorter.
  virtual std::optional<Match> find_shorter(std::string_view text, const Match& match) const = 0;
};

}  // namespace gsst::search
